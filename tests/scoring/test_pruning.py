"""The top of a union by pruning: what adding up every list gives, to the bit."""

from __future__ import annotations

from collections import defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyrank.arithmetic import snap
from steadyrank.scoring import pruning
from steadyrank.scoring.hits import Hits
from steadyrank.scoring.pruning import ScoredList, union_top

pytestmark = pytest.mark.whoosh

# Few distinct values, so that sums tie and stand exactly a gap apart.
SCORES = st.one_of(
    st.sampled_from([0.5, 1.0, 1.5, 2.0, 4.0, 9.5]),
    st.floats(0.01, 20).map(snap).filter(lambda score: score > 0),
)
GAPS = st.sampled_from([0.0, 0.1, 0.5, 1.0, 100.0])
COUNTS = st.integers(1, 40)


def lists_of(scores: st.SearchStrategy[float]) -> st.SearchStrategy[list[dict[int, float]]]:
    docs = st.integers(0, 60) | st.integers(0, 5000)
    one = st.dictionaries(docs, scores, max_size=30)
    flat = st.tuples(st.sets(st.integers(0, 400), max_size=200), scores).map(
        lambda pair: dict.fromkeys(pair[0], pair[1])
    )
    return st.lists(one | flat, max_size=7)


def scored(parts: list[dict[int, float]]) -> list[ScoredList]:
    found = []
    for part in parts:
        docs = sorted(part)
        scores = np.array([part[doc] for doc in docs], np.float64)
        found.append(ScoredList(Hits(np.array(docs, np.int64), scores)))
    return found


def needed(parts: list[dict[int, float]], count: int, gap: float) -> list[tuple[int, float]]:
    sums: defaultdict[int, float] = defaultdict(float)
    for part in parts:
        for doc, score in part.items():
            sums[doc] += score
    if not sums:
        return []
    last = sorted(sums.values(), reverse=True)[:count][-1]
    if len(sums) < count:
        return sorted(sums.items())
    return sorted((doc, score) for doc, score in sums.items() if last - score <= gap)


def pairs(hits: Hits) -> list[tuple[int, float]]:
    return list(zip(hits.docs.tolist(), hits.scores.tolist(), strict=True))


@given(lists_of(SCORES), COUNTS, GAPS)
def test_positive_scores(parts: list[dict[int, float]], count: int, gap: float) -> None:
    lists = scored(parts)
    expected = needed(parts, count, gap)
    assert pairs(union_top(lists, count, gap)) == expected
    assert pairs(union_top(lists[::-1], count, gap)) == expected, "asked again, in another order"


@given(lists_of(st.sampled_from([-2.0, -0.5, 0.0, 0.5, 2.0])), COUNTS, GAPS)
def test_any_scores(parts: list[dict[int, float]], count: int, gap: float) -> None:
    """A sum of 0 is a match, and a negative score no reason to look no further."""
    assert pairs(union_top(scored(parts), count, gap)) == needed(parts, count, gap)


@pytest.mark.parametrize("gap", [0.0, 0.25, 3.0])
@pytest.mark.parametrize("space", [3_000, 200_000])
@pytest.mark.parametrize("count", [1, 10, 129, 5_000])
def test_a_rare_word_among_frequent_ones(
    monkeypatch: pytest.MonkeyPatch, gap: float, space: int, count: int
) -> None:
    """What questions look like: the frequent words are only looked up, where that is enough."""
    chance = np.random.default_rng(space + count)
    parts = []
    for size, top in ((20, 9.0), (300, 5.0), (2_500, 1.25), (2_800, 0.5)):
        docs = chance.choice(space, size, replace=False).tolist()
        scores = snap(np.round(chance.uniform(top / 2, top, size), 1) + 0.01)
        parts.append(dict(zip(docs, scores.tolist(), strict=True)))
    looked_up: list[int] = []
    added_to = ScoredList.added_to

    def watched(self: ScoredList, docs: pruning.Docs, scores: pruning.Scores) -> pruning.Scores:
        looked_up.append(self.size)
        return added_to(self, docs, scores)

    monkeypatch.setattr(ScoredList, "added_to", watched)
    lists = scored(parts)
    for _ in range(3):  # from the second time on the long ones are arrays over all documents
        assert pairs(union_top(lists, count, gap)) == needed(parts, count, gap)
    assert [each.by_doc() is not None for each in lists] == [
        each.size * 4 > int(each.docs[-1]) for each in lists
    ]
    if count <= 10 and gap < 1:
        assert set(looked_up) >= {2_500, 2_800}
    if count == 5_000:  # more than any list has
        assert not looked_up


@given(st.lists(SCORES, min_size=130, max_size=300), COUNTS, GAPS)
def test_one_list_twice(scores: list[float], count: int, gap: float) -> None:
    """The short list of the highest is kept, and asked only for what it can tell."""
    part = dict(enumerate(scores))
    (one,) = scored([part])
    for wanted in (count, 1, 128, 129):
        assert pairs(one.top(wanted, gap)) == needed([part], wanted, gap)


@given(
    st.dictionaries(st.integers(0, 60), SCORES, min_size=1, max_size=40),
    st.sets(st.integers(0, 80), min_size=1),
)
def test_looked_up(part: dict[int, float], wanted: set[int]) -> None:
    """Each document gets its own score, however many are asked for and how often."""
    (one,) = scored([part])
    docs = sorted(wanted)
    for _ in range(3):
        found = one.added_to(np.array(docs, np.int64), np.full(len(docs), 0.5))
        assert found.tolist() == [0.5 + part.get(doc, 0.0) for doc in docs]
