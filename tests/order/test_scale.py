"""Fifty thousand candidates: every kind of tie is ranked, and in the same way as five.

There is no clock here: anything quadratic would take minutes at this size.
"""

from __future__ import annotations

import random

import pytest

from steadyrank import Candidate, bands, rank
from steadyrank.order import placements
from support_order import ids_of

COUNT = 50_000
IDS = [f"{number:05}" for number in range(COUNT)]


def shuffled(pool: list[Candidate]) -> list[Candidate]:
    random.Random(5).shuffle(pool)
    return pool


@pytest.mark.parametrize("gap", [0.0, 0.5])
def test_one_score(gap: float) -> None:
    """All with one score are in id order, and each tie has all of them."""
    pool = shuffled([Candidate(id, 1.0) for id in IDS])
    ranked = rank(pool, gap)
    assert ids_of(ranked) == IDS
    assert {placement.tie_size for placement in placements(ranked, gap)} == {COUNT}


def test_one_band() -> None:
    """All with scores of their own in one band are in document order."""
    pool = shuffled([Candidate(id, 0.5 - place / COUNT / 2) for place, id in enumerate(IDS[::-1])])
    assert ids_of(rank(pool, 0.5)) == IDS
    (band,) = bands(pool, 0.5)
    assert (band.leader.id, len(band.members)) == (IDS[-1], COUNT)
    assert ids_of(rank(pool, 0.5, limit=3)) == IDS[:3]


def test_all_apart() -> None:
    """All further apart than the gap are as many bands, in score order."""
    pool = shuffled([Candidate(id, float(-place)) for place, id in enumerate(IDS)])
    assert ids_of(rank(pool, 0.5)) == IDS
    assert len(bands(pool, 0.5)) == COUNT
    assert {placement.decided_by for placement in placements(rank(pool, 0.5), 0.5)} == {"score"}


def test_one_document() -> None:
    """All sections of one document in one band are in score order."""
    pool = shuffled([Candidate(id, 1.0 - place / COUNT, "d") for place, id in enumerate(IDS)])
    assert ids_of(rank(pool, 1.0)) == IDS


def test_a_route_each() -> None:
    """As many routes as candidates are as many bands, in route order."""
    pool = shuffled([Candidate(id, 1.0, "d", place) for place, id in enumerate(IDS)])
    assert ids_of(rank(pool, 0.5)) == IDS
    assert len(bands(pool, 0.5)) == COUNT
