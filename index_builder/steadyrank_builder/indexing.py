"""A document as the index's fields, and back.

Empty values are left out, so that no field gets a posting for the empty string; what is read
back is the same document, to the digest.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from steadyrank_builder.document import Document, Link, Value, canonical_json, plain

_TEXTS = ("id", "kind", "document", "title", "heading", "text", "url", "language")


def to_fields(document: Document) -> dict[str, Any]:
    """The keyword arguments for ``IndexWriter.add_document`` with a store schema.

    A tag is one line: the intake sees to that.
    """
    from steadyrank.schema import tags_text

    fields: dict[str, Any] = {name: value for name in _TEXTS if (value := getattr(document, name))}
    if document.tags:
        fields["tags"] = tags_text(document.tags)
    if document.attributes:
        fields["attributes"] = canonical_json(plain(document.attributes))
    if document.links:
        fields["links"] = canonical_json([[link.target, link.relation] for link in document.links])
    return fields


def from_fields(stored: Mapping[str, Any]) -> Document:
    """The document that ``to_fields`` was given, from the index's stored fields."""
    attributes = {}
    if text := stored.get("attributes"):
        attributes = {key: frozen(value) for key, value in json.loads(text).items()}
    links: list[list[str]] = json.loads(text) if (text := stored.get("links")) else []
    return Document(
        **{name: stored.get(name, "") for name in _TEXTS},
        tags=tuple(tags.split("\n")) if (tags := stored.get("tags")) else (),
        links=tuple(Link(target, relation) for target, relation in links),
        attributes=attributes,
    )


def frozen(value: Any) -> Value:
    """What ``json`` read as an attribute's value: tuples for lists."""
    if isinstance(value, dict):
        return {key: frozen(item) for key, item in value.items()}
    if isinstance(value, list):
        return tuple(frozen(item) for item in value)
    return value  # type: ignore[no-any-return] # what json gives besides is a scalar
