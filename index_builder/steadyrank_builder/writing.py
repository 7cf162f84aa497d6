"""Writing a Whoosh index of one segment, in id order, and reading it back."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from steadyrank_builder.document import Document
from steadyrank_builder.failures import WrittenIndexError
from steadyrank_builder.indexing import from_fields, to_fields

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
    with _reader(folder) as reader:
        _check_layout(folder, reader, count)
        for id_, digest in expected:
            document = from_fields(reader.stored_fields(number)) if number < count else None
            if document is None or document.id != id_ or document.digest != digest:
                raise WrittenIndexError(
                    f"Document {number} of {folder} reads back as "
                    f"{document.id if document else None!r} and was written as {id_!r} with other "
                    "content."
                )
            number += 1
            tick()
    if number != count:
        raise WrittenIndexError(f"{folder} was to hold {count} documents, and {number} are known.")


@contextmanager
def _reader(folder: Path) -> Iterator[Any]:
    """A reader without maps of files: Whoosh copies what it maps, and would hold it all twice."""
    from whoosh.filedb.filestore import FileStorage

    storage = FileStorage(str(folder), supports_mmap=False, readonly=True)
    reader = storage.open_index().reader()
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
