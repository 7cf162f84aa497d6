"""What counts as a change, and how changes become shares and a verdict."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyrank.measure import Ordering, Perturbation
from steadyrank.measure.gap_verdict import best_gap, gap_tests, verdict_of
from steadyrank.measure.tallies import (
    Change,
    Observation,
    cells_of,
    change,
    moved_by_question,
    turned_pairs,
)


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("abcd", "abcd", Change(False, False, False)),
        ("abcd", "abdc", Change(True, False, False)),
        ("abcd", "bacd", Change(True, False, True)),
        ("abcd", "abce", Change(True, True, False)),
        ("abcd", "abc", Change(True, True, False)),
        ("", "", Change(False, False, False)),
        ("", "a", Change(True, True, True)),
        ("aab", "abb", Change(True, True, False)),
    ],
)
def test_changes_by_hand(before: str, after: str, expected: Change) -> None:
    assert change(list(before), list(after)) == expected


@given(st.permutations("abcdefg"), st.permutations("abcdefg"), st.integers(0, 7))
def test_turned_pairs_are_those_that_a_count_of_all_pairs_finds(
    before: list[str], after: list[str], kept: int
) -> None:
    after = after[:kept]
    both = [id for id in before if id in after]
    turned = [(a, b) for a, b in itertools.combinations(both, 2) if after.index(a) > after.index(b)]
    assert turned_pairs(before, after) == (len(turned), len(both) * (len(both) - 1) // 2)


PLAIN = Ordering("plain")
GAP = Ordering("gap", gap=0.5)
SCORE = Ordering("score", gap=0.5, select="score")
CHANGE = Perturbation("added", "corpus", "", draws=2, documents=3)
LAYOUT = Perturbation("layout", "layout", "", draws=2)


def seen(ordering: str, number: int, draw: int, **changed: int) -> Observation:
    values = {"order": False, "set": False, "first": False, **changed}
    return Observation(ordering, "added", draw, number, Change(**values))  # type: ignore[arg-type]


def test_a_cell_counts_questions_and_draws() -> None:
    """2 questions in 2 draws: order changed in 2 of 4, set in 1, the first in none."""
    observed = [
        seen("plain", 1, 1, order=True, turned=2, compared=10),
        seen("plain", 1, 2, order=True, set=True, turned=1, compared=10),
        seen("plain", 5, 1, turned=0, compared=6),
        seen("plain", 5, 2, turned=0, compared=6),
    ]
    [cell] = cells_of(observed, [PLAIN, SCORE], [CHANGE], questions=2, depth=50)
    assert (cell.order.changed, cell.order.trials, cell.order.share) == (2, 4, 0.5)
    assert (cell.set.share, cell.first.share) == (0.25, 0.0)
    assert cell.moved == (1,)
    assert cell.pairs is not None
    assert (cell.pairs.changed, cell.pairs.compared, cell.pairs.questions.changed) == (3, 32, 2)
    # Two questions are few, however often each is asked.
    assert cell.order.interval.high > 0.9
    assert moved_by_question(observed, [CHANGE]) == {"plain": {1: 2, 5: 0}}
    assert moved_by_question(observed, [LAYOUT]) == {}


def test_pairs_are_not_told_where_a_longer_ranking_is_another_one() -> None:
    observed = [seen("score", 1, 1), seen("score", 1, 2)]
    [cell] = cells_of(observed, [SCORE], [CHANGE], questions=1, depth=50)
    assert cell.pairs is None


def moved(*counts: int) -> dict[int, int]:
    return dict(enumerate(counts, start=1))


def test_a_gap_that_helps_is_called_best() -> None:
    """Eight questions moved without it and none with it: p is 2 of 256."""
    found = {"plain": moved(*[1] * 8, 0, 0), "gap": moved(*[0] * 10)}
    [test] = gap_tests(found, [PLAIN, GAP], draws=2, seed=1)
    assert (test.p, test.p_adjusted, test.verdict) == (2 / 256, 2 / 256, "helps")
    assert (test.without, test.with_gap) == (8 / 20, 0.0)
    assert (test.steadier, test.less_steady, test.ties) == (8, 0, 2)
    assert best_gap([test], [PLAIN, GAP]) == "gap"
    [line] = verdict_of([test], [PLAIN, GAP], 10)
    assert line == (
        "gap keeps more answers in place (best): 0.0% changed against 40.0% without "
        "(p = 0.008, n=10)"
    )


def test_a_gap_that_hurts_is_said_to() -> None:
    found = {"plain": moved(*[0] * 10), "gap": moved(*[2] * 6, 0, 0, 0, 0)}
    [test] = gap_tests(found, [PLAIN, GAP], draws=2, seed=1)
    assert (test.p, test.verdict) == (2 / 64, "hurts")
    assert verdict_of([test], [PLAIN, GAP], 10) == (
        "no gap is shown to help (n=10)",
        "gap moves more answers: 60.0% changed against 0.0% without (p = 0.031, n=10)",
    )


def test_without_enough_questions_there_is_no_verdict() -> None:
    """Five all one way are 2 of 32, which chance gives more often than 1 in 20."""
    found = {"plain": moved(*[1] * 5, 0), "gap": moved(*[0] * 6)}
    tests = gap_tests(found, [PLAIN, GAP], draws=1, seed=1)
    assert [test.verdict for test in tests] == ["not shown"]
    lines = verdict_of(tests, [PLAIN, GAP], 6)
    assert lines[0] == "no gap is shown to help (n=6)"
    assert "at most 5 of 6 questions" in lines[1] and "needs 6" in lines[1]


def test_many_gaps_are_many_chances_to_be_wrong() -> None:
    """One p of 2/64 is below 0.05; tried four times it is not."""
    gaps = [Ordering(f"gap {n}", gap=n) for n in (1.0, 2.0, 3.0, 4.0)]
    found = {"plain": moved(*[1] * 6)} | {g.name: moved(*[1] * 6) for g in gaps}
    found["gap 2.0"] = moved(*[0] * 6)
    tests = gap_tests(found, [PLAIN, *gaps], draws=1, seed=1)
    assert [test.p for test in tests] == [1.0, 2 / 64, 1.0, 1.0]
    assert [test.p_adjusted for test in tests] == [1.0, 8 / 64, 1.0, 1.0]
    assert {test.verdict for test in tests} == {"not shown"}


def test_a_gap_is_compared_with_none_of_the_same_statistics() -> None:
    orderings = [
        Ordering("stock", engine="whoosh", statistics="whoosh"),
        PLAIN,
        GAP,
        Ordering("pinned", statistics="pinned"),
        Ordering("pinned gap", gap=0.5, statistics="pinned"),
    ]
    found = {ordering.name: moved(0, 1) for ordering in orderings}
    tests = gap_tests(found, orderings, draws=1, seed=1)
    assert [(t.ordering, t.against) for t in tests] == [("gap", "plain"), ("pinned gap", "pinned")]
    assert gap_tests({}, orderings, draws=1, seed=1) == ()
    assert verdict_of((), orderings, 2) == ()


def test_of_gaps_that_help_alike_the_smallest_is_best() -> None:
    gaps = [Ordering("b", gap=0.2), Ordering("a", gap=0.4)]
    found = {"plain": moved(*[1] * 9), "a": moved(*[0] * 9), "b": moved(*[0] * 9)}
    tests = gap_tests(found, [PLAIN, *gaps], draws=1, seed=1)
    assert best_gap(tests, [PLAIN, *gaps]) == "b"
