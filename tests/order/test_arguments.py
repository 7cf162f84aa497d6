"""What rank and bands take: iterables, limits, gaps and ids that are not unique."""

from __future__ import annotations

import math
from collections import deque
from typing import Any

import pytest
from hypothesis import given

from steadyrank import Candidate, DuplicateIdError, PolicyError, bands, rank
from steadyrank.order import arrange
from support_order import Item, any_gap, candidates, ids_of, items


def test_duplicate_ids() -> None:
    """Ids that occur twice are a DuplicateIdError, a ValueError that names exactly them, sorted."""
    pool = [Candidate(id, score) for score, id in enumerate(["b", "a", "c", "b", "a", "b"])]
    for call in (lambda: rank(pool), lambda: rank(pool, 0.5, limit=0), lambda: bands(pool, 0.5)):
        with pytest.raises(DuplicateIdError, match="'a', 'b'") as caught:
            call()
        assert isinstance(caught.value, ValueError)
        assert caught.value.ids == ("a", "b")
        assert "'c'" not in str(caught.value)


def test_many_duplicate_ids() -> None:
    """A message stays readable with thousands of duplicates; the attribute has them all."""
    pool = [Candidate(f"{number:05}", 1.0) for number in range(5000)]
    with pytest.raises(DuplicateIdError) as caught:
        rank(pool + pool)
    assert len(str(caught.value)) < 400
    assert len(caught.value.ids) == 5000


def test_identical_candidates_are_duplicates() -> None:
    """One object twice is a duplicate too: it would be shown twice."""
    with pytest.raises(DuplicateIdError):
        rank([Candidate("a", 1.0)] * 2)


@pytest.mark.parametrize("kind", [list, tuple, iter, deque, set, frozenset, dict.fromkeys])
@given(records=items(max_size=6), gap=any_gap)
def test_iterables(kind: Any, records: list[Item], gap: float) -> None:
    """Any iterable will do, one that can be walked only once too."""
    pool = candidates(records)
    assert rank(kind(pool), gap) == rank(pool, gap)
    assert bands(kind(pool), gap) == bands(pool, gap)


def test_generator() -> None:
    """A generator will do."""
    assert ids_of(rank(Candidate(id, 1.0) for id in "cab")) == ["a", "b", "c"]


def test_input_untouched() -> None:
    """The given list is not sorted in place."""
    pool = [Candidate("b", 1.0), Candidate("a", 1.0)]
    ranked = rank(pool, 0.5)
    assert arrange(pool, 0.5) == ranked
    bands(pool, 0.5)
    assert ids_of(pool) == ["b", "a"]
    assert ranked is not pool


def test_limits() -> None:
    """Limit 0 keeps nothing, None and more than there are keep all."""
    pool = [Candidate(id, 1.0) for id in "cab"]
    for gap in (0.0, 0.5):
        assert rank(pool, gap, limit=0) == []
        assert rank([], gap, limit=None) == rank([], gap, limit=3) == []
        assert ids_of(rank(pool, gap, limit=2)) == ["a", "b"]
        for limit in (None, 3, 4, 10**30):
            assert ids_of(rank(pool, gap, limit=limit)) == ["a", "b", "c"]


@pytest.mark.parametrize("limit", [-1, True, False, 1.0, "1", math.inf], ids=repr)
def test_wrong_limits(limit: Any) -> None:
    """A limit that is no count is a PolicyError, also when there is nothing to rank."""
    for pool in ([], [Candidate("a", 1.0)]):
        with pytest.raises(PolicyError, match="limit"):
            rank(pool, limit=limit)


@pytest.mark.parametrize(
    "gap", [-1, -5e-324, math.nan, math.inf, 10**309, "0.5", None, 1j], ids=repr
)
def test_wrong_gaps(gap: Any) -> None:
    """A gap that is no finite number of points, 0 or more, is a PolicyError."""
    for call in (lambda: rank([], gap), lambda: bands([], gap)):
        with pytest.raises(PolicyError, match="the gap is"):
            call()


@pytest.mark.parametrize("select", ["", "Band", None, "ids"], ids=repr)
def test_wrong_select(select: Any) -> None:
    """A select other than the two is a PolicyError that names both."""
    with pytest.raises(PolicyError, match='"band" or "score"'):
        rank([], 0.5, select)
