"""An outcome as one line of JSON, and back. The source's name is not in it."""

from __future__ import annotations

import json
from typing import Any

from steadyrank_builder.document import Document, Link, Origin, plain
from steadyrank_builder.indexing import frozen
from steadyrank_builder.records import Accepted, Outcome, Rejected, Skipped

_COMPACT = json.JSONEncoder(separators=(",", ":"))
_TEXTS = ("id", "kind", "title", "text", "document", "heading", "url", "language")


def line_of(outcome: Outcome) -> str:
    """One line without its end, in ASCII: a rejected record can hold what no encoding has."""
    value: dict[str, Any] = {"lines": [outcome.origin.line, outcome.origin.end_line]}
    if outcome.records != 1:
        value["records"] = outcome.records
    match outcome:
        case Accepted(document=document):
            value["document"] = _fields(document)
        case Skipped(reason=reason):
            value["skipped"] = reason
        case Rejected(code=code, message=message, raw=raw):
            value["rejected"] = [code, message, raw]
    return _COMPACT.encode(value)


def outcome_of(line: str, source: str) -> Outcome:
    """The outcome of ``source`` that ``line`` was made of."""
    value = json.loads(line)
    origin = Origin(source, *value["lines"])
    records = value.get("records", 1)
    if "document" in value:
        return Accepted(_document(value["document"]), origin, records)
    if "skipped" in value:
        return Skipped(origin, value["skipped"], records)
    code, message, raw = value["rejected"]
    return Rejected(origin, code, message, raw, records)


def _fields(document: Document) -> dict[str, Any]:
    fields: dict[str, Any] = {name: text for name in _TEXTS if (text := getattr(document, name))}
    if document.tags:
        fields["tags"] = document.tags
    if document.links:
        fields["links"] = [(link.target, link.relation) for link in document.links]
    if document.attributes:
        fields["attributes"] = plain(document.attributes)
    return fields


def _document(fields: dict[str, Any]) -> Document:
    return Document(
        **{name: fields.get(name, "") for name in _TEXTS},
        tags=tuple(fields.get("tags", ())),
        links=tuple(Link(*link) for link in fields.get("links", ())),
        attributes={name: frozen(value) for name, value in fields.get("attributes", {}).items()},
    )
