"""The logical digest of an index: equal digests mean equal ids, stored fields and postings.

Whoosh's files have random names and times inside, so their hashes differ between two builds of
the same material. Walking all postings would cost about a fifth of the writing time, and can be
had only after it. Neither is needed, because of what a build is:

- The documents go in sorted by id, by one process, into one segment. So what the index holds is
  a function of the set of documents and of how a document becomes fields and postings.
- A document's own digest covers every field that is written (``Document.digest``), and the
  stored fields are read back and compared with it before anything is published.
- How fields become postings is fixed by the analyzers with the Unicode tables they ask, which
  ``steadyrank.analysis.describe`` tells in full, and by the mapping of indexing.py and the
  schema, which ``RECIPE`` numbers: whoever changes one of them so that other postings come out
  must count it up. (A test walks all postings of a small index and pins their hash, on every
  Whoosh distribution, and so fails when the number was forgotten.)

So the digest is known before a byte is written, which is how unchanged material costs no
writing at all. It errs on one side only: another Python can have other Unicode tables and thus
another digest, though not one posting differs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from steadyrank_builder.document import canonical_json

RECIPE = 1


def logical_digest(analyzer: Mapping[str, Any], documents: Iterable[tuple[str, str]]) -> str:
    """``sha256:<hex>`` over the analyzer's description and (id, digest) pairs in id order.

    ValueError where the ids do not ascend strictly: a digest over them would depend on order.
    """
    whole = hashlib.sha256(canonical_json({"recipe": RECIPE, "analyzer": analyzer}).encode())
    previous: str | None = None
    for id_, digest in documents:
        if previous is not None and id_ <= previous:
            raise ValueError(f"ids do not ascend: {id_!r} after {previous!r}")
        previous = id_
        # JSON's quotes delimit the id, and its own newline is escaped, so no two lists of
        # pairs have the same text.
        whole.update(f"\n{canonical_json(id_)}{digest}".encode())
    return f"sha256:{whole.hexdigest()}"


def describe_schema(schema: Any) -> dict[str, Any]:
    """What decides how fields become postings: each field's settings and analyzer."""
    return {name: _describe_field(field) for name, field in sorted(schema.items())}


def _describe_field(field: Any) -> dict[str, Any]:
    from steadyrank.analysis import describe

    return {
        "type": type(field).__name__,
        "format": type(field.format).__name__ if field.format else None,
        "indexed": bool(field.indexed),
        "stored": bool(field.stored),
        "scorable": bool(field.scorable),
        "unique": bool(field.unique),
        "column": type(field.column_type).__name__ if field.column_type else None,
        "vector": type(field.vector).__name__ if field.vector else None,
        "analyzer": describe(field.analyzer) if field.analyzer else None,
    }
