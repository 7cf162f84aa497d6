"""A shopper's words as a query: words, never syntax."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping

from steadyrank.errors import PolicyError
from steadyrank.whoosh_support import require_whoosh

require_whoosh()

from whoosh.fields import BOOLEAN, NUMERIC, FieldType, Schema  # noqa: E402 - after the check
from whoosh.query import NullQuery, Or, Query, Term  # noqa: E402


def words_query(text: str, schema: Schema, fields: Mapping[str, float]) -> Query:
    """The documents that have any of the words of ``text`` in any of the fields.

    An Or of terms: for each field, in the mapping's order, the distinct terms that the field's
    own analyzer makes of the text, in order of first occurrence, boosted by the field's weight.
    Tokens that share a position all count. A field without an analyzer, or whose values are not
    text (numbers, dates), takes the whole text as one exact value, and has no term when the text
    is no such value. No character has a meaning beyond what the analyzer gives it, whatever the
    text. NullQuery when there is no term at all.

    Raises PolicyError for no fields, a field that is not in the schema or not indexed, or a
    weight that is not a finite positive number; nothing else, whatever the text.
    """
    terms = [
        Term(name, term, boost=weight)
        for name, (field, weight) in searchable(schema, fields).items()
        for term in field_terms(field, text)
    ]
    return Or(terms) if terms else NullQuery


def searchable(schema: Schema, fields: Mapping[str, float]) -> dict[str, tuple[FieldType, float]]:
    """The named fields and their weights. PolicyError as for :func:`words_query`."""
    if not fields:
        raise PolicyError("no fields to search: name at least one field and its weight")
    if not isinstance(fields, Mapping):
        raise PolicyError(f"fields are names with a weight each, as {{'title': 1.5}}: {fields!r}")
    found = {}
    for name, weight in fields.items():
        if not _is_weight(weight):
            raise PolicyError(
                f"field {name!r} has weight {weight!r}: use a finite number above 0, "
                "or leave the field out"
            )
        if name not in schema:
            raise PolicyError(
                f"no field {name!r} in the index: it has {', '.join(sorted(schema.names()))}"
            )
        field = schema[name]
        if not (field.indexed and field.format):
            raise PolicyError(f"field {name!r} is stored but not indexed: it cannot be searched")
        found[name] = (field, float(weight))
    return found


def _is_weight(weight: float) -> bool:
    try:
        return math.isfinite(weight) and weight > 0
    except (TypeError, OverflowError):  # no number, or an integer that no double reaches
        return False


def field_terms(field: FieldType, text: str) -> list[str | bytes]:
    """The terms that the field makes of a text: distinct, not empty, in order of first
    occurrence; only what an index can hold.
    """
    return [term for term in dict.fromkeys(_analysed(field, text)) if term and _encodable(term)]


def _analysed(field: FieldType, text: str) -> Iterable[str | bytes]:
    if isinstance(field, BOOLEAN):
        # It would take every word that is not "true" for false.
        value = text.strip().lower()
        return [field.to_bytes(value)] if value in field.trues | field.falses else []
    if field.analyzer is None or isinstance(field, NUMERIC):  # dates are a kind of NUMERIC
        return _exact(field, text)
    # An analyzer of several languages has a reading of the words for each.
    readings = getattr(field.analyzer, "readings", (field.analyzer,))
    return [
        token.text
        for reading in readings
        for token in reading(text, mode="query")
        if not token.stopped
    ]


def _exact(field: FieldType, text: str) -> list[str | bytes]:
    value = text.strip()
    if not value:
        return []
    try:
        return [field.to_bytes(value)]
    except Exception:
        # Not a value of this field, so nothing in it can match. Whoosh raises a bare Exception
        # for a date that it cannot read, among much else.
        return []


def _encodable(term: str | bytes) -> bool:
    """Lone surrogates (from a badly decoded command line) are in no index."""
    if isinstance(term, bytes):
        return True
    try:
        term.encode()
    except UnicodeEncodeError:
        return False
    return True
