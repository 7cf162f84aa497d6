"""The documents of an index, read back from it and written again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steadyrank.index import SteadyIndex, open_index
from steadyrank.postings import IndexView
from steadyrank_builder.runs import Way

Stored = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Corpus:
    """A schema and the stored fields of all live documents, in the order of the index."""

    schema: Any
    documents: tuple[Stored, ...]


def opened(folder: Path, way: Way) -> SteadyIndex:
    """The index in ``folder``, its records called by the field that ``way`` names."""
    if way.no_id:
        return open_index(folder, id_field=None)
    return open_index(folder, id_field=way.id_field) if way.id_field else open_index(folder)


def read_corpus(reader: Any) -> Corpus:
    """Everything that an index stores. Values of fields that the schema lost are left out."""
    schema = reader.schema
    live = IndexView(reader).live_docs().tolist()
    return Corpus(
        schema,
        tuple(
            {name: value for name, value in reader.stored_fields(doc).items() if name in schema}
            for doc in live
        ),
    )


def not_stored(schema: Any, fields: Iterable[str]) -> list[str]:
    """Those of the fields that are searched but not stored: they cannot be written again."""
    return sorted(name for name in fields if name in schema and not schema[name].stored)


def write_plain(folder: Path, schema: Any, parts: Sequence[Sequence[Stored]]) -> None:
    """A new index in an empty folder, by a plain Whoosh writer: one segment per part."""
    from whoosh.index import create_in

    index = create_in(str(folder), schema)
    for part in parts:
        add_documents(index, part)


def add_documents(index: Any, documents: Iterable[Stored]) -> None:
    """The documents as one more segment; the others stay as they are."""
    from steadyrank.analysis import spoken_fields

    def change(writer: Any) -> None:
        for document in documents:
            writer.add_document(**spoken_fields(index.schema, document))

    changing(index, change)


def changing(index: Any, change: Callable[[Any], object], *, optimize: bool = False) -> None:
    """What ``change`` does with a writer, committed without a merge, or with one of everything."""
    writer = index.writer(procs=1, limitmb=256)
    try:
        change(writer)
    except BaseException:
        writer.cancel()
        raise
    if optimize:
        writer.commit(optimize=True)
    else:
        writer.commit(merge=False)
