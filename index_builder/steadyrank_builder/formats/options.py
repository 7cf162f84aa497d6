"""What a reader is told and what opening a source gives back."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from steadyrank_builder.errors import ReadOptionError, listed
from steadyrank_builder.reading.ids import folded
from steadyrank_builder.records import Outcome

# The fields of a generic record, which ``mapping`` can fetch from another column or key.
GENERIC_FIELDS = (
    "id",
    "kind",
    "title",
    "text",
    "document",
    "section",
    "level",
    "heading",
    "url",
    "language",
    "tags",
    "links",
)


@dataclass(frozen=True)
class ReadOptions:
    """How to read, where the file itself does not say.

    ``format`` is a name from ``FORMATS`` and overrules detection; files inside a folder keep
    to their suffix. ``mapping`` gives generic fields another column or key
    (``{"title": "Name"}``). ``kind`` is the kind of generic records that name none,
    ``language`` the language of records that name none. ``encoding`` overrules BOM and UTF-8.

    Raises ReadOptionError for a mapping of unknown fields and for an unknown encoding.
    """

    format: str | None = None
    mapping: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    kind: str | None = None
    encoding: str | None = None
    language: str = ""

    def __post_init__(self) -> None:
        for name, column in self.mapping.items():
            if name not in GENERIC_FIELDS:
                raise ReadOptionError(
                    "mapping",
                    f"{name}={column}",
                    f"cannot map {name!r}: the fields are {listed(GENERIC_FIELDS)}",
                )
        columns = [folded(column) for column in self.mapping.values()]
        for name, column in self.mapping.items():
            if columns.count(folded(column)) > 1:
                raise ReadOptionError(
                    "mapping",
                    f"{name}={column}",
                    f"{column!r} is mapped to more than one field; map it to one of them",
                )
        if self.encoding is not None:
            try:
                "".encode(self.encoding)
                codecs.getincrementaldecoder(self.encoding)
            except (LookupError, ValueError):
                raise ReadOptionError(
                    "encoding",
                    self.encoding,
                    f"unknown text encoding {self.encoding!r}: try cp1252, utf-16 or another "
                    "name that Python knows",
                ) from None


@dataclass(frozen=True)
class Opened:
    """A source whose format is known; ``outcomes`` reads it as it is iterated, once."""

    format: str
    outcomes: Iterator[Outcome]


@dataclass(frozen=True)
class FormatInfo:
    """One format for ``steadyrank formats``: how it is known and which fields it reads."""

    name: str
    description: str
    recognised_by: str
    fields: tuple[str, ...]
    suffixes: tuple[str, ...]
