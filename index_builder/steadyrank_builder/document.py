"""The two things a build is about: a document, and the place in the material it came from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import MappingProxyType

# What an attribute may hold: what JSON can carry without loss.
Scalar = str | int | float | bool | None
Value = Scalar | tuple["Value", ...] | Mapping[str, "Value"]

_NOTHING: Mapping[str, Value] = MappingProxyType({})
# Kept, as ``json.dumps`` would make a new one for each of several texts a document.
_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True, order=True)
class Origin:
    """Where a record stands: the source's path as the report shows it, first and last line.

    Lines count from 1; a file that has no lines to speak of (one JSON array on one line) uses
    the line its record starts on. ``end_line`` is inclusive.
    """

    source: str
    line: int
    end_line: int

    def __str__(self) -> str:
        lines = f"{self.line}" if self.end_line <= self.line else f"{self.line}-{self.end_line}"
        return f"{self.source}:{lines}"


@dataclass(frozen=True)
class Link:
    """A reference found in a document: its target as written resolved to an id, where it can be.

    ``target`` is a document id (``page:returns#refunds``) or a URL; ``relation`` says why
    (``related`` unless the material states one).
    """

    target: str
    relation: str = "related"


@dataclass(frozen=True)
class Document:
    """One piece of the store's material, as it goes into the index.

    ``id`` is unique in the index; ``document`` is the id of the page or product that it is a
    part of (its own id where it is whole). ``text`` is plain text. ``attributes`` holds what
    the format carries beyond these, JSON-like and never interpreted by us.
    """

    id: str
    kind: str
    title: str
    text: str
    document: str = ""
    heading: str = ""
    url: str = ""
    tags: tuple[str, ...] = ()
    language: str = ""
    links: tuple[Link, ...] = ()
    attributes: Mapping[str, Value] = field(default_factory=lambda: _NOTHING)

    def __post_init__(self) -> None:
        if not self.document:
            object.__setattr__(self, "document", self.id)

    @cached_property
    def digest(self) -> str:
        """SHA-256 (hex) over everything above in one canonical JSON form."""
        content = {
            "id": self.id,
            "kind": self.kind,
            "title": self.title,
            "text": self.text,
            "document": self.document,
            "heading": self.heading,
            "url": self.url,
            "tags": self.tags,
            "language": self.language,
            "links": [(link.target, link.relation) for link in self.links],
            "attributes": plain(self.attributes),
        }
        return hashlib.sha256(canonical_json(content).encode()).hexdigest()


def plain(value: Value) -> object:
    """The same value in lists and dicts, which is what ``json`` writes."""
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value


def canonical_json(value: object) -> str:
    """One text for one value: keys sorted by code point, no spaces, no escapes but JSON's own."""
    return _CANONICAL.encode(value)
