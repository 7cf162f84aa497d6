"""Conditions on fields and attributes (``where``)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steadyrank.postings import IndexView
from steadyrank.postings.decode import Docs
from steadyrank.scoring.hits import among, union_docs

# Fields with postings of whole values.
_EXACT = ("id", "kind", "document", "language")


class Where:
    """All conditions must hold: each names a field or an attribute and the values it may have.

    A value, or a list of values one of which is enough; a callable decides itself. An attribute
    that is a list has a value when one of its elements is that. Numbers and truth values also
    equal the texts they are written as ("12", "true").
    """

    def __init__(self, conditions: Mapping[str, Any]) -> None:
        self._conditions = dict(conditions)

    def passing(self, view: IndexView, docs: Docs) -> NDArray[np.bool_]:
        """For each of the (ascending) documents whether all conditions hold."""
        keep = np.ones(docs.size, np.bool_)
        for name, wanted in self._conditions.items():
            if name in _EXACT and not callable(wanted):
                keep &= among(docs, _having(view, name, _listed(wanted)))
            else:
                left = np.flatnonzero(keep)
                keep[left] = [_holds(value, wanted) for value in _values(view, name, docs[left])]
        return keep


def _listed(wanted: Any) -> list[Any]:
    return list(wanted) if isinstance(wanted, list | tuple | set | frozenset) else [wanted]


def _having(view: IndexView, field: str, values: list[Any]) -> Docs:
    return union_docs(
        [view.postings(field, str(value).encode("utf-8", "surrogatepass")).docs for value in values]
    )


def _values(view: IndexView, name: str, docs: Docs) -> list[Any]:
    found: list[Any] = []
    for segment, start, stop, offset in view.split(docs):
        numbers = (docs[start:stop] - offset).tolist()
        if name in (*_EXACT, "title", "heading", "url", "tags"):
            read = segment.values(name, len(numbers))
            values = [read(number) for number in numbers]
            found += [v.split("\n") if name == "tags" and v else v for v in values]
        else:
            read = segment.values("attributes", len(numbers))
            found += [json.loads(read(number) or "{}").get(name) for number in numbers]
    return found


def _holds(value: Any, wanted: Any) -> bool:
    if callable(wanted):
        return bool(wanted(value))
    values = value if isinstance(value, list) else [value]
    return any(_equal(one, other) for one in values for other in _listed(wanted))


def _equal(value: Any, wanted: Any) -> bool:
    if value is None or wanted is None:
        return value is wanted
    return bool(value == wanted) or _written(value) == _written(wanted)


def _written(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
