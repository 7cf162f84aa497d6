"""How near a verdict was: against every change of one score, tried one by one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from steadyrank.measure import Case, Entry, Flip, Ranking, judge, nearest_flip
from support_measure import entries, ranked, ranking

STEP = 1 / 16
Scores = dict[str, float]


def plain_order(scores: Scores, gap: float) -> list[str]:
    """The contract, written down once more: leaders by score, bands by id."""
    left = sorted(scores, key=lambda id: (-scores[id], id))
    order: list[str] = []
    while left:
        leader = left[0]
        band = [id for id in left if gap and scores[leader] - scores[id] <= gap] or [leader]
        order += sorted(band)
        left = [id for id in left if id not in band]
    return order


def holds(case: Case, ids: Sequence[str]) -> bool:
    """Whether the case passes on these ids."""
    return judge(case, ranking(ids)).passed is True


def least_change(scores: Scores, gap: float, k: int, case: Case) -> float | None:
    """The least change, in steps, of one score that turns the verdict on the first ``k``."""
    now = holds(case, plain_order(scores, gap)[:k])
    for steps in range(1, 200):
        for id in scores:
            for sign in (-1, 1):
                moved = {**scores, id: scores[id] + sign * steps * STEP}
                if holds(case, plain_order(moved, gap)[:k]) is not now:
                    return steps * STEP
    return None


SCORES = st.dictionaries(
    st.sampled_from("abcdefg"), st.integers(1, 40).map(lambda n: n / 8), min_size=2, max_size=6
)
MODES = st.sampled_from(["exact", "required-set", "rank-one", "contains", "excludes"])


@given(SCORES, st.sampled_from([0.0, 0.25, 1.0]), st.integers(1, 3), MODES, st.data())
def test_no_smaller_change_of_one_score_turns_the_verdict_and_this_one_does(
    scores: Scores, gap: float, k: int, mode: str, data: st.DataObject
) -> None:
    """Against a walk over all changes of all scores, in steps finer than the scores."""
    count = 1 if mode == "rank-one" else data.draw(st.integers(1, min(k, len(scores))))
    start = plain_order(scores, gap)
    near = data.draw(st.permutations(start[: count + 1])) if data.draw(st.booleans()) else start
    case = Case(1, "q", mode, tuple(near[:count]), k=k)  # type: ignore[arg-type]
    got = ranked(scores, k, gap, after=len(scores))
    assert list(got.ids) == start[:k]
    flip = judge(case, got).near
    expected = least_change(scores, gap, k, case)
    if gap and got.after and got.after[-1].band in (got.entries[-1].band, _next(got)):
        assert flip is None  # what was read may end inside a band that matters
    elif flip is None:
        assert expected is None
    else:
        assert expected is not None
        assert abs(flip.change) <= expected <= abs(flip.change) + STEP


def _next(got: Ranking) -> int:
    band = got.entries[-1].band
    assert band is not None
    return band + 1


def flip_of(scores: Scores, *expected: str, gap: float = 0.0, k: int = 2) -> Flip | None:
    case = Case(1, "q", "exact", expected)
    return judge(case, ranked(scores, k, gap)).near


def test_flips_by_hand() -> None:
    """A margin, a tie, a band's headroom and its clearance, a failing case, and none at all."""
    scores = {"a": 10.0, "b": 9.25, "c": 9.0, "d": 5.0}
    assert flip_of(scores, "a", "b") == Flip("b", -0.25, "c", "score")
    assert flip_of({"a": 3.0, "b": 3.0, "c": 1.0}, "a", "b") == Flip("a", 0.0, "b", "score")
    # b leads with 10, and a joins by id first while it is within 0.5: 0.125 is to spare.
    banded = {"b": 10.0, "a": 9.625, "x": 5.0, "y": 4.0, "z": 3.0}
    inside = flip_of(banded, "a", "b", gap=0.5)
    assert inside is not None
    assert (inside.edge, abs(inside.change)) == ("band", 0.125)
    # a is 0.25 outside the band that it would come first in.
    outside = flip_of({**banded, "a": 9.25}, "b", "a", gap=0.5)
    assert outside is not None
    assert (outside.edge, abs(outside.change)) == ("band", 0.25)
    assert flip_of(scores, "a", "c") == Flip("b", -0.25, "c", "score")
    assert flip_of(scores, "d", "c") is None


def test_what_scores_do_not_decide_has_no_flip() -> None:
    """Other routes; an order that a limit made; a band that goes on where reading stopped."""
    case = Case(1, "q", "exact", ("a", "b"))
    one, two, three = entries("abc")
    apart = Ranking(1, "q", 2, (one, replace(two, route=1)), (replace(three, route=2),))
    assert judge(case, apart).near is None
    limited = Ranking(1, "q", 2, (one, three), (two,))
    assert judge(case, limited).near is None
    scores = {"a": 9.0, "b": 8.9, "c": 8.8, "d": 8.7, "e": 8.6}
    assert judge(case, ranked(scores, 2, 0.5, after=2)).near is None
    assert judge(case, ranked(scores, 2, 0.0, after=2)).near is not None


def test_select_score_is_arranged_within_the_answer_only() -> None:
    """Who is in is decided by score, so a comes in by passing d, though all are in one band."""
    scores = {"b": 9.0, "d": 8.875, "a": 8.625}
    got = ranked(scores, 3, 0.0)
    answer = Ranking(1, "q", 2, got.entries[:2], got.entries[2:], 0.5, "score")
    flip = judge(Case(1, "q", "required-set", ("b", "d")), answer).near
    assert flip is not None
    assert flip.change == -0.25
    assert (flip.id, flip.other) == ("d", "a")


def test_flips_say_what_would_happen() -> None:
    """In words, either way, and for a tie."""
    assert str(Flip("a", 0.25, "b", "score")) == "if a gained 0.25, passing b"
    assert str(Flip("a", -0.5, "b", "band")) == "if a lost 0.5, crossing the band's edge at b"
    assert "the id decided" in str(Flip("a", 0.0, "b", "score"))


def test_a_ranking_of_one_has_none() -> None:
    """There is nobody to pass."""
    alone = Ranking(1, "q", 4, (Entry("a", 1.0, "a"),))
    assert nearest_flip(alone, lambda ids: list(ids) == ["a"]) is None
