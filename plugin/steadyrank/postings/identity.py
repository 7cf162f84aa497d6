"""What settles a tie: each record's id, its document, its route, read only when asked for."""

from __future__ import annotations

import hashlib
import warnings
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, date, datetime, time
from decimal import Decimal
from functools import total_ordering
from typing import Any

import numpy as np

from steadyrank.errors import IdFieldError, PolicyError, SteadyRankWarning
from steadyrank.order import Natural, Policy, natural_key
from steadyrank.postings.by_id import lowest_ids
from steadyrank.postings.canonical import canonical
from steadyrank.postings.decode import Docs
from steadyrank.postings.index_view import IndexView

# Kinds of key values, in the order in which they sort among each other. A record without an id
# comes after all that have one.
_NUMBER, _TIME, _TEXT, _BYTES, _OTHER, _MISSING = range(6)

Key = tuple[Any, ...]


class Identity:
    """Reads ids, documents and routes of a reader's records as comparable keys."""

    def __init__(self, view: IndexView, policy: Policy) -> None:
        self._view = view
        self._policy = policy
        self._warned = False
        check_fields(view.reader.schema, policy)

    def keys(self, docs: Docs) -> list[Key]:
        """One comparable key per document: the tie-break keys, then the id; no two are equal.

        Records without an id, or that share one, are told apart by all their stored fields in a
        canonical form, with a warning that names them. Two whose stored fields are identical
        too are interchangeable to the caller and may compare as equal.
        """
        numbers = docs.tolist()
        field = self._policy.id_field
        if field is None:
            bases: list[Key] = [(_MISSING, self._content(doc)) for doc in numbers]
        else:
            values = self._values(field, docs)
            if not self._policy.tiebreak and _distinct_texts(values):
                return [((_TEXT, value),) for value in values]
            bases = [
                (_MISSING, self._content(doc)) if value in (None, "") else typed(value)
                for doc, value in zip(numbers, values, strict=True)
            ]
            counts = Counter(bases)
            twice = {base for base, count in counts.items() if count > 1 or base[0] == _MISSING}
            if twice:
                self._warn(field, twice)
                bases = [
                    (*base, self._content(doc)) if base in twice else base
                    for doc, base in zip(numbers, bases, strict=True)
                ]
        tiebreaks = [self._tiebreak(key, docs) for key in self._policy.tiebreak]
        return [
            (*(values[place] for values in tiebreaks), base) for place, base in enumerate(bases)
        ]

    def plain(self, docs: Docs) -> list[str] | None:
        """The ids where each is a text of its own and nothing comes before it in a key: the
        order of the keys is then that of these. None elsewhere.
        """
        if self._policy.id_field is None or self._policy.tiebreak:
            return None
        values = self._values(self._policy.id_field, docs)
        return values if _distinct_texts(values) else None

    def texts(self, docs: Docs) -> list[str]:
        """Each record's id as :func:`record_id` gives it."""
        field = self._policy.id_field
        if field is None:
            return [record_id(self._view, None, doc) for doc in docs.tolist()]
        return [
            value if type(value) is str and value else record_id(self._view, field, doc)
            for value, doc in zip(self._values(field, docs), docs.tolist(), strict=True)
        ]

    def lowest(self, docs: Docs, count: int) -> Docs | None:
        """The ``count`` of the (ascending) documents whose keys are lowest, in any order.

        None where that cannot be told sooner than from all their keys.
        """
        if self._policy.id_field is None or self._policy.tiebreak:
            return None
        return lowest_ids(self._view, self._policy.id_field, docs, count)

    def documents(self, docs: Docs, keys: list[Key]) -> list[Key]:
        """One key per record that is equal for the records of one document (its own without)."""
        field = self._policy.document_field
        if field is None:
            return keys
        return [
            key if value in (None, "") else (*key[:-1], typed(value))
            for value, key in zip(self._values(field, docs), keys, strict=True)
        ]

    def routes(self, docs: Docs) -> Docs | None:
        """The route of each document, None where all have the same."""
        route = self._policy.route
        if route is None:
            return None
        if isinstance(route, str):
            values: Iterable[Any] = self._values(route, docs)
        else:
            stored = self._view.reader.stored_fields
            values = (route(stored(doc)) for doc in docs.tolist())
        try:
            return np.fromiter((_integer(value) for value in values), np.int64, docs.size)
        except TypeError as error:
            raise PolicyError(f"route: {error}; a route is an integer") from None

    def _warn(self, field: str, bases: set[Key]) -> None:
        if self._warned:
            return
        self._warned = True
        ids = sorted(str(base[1]) for base in bases if base[0] != _MISSING)
        if ids:
            shown = ", ".join(map(repr, ids[:5])) + (", ..." if len(ids) > 5 else "")
            what = f"records share an id in field {field!r} ({shown})"
        else:
            what = f"records have no id in field {field!r}"
        warnings.warn(
            f"{what}: their ties are settled by all their stored fields; "
            "give each record an id of its own",
            SteadyRankWarning,
            stacklevel=2,
        )

    def _content(self, doc: int) -> str:
        return canonical(self._view.reader.stored_fields(doc))

    def _tiebreak(self, key: str | Natural, docs: Docs) -> list[Any]:
        # A record without a value comes last, ascending or descending.
        descending = key.descending if isinstance(key, Natural) else key.startswith("-")

        def ranked(value: Any) -> tuple[Any, ...]:
            if value is None:
                return (1,)
            own = (_TEXT, natural_key(str(value))) if isinstance(key, Natural) else typed(value)
            return (0, Descending(own) if descending else own)

        return [ranked(value) for value in self._values(_field_of(key), docs)]

    def _values(self, field: str, docs: Docs) -> list[Any]:
        # Documents in any order; a column costs 1 to 2 us a value, a stored field 4 to 20.
        found: list[Any] = [None] * docs.size
        order = np.argsort(docs, kind="stable")
        ascending = docs[order]
        for segment, start, stop, offset in self._view.split(ascending):
            places = order[start:stop].tolist()
            numbers = (ascending[start:stop] - offset).tolist()
            read = segment.values(field)
            for place, number in zip(places, numbers, strict=True):
                found[place] = read(number)
        return found


def check_fields(schema: Any, policy: Policy) -> None:
    """IdFieldError for a field of the policy that the index lacks, or whose values it lacks."""
    for role, field in (
        ("id_field", policy.id_field),
        ("document_field", policy.document_field),
        *(("tiebreak", _field_of(key)) for key in policy.tiebreak),
        ("route", policy.route if isinstance(policy.route, str) else None),
    ):
        if field is not None:
            _check_field(schema, role, field)


def _check_field(schema: Any, role: str, field: str) -> None:
    if field not in schema:
        raise IdFieldError(
            f"{role}={field!r}: the index has no such field (it has: "
            f"{', '.join(schema.names()) or 'none'}); name one of these"
            + (", or id_field=None to compare all stored fields" if role == "id_field" else ""),
            field=field,
        )
    if not (schema[field].stored or schema[field].column_type):
        raise IdFieldError(
            f"{role}={field!r} is neither stored nor sortable, so its values cannot be read; "
            "name another field or store this one",
            field=field,
        )


@total_ordering
class Descending:
    """A key that compares the other way round."""

    __slots__ = ("key",)

    def __init__(self, key: Any) -> None:
        self.key = key

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Descending) and bool(self.key == other.key)

    def __lt__(self, other: Descending) -> bool:
        return bool(other.key < self.key)

    def __hash__(self) -> int:
        return hash((Descending, self.key))


def record_id(view: IndexView, field: str | None, doc: int) -> str:
    """A record's id as text, to show or log.

    A record without one is called by the start of the SHA-256 of its stored fields, which says
    the same of it in every layout.
    """
    value = None if field is None else view.value(field, doc)
    if value in (None, ""):
        content = canonical(view.reader.stored_fields(doc))
        return f"content:{hashlib.sha256(content.encode()).hexdigest()[:16]}"
    return value if isinstance(value, str) else str(value)


def typed(value: Any) -> Key:
    """The value with its kind in front, so that values of different kinds compare at all.

    Numbers compare as numbers and come first, then dates and times, then text by code point.
    """
    if isinstance(value, bool | int | float | Decimal) and value == value:  # NaN has no place
        return (_NUMBER, value)
    if isinstance(value, datetime):
        moment = value.astimezone(UTC) if value.tzinfo else value
        return (_TIME, moment.isoformat(timespec="microseconds"))
    if isinstance(value, date | time):
        return (_TIME, value.isoformat())
    if isinstance(value, str):
        return (_TEXT, value)
    if isinstance(value, bytes):
        return (_BYTES, value)
    return (_OTHER, canonical(value))


def _distinct_texts(values: list[Any]) -> bool:
    # What ids are nearly always; nothing more needs to be asked of them then.
    return set(map(type, values)) == {str} and "" not in values and len(set(values)) == len(values)


def _field_of(key: str | Natural) -> str:
    return key.field if isinstance(key, Natural) else key.removeprefix("-")


def _integer(value: Any) -> int:
    if isinstance(value, int | np.integer):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    raise TypeError(f"got {value!r}")
