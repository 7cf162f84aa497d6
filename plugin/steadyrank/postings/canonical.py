"""One text for one set of stored fields: what stands in for an id where there is none."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from datetime import date, datetime, time
from decimal import Decimal
from typing import Any


def canonical(value: Any) -> str:
    """A text that is equal for equal values, whatever the order of dicts and sets in memory.

    Takes str, bytes, bool, int, float, Decimal, datetime, None, and lists, tuples, dicts and
    sets of them; each carries its type, so 1, 1.0, True and "1" differ. TypeError for anything
    else.
    """
    # The lengths make the text unambiguous: no value can imitate the end of another.
    tag, text = _tagged(value)
    return f"{tag}{len(text)}:{text}"


def content_hash(stored: Mapping[str, Any]) -> str:
    """A short hash that is equal for equal stored fields. TypeError as for ``canonical``."""
    text = canonical(stored).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:16]


def _tagged(value: Any) -> tuple[str, str]:
    if value is None:
        return "n", ""
    if isinstance(value, bool):
        return "b", str(int(value))
    if isinstance(value, str):
        return "s", value
    if isinstance(value, bytes):
        return "y", value.hex()
    if isinstance(value, int):
        return "i", str(value)
    if isinstance(value, float):
        return "f", value.hex()
    if isinstance(value, Decimal):
        return "c", str(value)
    if isinstance(value, datetime | date | time):
        return "t", value.isoformat()
    if isinstance(value, list | tuple):
        return "l", "".join(map(canonical, value))
    if isinstance(value, set | frozenset):
        return "e", "".join(sorted(map(canonical, value)))
    if isinstance(value, Mapping):
        pairs = sorted((canonical(key), canonical(item)) for key, item in value.items())
        return "d", "".join(key + item for key, item in pairs)
    raise TypeError(
        f"a stored {type(value).__module__}.{type(value).__qualname__} has no canonical order; "
        "name an id field, or store only text, bytes, numbers, dates and lists, dicts or sets "
        "of them"
    )
