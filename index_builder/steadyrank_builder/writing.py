"""Writing a Whoosh index of one segment, in id order, and reading it back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
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

    spoken = bool(getattr(schema["text"].analyzer, "others", ()))
    writer = create_in(str(folder), schema).writer(procs=1, limitmb=memory_mb)
    try:
        for document in documents:
            fields = to_fields(document, spoken=True) if spoken else to_fields(document)
            writer.add_document(**fields)
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
    from whoosh.index import open_dir

    reader = open_dir(str(folder), readonly=True).reader()
    try:
        found = reader.doc_count_all()
        if found != count or reader.doc_count() != count or not reader.is_atomic():
            raise WrittenIndexError(
                f"{count} documents were written to {folder} and {found} are there in "
                f"{len(reader.leaf_readers())} segments."
            )
        for number, (id_, digest) in enumerate(expected):
            document = from_fields(reader.stored_fields(number))
            if document.id != id_ or document.digest != digest:
                raise WrittenIndexError(
                    f"Document {number} of {folder} reads back as {document.id!r} and was "
                    f"written as {id_!r} with other content."
                )
            tick()
    finally:
        reader.close()
