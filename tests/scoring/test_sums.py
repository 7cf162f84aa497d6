"""Sums over all documents, kept dense or sorted into each other, whole or the top of them."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyrank.arithmetic import largest_first, snap
from steadyrank.errors import ScoreError
from steadyrank.scoring import hits
from steadyrank.scoring.hits import Hits, intersection, union, union_docs
from steadyrank.scoring.pruning import ScoredList, union_top

pytestmark = pytest.mark.whoosh


def parts_of(seed: int, count: int, size: int, space: int, low: float = 0.01) -> list[Hits]:
    chance = np.random.default_rng(seed)
    return [
        Hits(
            np.sort(chance.choice(space, size, replace=False)).astype(np.int64),
            snap(np.round(chance.uniform(low, 3, size), 1) + low / 7),
        )
        for _ in range(count)
    ]


def summed(parts: list[Hits]) -> dict[int, float]:
    found: defaultdict[int, float] = defaultdict(float)
    for part in parts:
        for doc, score in zip(part.docs.tolist(), part.scores.tolist(), strict=True):
            found[doc] += score
    return dict(sorted(found.items()))


def as_dict(found: Hits) -> dict[int, float]:
    return dict(zip(found.docs.tolist(), found.scores.tolist(), strict=True))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("low", [0.01, -1.0, 0.0])  # a sum of 0 is of a document all the same
@pytest.mark.parametrize("space", [400, 100_000])
def test_union(seed: int, low: float, space: int) -> None:
    parts = parts_of(seed, 4, 200, space, low)
    assert hits._is_dense(parts) == (space == 400)
    if low <= 0:
        parts.append(Hits(parts[0].docs, -parts[0].scores))
    assert list(as_dict(union(parts)).items()) == list(summed(parts).items())
    if low <= 0:
        assert 0.0 in union(parts).scores


@pytest.mark.parametrize("size", [1, 63, 64, 255, 256, 257, 5000])
def test_the_largest_are_found_by_columns(size: int) -> None:
    chance = np.random.default_rng(size)
    for scores in (chance.normal(size=size), np.ones(size), np.arange(size) * -1.0):
        for count in {1, 2, 10, size // 2, size - 1, size} & set(range(1, size + 1)):
            assert largest_first(scores, count) == sorted(scores, reverse=True)[count - 1]


def top(parts: list[Hits]) -> Hits:
    return union_top([ScoredList(part) for part in parts], 2, 0.0)


def test_sums_out_of_range_are_refused() -> None:
    half = Hits(np.arange(9), np.full(9, 2.0**19))
    for add in (union, intersection, top):
        with pytest.raises(ScoreError):
            add([half, half])


def test_an_intersection_starts_anywhere() -> None:
    parts = [*parts_of(1, 2, 300, 400), *parts_of(2, 1, 50, 400)]
    common = set.intersection(*(set(part.docs.tolist()) for part in parts))
    expected = {doc: score for doc, score in summed(parts).items() if doc in common}
    assert as_dict(intersection(parts)) == as_dict(intersection(parts[::-1])) == expected
    assert intersection([*parts, Hits.none()]).docs.size == 0


@pytest.mark.parametrize("few", [1, 5, 40])
def test_an_intersection_with_a_much_longer_one(few: int) -> None:
    """One is searched for the other's documents where it is long, and marked where it is not."""
    long, short = parts_of(3, 1, 600, 700)[0], parts_of(4, 1, few, 900)[0]
    assert (few * hits._SEARCHED < 600) == (few < 40), "both ways are to be taken"
    expected = {
        doc: score for doc, score in summed([long, short]).items()
        if doc in long.docs and doc in short.docs
    }  # fmt: skip
    assert as_dict(intersection([long, short])) == as_dict(intersection([short, long])) == expected


@given(parts=st.lists(st.sets(st.integers(0, 40)).map(sorted), max_size=5))
def test_documents_of_any_part_come_once_each_and_ascending(parts: list[list[int]]) -> None:
    arrays = [np.array(part, np.int64) for part in parts]
    found = union_docs(arrays)
    assert found.dtype == np.int64
    assert found.tolist() == sorted(set().union(*parts))
    assert [array.tolist() for array in arrays] == parts  # which others may hold
