"""Ties of hundreds at the end of a page: the lowest ids, though not all ids are read."""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import Any

import pytest
from whoosh import fields, index
from whoosh import query as q

import steadyrank
from steadyrank.collecting import selection
from steadyrank.postings import Identity

pytestmark = pytest.mark.whoosh

COUNT = 400
TIED = q.Every()


def shuffled(seed: int = 5) -> list[str]:
    ids = [f"r{number:03}" for number in range(COUNT - 2)] + ["zebra", "Ärger"]
    random.Random(seed).shuffle(ids)
    return ids


def write(folder: Path, ids: list[str | None], id_field: Any, segments: int = 3) -> Any:
    ix = index.create_in(str(folder), fields.Schema(id=id_field, n=fields.STORED))
    for part in range(segments):
        writer = ix.writer()
        for number, id in list(enumerate(ids))[part::segments]:
            record = {} if id is None else {"id": id}
            writer.add_document(n=number, **record)
        writer.commit(merge=False)
    return ix


def top(ix: Any, limit: int) -> list[str]:
    with steadyrank.stabilize(ix, id_field="id").searcher() as searcher:
        return [hit.get("id") for hit in searcher.search(TIED, limit=limit)]


def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many keys each call reads, from now on."""
    sizes: list[int] = []
    original = Identity.keys

    def keys(self: Identity, docs: Any) -> Any:
        sizes.append(docs.size)
        return original(self, docs)

    monkeypatch.setattr(selection.Identity, "keys", keys)
    return sizes


@pytest.mark.parametrize("sortable", [False, True])
@pytest.mark.parametrize("segments", [1, 3])
def test_the_lowest_ids_are_found_by_their_order_in_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, segments: int, sortable: bool
) -> None:
    ids = shuffled()
    kind = fields.ID(stored=True, unique=True, sortable=sortable)
    ix = write(tmp_path, ids, kind, segments)
    writer = ix.writer()
    for gone in sorted(ids)[1:4]:
        writer.delete_by_term("id", gone)
    writer.commit(merge=False)
    left = sorted(ids)[:1] + sorted(ids)[4:]
    sizes = reads(monkeypatch)
    for limit in (1, 10, 50):
        assert top(ix, limit) == left[:limit]
    assert sizes
    assert max(sizes) <= 50, "all ids of the tie were read"
    assert top(ix, COUNT) == left


def test_ids_that_occur_twice_are_told_apart_by_content(tmp_path: Path) -> None:
    """A walk that meets such an id gives up, and what was promised for it holds."""
    ids: list[str | None] = [*shuffled(), "r000", "r001"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", steadyrank.SteadyRankWarning)
        forwards = write(inside(tmp_path, "a"), ids, fields.ID(stored=True))
        backwards = write(inside(tmp_path, "b"), ids[::-1], fields.ID(stored=True))
        assert top(forwards, 4) == top(backwards, 4) == ["r000", "r000", "r001", "r001"]
        assert top(forwards, 3) == ["r000", "r000", "r001"]
        assert top(forwards, 5) == ["r000", "r000", "r001", "r001", "r002"]


def test_a_cut_between_two_with_one_id_is_seen(tmp_path: Path) -> None:
    """The last that is in and the first that is out share an id: their content decides."""
    ids = [*shuffled(), "r003"]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert top(write(tmp_path, ids, fields.ID(stored=True)), 4) == sorted(ids)[:4]
    assert [warning.category for warning in caught] == [steadyrank.SteadyRankWarning]


def test_records_without_an_id_come_last(tmp_path: Path) -> None:
    ids = shuffled()
    gaps = [None if number % 2 else id for number, id in enumerate(ids)]
    expected = sorted(id for id in gaps if id is not None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", steadyrank.SteadyRankWarning)
        ix = write(tmp_path, gaps, fields.ID(stored=True))
        assert top(ix, 20) == expected[:20]
        assert top(ix, len(expected) + 2) == [*expected, None, None]


def test_what_is_stored_is_the_id(tmp_path: Path) -> None:
    """Where something else is indexed than stored, as under a lowercase analyzer."""
    ids = [id.upper() if number % 3 else id for number, id in enumerate(shuffled())]
    from whoosh.analysis import IDTokenizer, LowercaseFilter

    lowered = fields.ID(stored=True, analyzer=IDTokenizer() | LowercaseFilter())
    assert top(write(inside(tmp_path, "a"), ids, lowered), 30) == sorted(ids)[:30]
    ix = index.create_in(str(inside(tmp_path, "b")), fields.Schema(id=fields.ID(stored=True)))
    writer = ix.writer()
    for id in ids:
        writer.add_document(id=f"x{id[::-1]}", _stored_id=id)
    writer.commit()
    assert top(ix, 30) == sorted(ids)[:30]


def inside(parent: Path, name: str) -> Path:
    folder = parent / name
    folder.mkdir()
    return folder
