"""Documents on disk, so that memory does not grow with their number or their text."""

from __future__ import annotations

import marshal
import tempfile
from collections.abc import Mapping
from types import TracebackType
from typing import Any, Self

from steadyrank_builder.document import Document, Link, Value
from steadyrank_builder.intake.claims import Place
from steadyrank_builder.intake.ledger import Ledger


class Shelf:
    """A temporary file without a name: it is gone with the process, however that ends.

    Documents go in one after another and come out by place. ``marshal`` is used since the bytes
    never leave the process and it is the fastest that keeps tuples apart from lists. The
    ``ledger`` says whose the places are; it uses up to ``memory_mb`` megabytes.
    """

    def __init__(self, memory_mb: int = 32) -> None:
        self.ledger = Ledger(memory_mb)
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - closed by __exit__
        self._end = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._file.close()
        self.ledger.close()

    def put(self, document: Document) -> Place:
        """Keep ``document``; the place it can be had from."""
        data = marshal.dumps(
            (
                document.id, document.kind, document.title, document.text, document.document,
                document.heading, document.url, document.tags, document.language,
                tuple((link.target, link.relation) for link in document.links),
                _bare(document.attributes),
            )
        )  # fmt: skip
        place = (self._end, len(data))
        self._file.seek(self._end)
        self._file.write(data)
        self._end += len(data)
        return place

    def get(self, place: Place) -> Document:
        """The document at ``place``, equal to the one that was put there."""
        offset, length = place
        self._file.seek(offset)
        *texts, tags, language, links, attributes = marshal.loads(self._file.read(length))
        id_, kind, title, text, document, heading, url = texts
        return Document(
            id=id_, kind=kind, title=title, text=text, document=document, heading=heading,
            url=url, tags=tags, language=language, attributes=attributes,
            links=tuple(Link(target, relation) for target, relation in links),
        )  # fmt: skip


def _bare(value: Value) -> Any:
    """``value`` with plain dicts for mappings, the one thing that marshal does not know."""
    if isinstance(value, Mapping):
        return {key: _bare(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return tuple(_bare(item) for item in value)
    return value
