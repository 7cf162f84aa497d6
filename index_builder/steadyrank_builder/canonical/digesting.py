"""A digest over all that a search can see, which a change of layout does not change."""

from __future__ import annotations

import hashlib
import pickle
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from steadyrank_builder.canonical.content import Content, Record
from steadyrank_builder.document import canonical_json

_POSTING = struct.Struct("<qd")
# Counted up when the digest is made otherwise.
_RECIPE = 1


@dataclass(frozen=True, slots=True)
class Digests:
    """``documents`` has the SHA-256 (hex) of what each id stores; ``whole`` covers all of it."""

    documents: dict[str, str]
    whole: str


def digests(content: Content, analyzer: Mapping[str, Any]) -> Digests:
    """Go through all of ``content``. ``analyzer`` describes its schema."""
    whole = hashlib.sha256(canonical_json({"canonical": _RECIPE, "analyzer": analyzer}).encode())
    documents = {}
    for record in content.records():
        documents[record.id] = digest = _of_record(record)
        whole.update(f"\n{canonical_json(record.id)}{digest}".encode("utf-8", "surrogatepass"))
    for name, text, postings in content.terms():
        whole.update(f"\n{canonical_json(name)}{len(text)}:".encode() + text)
        for number, weight, value in postings:
            whole.update(_POSTING.pack(number, weight) + struct.pack("<q", len(value)) + value)
    return Digests(documents, f"sha256:{whole.hexdigest()}")


def _of_record(record: Record) -> str:
    parts = [record.stored, record.lengths, record.columns, record.vectors]
    return hashlib.sha256("".join(map(_text, parts)).encode("utf-8", "surrogatepass")).hexdigest()


def _text(value: Any) -> str:
    from steadyrank.postings.canonical import canonical

    try:
        return canonical(value)
    except TypeError:
        # A class of the index's owner: its pickle is the same every time it is read and written.
        if isinstance(value, Mapping):
            items = sorted(value.items())
            return "D" + "".join(f"{canonical(key)}{_text(item)}" for key, item in items)
        return f"p{pickle.dumps(value, 4).hex()}"
