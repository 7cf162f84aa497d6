"""The order once more, slowly and straight from its definition, and strategies to test it with.

Nothing here calls steadyrank but :func:`candidates`, which hands it the same items. Ids compare
as lists of code points, and differences are exact rationals rounded once, so neither the string
comparison nor the subtraction of the implementation is taken for granted.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import strategies as st

from steadyrank import Candidate

_GUIDANCE = Path(__file__).resolve().parents[1] / "../shared/data/guidance/orders.json"
UNROUTED = 1_000_000
"""The route of guidance candidates that have none: after all others."""


class Item(NamedTuple):
    """One record to be ordered, in plain values; ``document`` is always given."""

    id: str
    score: float
    document: str
    route: int = 0


def candidates(items: Sequence[Item]) -> list[Candidate]:
    return [Candidate(*item) for item in items]


def ids_of(ranked: Sequence[Candidate]) -> list[str]:
    return [candidate.id for candidate in ranked]


def points(text: str) -> list[int]:
    """The text as its code points."""
    return [ord(character) for character in text]


def distance(leader: float, score: float) -> float:
    """The exact difference, rounded to a double once."""
    return float(Fraction(leader) - Fraction(score))


def before(a: Item, b: Item) -> bool:
    """Whether a comes before b without a gap: smaller route, higher score, smaller id."""
    if a.route != b.route:
        return a.route < b.route
    if a.score != b.score:
        return a.score > b.score
    return points(a.id) < points(b.id)


def before_in_band(a: Item, b: Item) -> bool:
    """Whether a comes before b in one band: smaller document, higher score, smaller id."""
    if a.document != b.document:
        return points(a.document) < points(b.document)
    if a.score != b.score:
        return a.score > b.score
    return points(a.id) < points(b.id)


def in_order(items: Sequence[Item], precedes: Callable[[Item, Item], bool] = before) -> list[Item]:
    """Each item at the place that counts how many come before it: no sorting at all."""
    places: list[Item | None] = [None] * len(items)
    for item in items:
        place = sum(1 for other in items if precedes(other, item))
        assert places[place] is None, "two records share a place, so this is no total order"
        places[place] = item
    return [item for item in places if item is not None]


def expected_bands(items: Sequence[Item], gap: float) -> list[list[Item]]:
    """The bands, best first: each its leader, and then all its members in their final order."""
    waiting = in_order(items)
    found = []
    while waiting:
        leader = waiting[0]
        inside = 0
        while (
            inside < len(waiting)
            and waiting[inside].route == leader.route
            and distance(leader.score, waiting[inside].score) <= gap
        ):
            inside += 1
        found.append([leader, *in_order(waiting[:inside], before_in_band)])
        waiting = waiting[inside:]
    return found


def expected_order(items: Sequence[Item], gap: float) -> list[Item]:
    """The whole ranking."""
    if gap == 0:
        return in_order(items)
    return [member for _, *members in expected_bands(items, gap) for member in members]


class Case(NamedTuple):
    """One ranking with a known outcome: what is ranked, the ids in order, the bands' sizes."""

    name: str
    gap: float
    items: list[Item]
    order: list[str]
    sizes: list[int]


def guidance() -> list[Case]:
    """The measured orders of a documentation server; skips where they are not to be had."""
    if not _GUIDANCE.exists():
        pytest.skip("the guidance orders are not beside this checkout")
    data = json.loads(_GUIDANCE.read_text(encoding="utf-8"))
    cases = []
    for case in data["cases"]:
        items = [
            Item(
                entry["id"],
                entry["score"],
                entry["document"],
                UNROUTED if entry["route"] is None else entry["route"],
            )
            for entry in case["candidates"]
        ]
        sizes = [end - start for start, end in case["bands"]]
        cases.append(Case(case["intent"], data["gap"], items, case["order"], sizes))
    return cases


# Ids and documents that are easily confused: prefixes, NUL, case, digits, and two characters
# that UTF-16 would order the other way round.
TRICKY = ["", "a", "a\0", "a\0b", "ab", "A", "B", "b", "10", "2", "é", "e\u0301", "\uffff"]
TRICKY += ["\ufffd", "\U0001f600", "\ufffdz", "\U0001f600z", " a", "a ", "ß", "ss", "İ", "ı"]

ids = st.sampled_from(TRICKY) | st.text(alphabet="ab\0A1\ufffd\U0001f600", max_size=4)
documents = st.sampled_from(["", "a", "a\0", "b", "B", "\ufffd", "\U0001f600"])

_grid = st.integers(-20, 40).map(lambda k: k * 0.1) | st.integers(-16, 40).map(lambda k: k / 8)
scores = st.one_of(
    _grid,
    _grid,
    _grid.map(lambda score: math.nextafter(score, math.inf)),
    _grid.map(lambda score: math.nextafter(score, -math.inf)),
    st.sampled_from([0.0, -0.0, 5e-324, 1e15]),
    st.floats(-1e6, 1e6),
)
"""Scores with many exact ties, and many pairs exactly, or all but, a gap apart."""

gaps = st.sampled_from([0.1, 0.125, 0.2, 0.25, 0.3, 0.5, 1.0, 1e9]) | st.floats(1e-9, 4.0)
any_gap = st.just(0.0) | gaps


@st.composite
def items(draw: st.DrawFn, min_size: int = 0, max_size: int = 14) -> list[Item]:
    """Records with distinct ids in no particular order, some in routes and shared documents."""
    chosen = draw(st.lists(ids, unique=True, min_size=min_size, max_size=max_size))
    one_route = draw(st.booleans())
    found = []
    for id in chosen:
        document = draw(st.just(id) | documents)
        route = 0 if one_route else draw(st.sampled_from([0, 1, 2, -1]))
        found.append(Item(id, draw(scores), document, route))
    return found
