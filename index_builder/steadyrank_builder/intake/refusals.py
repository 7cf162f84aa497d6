"""What no document may have, whichever reader it comes from."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping

from steadyrank_builder.document import Document, Value, plain


def refusal(document: Document) -> tuple[str, str] | None:
    """The code and message to reject ``document`` with, None where it is fine.

    Readers have checks of their own with better places; this is the gate that they all pass,
    because what it stops would break the order or the digest.
    """
    if not document.id.strip():
        return "empty-id", "The id is empty, and without an id a record has no place in an order."
    try:
        document.digest.encode()
    except UnicodeEncodeError as error:
        return (
            "lone-surrogate",
            f"Half of a surrogate pair ({error.object[error.start]!a}) is no character: it has "
            "no place in an order by code point. Export the file again as UTF-8.",
        )
    except (TypeError, ValueError) as error:
        return "bad-attribute", f"An attribute is nothing that JSON can carry: {error}."
    if not _finite(document.attributes):
        return "bad-attribute", "An attribute is NaN or infinite, which JSON cannot carry."
    return None


def as_record(document: Document) -> str:
    """``document`` as a record of generic JSONL, so that a reject can be mended and read again.

    Escaped to ASCII, since what is wrong with it may be a character.
    """
    record = {
        "id": document.id,
        "kind": document.kind,
        "document": document.document,
        "title": document.title,
        "heading": document.heading,
        "text": document.text,
        "url": document.url,
        "tags": list(document.tags),
        "language": document.language,
        "links": [link.target for link in document.links],
    }
    kept = {key: value for key, value in record.items() if value}
    return json.dumps({**_dict(document.attributes), **kept}, sort_keys=True, default=str)


def _dict(attributes: Mapping[str, Value]) -> dict[str, object]:
    return {key: plain(value) for key, value in attributes.items()}


def _finite(value: Value) -> bool:
    if isinstance(value, float):
        return math.isfinite(value)
    if isinstance(value, Mapping):
        return all(map(_finite, value.values()))
    if isinstance(value, tuple):
        return all(map(_finite, value))
    return True
