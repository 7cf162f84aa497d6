"""What a reader is told and what opening a source gives back."""

from __future__ import annotations

import codecs
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from steadyrank_builder.errors import ReadOptionError, listed
from steadyrank_builder.material.source import NO_SETTINGS, SourceSettings
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
    ``language`` the language of records that name none, ``language_of`` the column, key or
    setting that names it where that has another name. ``encoding`` overrules BOM and UTF-8.

    Raises ReadOptionError for a mapping of unknown fields and for an unknown encoding.
    """

    format: str | None = None
    mapping: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    kind: str | None = None
    encoding: str | None = None
    language: str = ""
    language_of: str = ""

    def __post_init__(self) -> None:
        for name, column in self.mapping.items():
            if name not in GENERIC_FIELDS:
                raise ReadOptionError(
                    "mapping",
                    f"{name}={column}",
                    f"cannot map {name!r}: the fields are {listed(GENERIC_FIELDS)}",
                )
        if self.language_of and "language" in self.mapping:
            raise ReadOptionError(
                "language_of",
                self.language_of,
                f"the language is mapped to {self.mapping['language']!r} already; give one of "
                "the two",
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

    @property
    def language_names(self) -> tuple[str, ...]:
        """The folded names that a record's language may stand under, best first."""
        if self.language_of:
            return (folded(self.language_of),)
        if "language" in self.mapping:
            return (folded(self.mapping["language"]),)
        return ("language", "lang", "locale")

    def within(self, settings: SourceSettings) -> ReadOptions:
        """These options for a file that settings beside it speak of; these win.

        Raises ReadOptionError, which names the settings' place, for what they cannot say.
        """
        if settings == NO_SETTINGS or settings.excluded:
            return self
        try:
            return ReadOptions(
                format=self.format or settings.format or None,
                mapping={**settings.mapping, **self.mapping},
                kind=self.kind or settings.kind or None,
                encoding=self.encoding or settings.encoding or None,
                language=settings.language or self.language,
                language_of=self.language_of or settings.language_of,
            )
        except ReadOptionError as error:
            raise ReadOptionError(
                error.option, error.value, f"{settings.place}: {error.option}: {error}"
            ) from None


@dataclass(frozen=True)
class Opened:
    """A source whose format is known; ``outcomes`` reads it as it is iterated, once."""

    format: str
    outcomes: Iterator[Outcome]


@dataclass(frozen=True)
class FormatInfo:
    """One format for ``steadyrank formats``: how it is known and which fields it reads.

    ``containers`` are what a file of it is made of (see ``protocol.CONTAINERS``), ``keys`` the
    keys of a JSON or YAML file, joined by dots, under which its list of records may stand; an
    empty one is a list that is the whole file.
    """

    name: str
    description: str
    recognised_by: str
    fields: tuple[str, ...]
    suffixes: tuple[str, ...]
    containers: tuple[str, ...]
    keys: tuple[str, ...] = ("",)
