"""Reading and writing Whoosh's TOC files, the one part of its commit that we do ourselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from steadyrank_builder.publishing import layout


def read_toc(folder: Path, generation: int | None = None) -> Any:
    """The ``whoosh.index.TOC`` of a generation in ``folder``, by default of the newest.

    Unpickles its schema.
    """
    from whoosh.filedb.filestore import FileStorage
    from whoosh.index import TOC

    return TOC.read(FileStorage(str(folder)), layout.INDEX_NAME, gen=generation)


def segment_ids(folder: Path, generation: int) -> set[str]:
    """The segments that ``generation`` is made of.

    The schema is not unpickled, so that an index whose analyzers cannot be imported here can
    be looked at too.
    """
    return {str(segment.segment_id()) for segment in _segments(folder, generation)}


def document_count(folder: Path, generation: int) -> int:
    """How many live documents ``generation`` has, by its TOC. The schema is not unpickled."""
    return sum(segment.doc_count() for segment in _segments(folder, generation))


def _segments(folder: Path, generation: int) -> Any:
    from whoosh.fields import ID, Schema
    from whoosh.filedb.filestore import FileStorage
    from whoosh.index import TOC

    unused = Schema(unused=ID())
    storage = FileStorage(str(folder))
    return TOC.read(storage, layout.INDEX_NAME, gen=generation, schema=unused).segments


def write_toc(folder: Path, schema: Any, segments: list[Any], generation: int) -> Path:
    """Write the TOC of ``generation`` into ``folder`` and return its path."""
    from whoosh.filedb.filestore import FileStorage
    from whoosh.index import TOC

    TOC(schema, segments, generation).write(FileStorage(str(folder)), layout.INDEX_NAME)
    return folder / layout.toc_name(generation)
