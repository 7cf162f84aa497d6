"""Writing a Whoosh index of one segment, in id order, and reading it back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from typing import Any

from steadyrank_builder.document import Document
from steadyrank_builder.failures import WrittenIndexError
from steadyrank_builder.indexing import from_fields, to_fields

_PART = 30_000  # documents

Tick = Callable[[], None]  # called once per document


def write_index(
    folder: Path, schema: Any, documents: Iterable[Document], *, memory_mb: int, tick: Tick
) -> None:
    """Write ``documents``, which come in id order, as a new index in the empty ``folder``.

    One process and one segment, so that document numbers follow the ids. Postings beyond
    ``memory_mb`` megabytes, as Whoosh estimates them, go to temporary files in ``folder``.
    """
    from whoosh.index import create_in

    from steadyrank.analysis import spoken_fields

    several = bool(getattr(schema["text"].analyzer, "others", ()))
    writer = create_in(str(folder), schema).writer(procs=1, limitmb=memory_mb)
    try:
        for document in documents:
            fields = to_fields(document)
            writer.add_document(**(spoken_fields(schema, fields) if several else fields))
            tick()
    except BaseException:
        writer.cancel()
        raise
    writer.commit()


def check_index(
    folder: Path, expected: Iterable[tuple[str, str]], *, count: int, tick: Tick
) -> None:
    """WrittenIndexError unless the index in ``folder`` holds exactly the ``count`` of ``expected``.

    That is: one segment without deletions, whose stored fields, in document-number order, make
    documents of these (id, digest) pairs.
    """
    number = 0
    for part in _parts(expected):
        # Opened anew now and then: what was read of a mapped file counts as ours until it is
        # closed, and would be as much as the index.
        with _reader(folder) as reader:
            if number == 0:
                _check_layout(folder, reader, count)
            for id_, digest in part:
                document = from_fields(reader.stored_fields(number)) if number < count else None
                if document is None or document.id != id_ or document.digest != digest:
                    raise WrittenIndexError(
                        f"Document {number} of {folder} reads back as "
                        f"{document.id if document else None!r} and was written as {id_!r} with "
                        "other content."
                    )
                number += 1
                tick()
    if number != count:
        raise WrittenIndexError(f"{folder} was to hold {count} documents, and {number} are known.")


def _parts(expected: Iterable[tuple[str, str]]) -> Iterator[list[tuple[str, str]]]:
    pairs = iter(expected)
    while part := list(islice(pairs, _PART)):
        yield part


@contextmanager
def _reader(folder: Path) -> Iterator[Any]:
    from whoosh.index import open_dir

    reader = open_dir(str(folder), readonly=True).reader()
    try:
        yield reader
    finally:
        reader.close()


def _check_layout(folder: Path, reader: Any, count: int) -> None:
    found = reader.doc_count_all()
    if found != count or reader.doc_count() != count or not reader.is_atomic():
        raise WrittenIndexError(
            f"{count} documents were written to {folder} and {found} are there in "
            f"{len(reader.leaf_readers())} segments."
        )
