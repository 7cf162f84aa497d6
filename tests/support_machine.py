"""One set of live documents in every layout that Whoosh's writers leave behind, and its digest.

Each layout is a function that is given an empty folder and the records, and writes them with
plain Whoosh. ``digest`` is the SHA-256 of ids and score bits of all rankings: whatever the
layout, the hash seed, the processor, the Python version and the Whoosh distribution, it is the
same, or the promise is broken.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from pathlib import Path
from typing import Any

from whoosh import fields, index, query, writing
from whoosh.analysis import SimpleAnalyzer
from whoosh.filedb.filestore import RamStorage

import steadyrank
from steadyrank.searcher import SteadySearcher
from support_layouts import Record

TITLE_BOOST = 1.3  # not a sum of powers of two, so that the width of a stored weight shows


def schema(*, sortable: bool = False) -> fields.Schema:
    """Texts whose tokens every distribution makes alike, a tag, a number, a day, the id."""
    return fields.Schema(
        id=fields.ID(stored=True, unique=True, sortable=sortable),
        title=fields.TEXT(SimpleAnalyzer(), stored=True, field_boost=TITLE_BOOST),
        text=fields.TEXT(SimpleAnalyzer(), stored=True),
        tag=fields.KEYWORD(stored=True),
        price=fields.NUMERIC(stored=True, sortable=True),
        day=fields.DATETIME(stored=True),
    )


def stored(record: Record) -> dict[str, Any]:
    return {**record.stored(), "day": datetime(2024, 1, 1 + record.price % 28)}


Records = Sequence[Record]
Layout = Callable[[Path, Records], Any]
LAYOUTS: dict[str, Layout] = {}


def _layout(function: Layout) -> Layout:
    LAYOUTS[function.__name__.replace("_", " ")] = function
    return function


def _new(folder: Path, **settings: Any) -> Any:
    return index.create_in(str(folder), schema(**settings))


def _shuffled(records: Records, seed: int) -> list[Record]:
    return random.Random(seed).sample(list(records), len(records))


def _add(ix: Any, records: Records, how: dict[str, Any] | None = None, **commit: Any) -> None:
    writer = ix.writer(**(how or {}))
    for record in records:
        writer.add_document(**stored(record))
    writer.commit(**commit)


def _parts(records: Records, count: int) -> Iterator[Records]:
    return (records[part::count] for part in range(count) if records[part::count])


def _delete(ix: Any, records: Records, **commit: Any) -> None:
    writer = ix.writer()
    for record in records:
        writer.delete_by_term("id", record.id)
    writer.commit(**commit)


def _update(ix: Any, records: Records, **commit: Any) -> None:
    writer = ix.writer()
    for record in records:
        writer.update_document(**stored(record))
    writer.commit(**commit)


def _ghosts(records: Records) -> list[Record]:
    # Documents that will be gone: texts swapped and doubled, so that their lengths differ.
    return [
        replace(record, id=f"ghost-{record.id}", title=record.text, text=f"{record.title} " * 9)
        for record in records[::5]
    ]


def _earlier(records: Records) -> list[Record]:
    # The same ids with other texts: what an update replaces.
    return [replace(record, title="tent lamp", text=record.text * 2) for record in records]


@_layout
def one_segment_in_id_order(folder: Path, records: Records) -> Any:
    ix = _new(folder)
    _add(ix, sorted(records, key=lambda record: record.id))
    return ix


@_layout
def one_segment_shuffled(folder: Path, records: Records) -> Any:
    ix = _new(folder, sortable=True)
    _add(ix, _shuffled(records, 1))
    return ix


@_layout
def five_segments(folder: Path, records: Records) -> Any:
    ix = _new(folder)
    for part in _parts(_shuffled(records, 2), 5):
        _add(ix, part, merge=False)
    return ix


@_layout
def seven_segments_with_deletions(folder: Path, records: Records) -> Any:
    ix = _new(folder, sortable=True)
    ghosts = _ghosts(records)
    for part in _parts(_shuffled([*records, *ghosts], 3), 7):
        _add(ix, part, merge=False)
    _delete(ix, ghosts, merge=False)
    return ix


@_layout
def seven_segments_with_deletions_optimized(folder: Path, records: Records) -> Any:
    ix = seven_segments_with_deletions(folder, records)
    ix.optimize()
    return ix


@_layout
def small_commits_merged(folder: Path, records: Records) -> Any:
    ix = _new(folder)
    for part in _parts(_shuffled(records, 4), 9):
        _add(ix, part, merge=True)  # MERGE_SMALL, Whoosh's default
    return ix


@_layout
def updates_left_over(folder: Path, records: Records) -> Any:
    ix = _new(folder)
    _add(ix, _shuffled(_earlier(records), 5))
    for part in _parts(_shuffled(records, 6), 3):
        _update(ix, part, merge=False)
    return ix


@_layout
def updates_optimized(folder: Path, records: Records) -> Any:
    ix = updates_left_over(folder, records)
    ix.optimize()
    return ix


@_layout
def resaved_unchanged(folder: Path, records: Records) -> Any:
    ix = _new(folder)
    _add(ix, _shuffled(records, 7))
    _update(ix, records[::3], merge=False)
    _update(ix, records[::4], merge=False)
    return ix


@_layout
def two_processes(folder: Path, records: Records) -> Any:
    ix = _new(folder)
    _add(ix, _shuffled(records, 8), {"procs": 2, "batchsize": 20})
    return ix


@_layout
def two_processes_many_segments(folder: Path, records: Records) -> Any:
    ix = _new(folder, sortable=True)
    _add(ix, _shuffled(records, 9), {"procs": 2, "multisegment": True, "batchsize": 20})
    return ix


@_layout
def another_writer_afterwards(folder: Path, records: Records) -> Any:
    ix = _new(folder)
    _add(ix, _shuffled(records, 10))
    again = index.open_dir(str(folder))
    _add(again, _ghosts(records), merge=False)
    _delete(again, _ghosts(records), merge=True)
    return again


@_layout
def cleared_and_written_anew(folder: Path, records: Records) -> Any:
    ix = _new(folder)
    _add(ix, _earlier(records))
    _add(ix, _shuffled(records, 11), {"limitmb": 1}, mergetype=writing.CLEAR)
    return ix


@_layout
def in_memory(folder: Path, records: Records) -> Any:
    ix = RamStorage().create_index(schema())
    for part in _parts(_shuffled(records, 12), 2):
        _add(ix, part, merge=False)
    return ix


@_layout
def half_in_a_buffer(folder: Path, records: Records) -> Any:
    """A third on disk for good, a third there and replaced by the buffer, the rest in it."""
    ix = _new(folder)
    mixed = _shuffled(records, 13)
    third = len(mixed) // 3
    _add(ix, [*mixed[:third], *_earlier(mixed[third : 2 * third])])
    writer = writing.BufferedWriter(ix, period=None, limit=10**9)
    for record in mixed[third:]:
        writer.update_document(**stored(record))
    return _Buffered(ix, writer)


class _Buffered:
    """An index whose readers also see what a BufferedWriter has not written yet."""

    def __init__(self, ix: Any, writer: Any) -> None:
        self.index = ix
        self._writer = writer

    def reader(self) -> Any:
        return self._writer.reader()

    def close(self) -> None:
        self._writer.writer.cancel()


@contextmanager
def searching(ix: Any, **policy: Any) -> Iterator[Any]:
    """A steady searcher over an index of any layout."""
    if isinstance(ix, _Buffered):
        settings = steadyrank.Policy(id_field="id", **policy)
        with SteadySearcher(ix.reader(), policy=settings) as searcher:
            yield searcher
    else:
        with steadyrank.stabilize(ix, id_field="id", **policy).searcher() as searcher:
            yield searcher


Ranking = list[tuple[str, str]]


def ranking(results: Any) -> Ranking:
    """Ids and the bits of their scores."""
    return [(hit["id"], float(hit.score).hex()) for hit in results]


def rankings(
    ix: Any, queries: Sequence[query.Query], limit: int | None = None, **policy: Any
) -> list[Ranking]:
    """The steady rankings of all queries."""
    with searching(ix, **policy) as searcher:
        return [ranking(searcher.search(query, limit=limit)) for query in queries]


def stock_rankings(ix: Any, queries: Sequence[query.Query]) -> list[Ranking]:
    """Stock Whoosh's top tens."""
    with ix.searcher() as searcher:
        return [ranking(searcher.search(query, limit=10)) for query in queries]


def digest(found: Sequence[Ranking]) -> str:
    """SHA-256 over all rankings, ids and score bits."""
    return hashlib.sha256(repr(found).encode()).hexdigest()
