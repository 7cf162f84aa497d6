"""Conditions on fields and attributes (``where``)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steadyrank.answering.reading import Reading
from steadyrank.postings.decode import Docs
from steadyrank.scoring.hits import among, union_docs

# Fields with postings of whole values, and fields that are only stored.
_EXACT = ("id", "kind", "document", "language")
_STORED = ("title", "heading", "url", "tags")


class Where:
    """All conditions must hold: each names a field or an attribute and the values it may have.

    A value, or a list of values one of which is enough; a callable decides itself. None is for
    documents without the field or attribute. An attribute that is a list has a value when one of
    its elements is that. Numbers and truth values also equal the texts they are written as
    ("12", "true"); a number is never a truth value.
    """

    def __init__(self, conditions: Mapping[str, Any]) -> None:
        self._conditions = {
            name: wanted if callable(wanted) else _listed(wanted)
            for name, wanted in conditions.items()
        }

    def __bool__(self) -> bool:
        return bool(self._conditions)

    def passing(self, reading: Reading, docs: Docs) -> NDArray[np.bool_]:
        """For each of the (ascending) documents whether all conditions hold."""
        keep = np.ones(docs.size, np.bool_)
        for name, wanted in self._conditions.items():
            if name in _EXACT and not callable(wanted) and None not in wanted:
                keep &= among(docs, _having(reading, name, wanted))
            elif name in (*_EXACT, *_STORED):
                keep &= _of_fields(reading, name, docs, wanted)
            else:
                keep &= _of_attributes(reading, name, docs, wanted)
        return keep


def _listed(wanted: Any) -> list[Any]:
    return list(wanted) if isinstance(wanted, list | tuple | set | frozenset) else [wanted]


def _having(reading: Reading, field: str, values: list[Any]) -> Docs:
    terms = [_written(value).encode("utf-8", "surrogatepass") for value in values]
    return union_docs([reading.view.postings(field, term).docs for term in terms])


def _of_fields(reading: Reading, name: str, docs: Docs, wanted: Any) -> NDArray[np.bool_]:
    passing = np.zeros(docs.size, np.bool_)
    for segment, start, stop, offset in reading.view.split(docs):
        read = segment.values(name)
        values = [read(doc) or None for doc in (docs[start:stop] - offset).tolist()]
        if name == "tags":
            values = [value.split("\n") if value else None for value in values]
        passing[start:stop] = [_holds(value, wanted) for value in values]
    return passing


def _of_attributes(reading: Reading, name: str, docs: Docs, wanted: Any) -> NDArray[np.bool_]:
    # Each distinct value is judged once: 100,000 documents have few stocks and tenants.
    passing = np.zeros(docs.size, np.bool_)
    start = 0
    for number, (segment, offset) in enumerate(reading.view.segments):
        stop = int(np.searchsorted(docs, offset + segment.size))
        if stop > start:
            own = docs[start:stop] - offset
            coded = reading.attributes(number, name, own.size)
            if coded is None:
                read = segment.values("attributes")
                values = [json.loads(read(doc) or "{}").get(name) for doc in own.tolist()]
                passing[start:stop] = [_holds(value, wanted) for value in values]
            else:
                codes, values = coded
                holds = np.zeros(len(values), np.bool_)
                for code in np.unique(codes[own]).tolist():
                    holds[code] = _holds(values[code], wanted)
                passing[start:stop] = holds[codes[own]]
        start = stop
    return passing


def _holds(value: Any, wanted: Any) -> bool:
    if callable(wanted):
        return bool(wanted(value))
    values = value if isinstance(value, list) else [value]
    return any(_equal(one, other) for one in values for other in wanted)


def _equal(value: Any, wanted: Any) -> bool:
    if value is None or wanted is None:
        return value is wanted
    if isinstance(value, bool) != isinstance(wanted, bool):
        return bool(_written(value) == wanted or value == _written(wanted))
    return bool(value == wanted) or _written(value) == _written(wanted)


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
