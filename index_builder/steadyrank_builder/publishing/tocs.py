"""Reading and writing Whoosh's TOC files, the one part of its commit that we do ourselves."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from steadyrank_builder.publishing import layout


def read_toc(folder: Path) -> Any:
    """The ``whoosh.index.TOC`` of the newest generation in ``folder``. Unpickles its schema."""
    from whoosh.filedb.filestore import FileStorage
    from whoosh.index import TOC

    return TOC.read(FileStorage(str(folder)), layout.INDEX_NAME)


def segment_ids(folder: Path, generation: int) -> set[str]:
    """The segments that ``generation`` is made of.

    The schema is not unpickled, so that an index whose analyzers cannot be imported here can
    be looked at too.
    """
    from whoosh.fields import ID, Schema
    from whoosh.filedb.filestore import FileStorage
    from whoosh.index import TOC

    toc = TOC.read(
        FileStorage(str(folder)), layout.INDEX_NAME, gen=generation, schema=Schema(unused=ID())
    )
    return {str(segment.segment_id()) for segment in toc.segments}


def write_toc(folder: Path, schema: Any, segments: list[Any], generation: int) -> Path:
    """Write the TOC of ``generation`` into ``folder`` and return its path."""
    from whoosh.filedb.filestore import FileStorage
    from whoosh.index import TOC

    TOC(schema, segments, generation).write(FileStorage(str(folder)), layout.INDEX_NAME)
    return folder / layout.toc_name(generation)
