"""What makes two rankings differ, and how near one is to it, by hand."""

from __future__ import annotations

import pytest

from steadyrank.measure.audit import CAUSES, Cause, Margins, quantiles
from steadyrank.measure.audit_words import percent
from steadyrank.measure.flips import (
    Ranked,
    allowed_by_ties,
    cause_of,
    differing,
    exchanged,
    moved,
    reversed_ties,
    standing,
)

# a leads; b, c and d tie; e is last.
STORED = [(9.0, "a"), (5.0, "b"), (5.0, "c"), (5.0, "d"), (1.0, "e")]
BACKWARDS = [(9.0, "a"), (5.0, "d"), (5.0, "c"), (5.0, "b"), (1.0, "e")]
# A score moved by one step, and b with it.
MOVED = [(9.0, "a"), (5.0, "c"), (5.0, "d"), (4.999, "b"), (1.0, "e")]


@pytest.mark.parametrize(
    ("before", "after", "k", "cause"),
    [
        (STORED, BACKWARDS, 1, None),  # a is first in both
        (STORED, BACKWARDS, 2, "cut"),  # b or d
        (STORED, BACKWARDS, 3, "cut"),
        (STORED, BACKWARDS, 4, "inside"),  # all three are in
        (STORED, BACKWARDS, 5, "inside"),
        (STORED, MOVED, 4, "bits"),  # b's score is another one
        (STORED, MOVED, 1, None),
    ],
)
def test_the_cause_is_a_tie_where_a_tie_rule_alone_would_have_kept_the_answer(
    before: Ranked, after: Ranked, k: int, cause: Cause | None
) -> None:
    assert cause_of(before[:k], after[:k], before, lambda: after, k) == cause
    assert cause_of(after[:k], before[:k], after, lambda: before, k) == cause


def test_a_hit_that_a_limit_left_out_comes_before_all_other_causes() -> None:
    """The first two without b, though b ties with c before it; and on either side."""
    short = [(9.0, "a"), (5.0, "c")]
    short_and_moved = [(9.0, "a"), (4.9, "c")]
    assert cause_of(short, BACKWARDS[:2], STORED, lambda: BACKWARDS, 2) == "lost"
    assert cause_of(BACKWARDS[:2], short_and_moved, BACKWARDS, lambda: STORED, 2) == "lost"
    assert CAUSES[0] == "lost"


def test_records_that_are_alike_are_no_difference() -> None:
    """Two with one key: whichever is in, and in whichever order."""
    alike = [(5.0, "x"), (5.0, "x"), (5.0, "y")]
    assert cause_of(alike[:2], alike[:2], alike, lambda: alike, 2) is None
    assert standing([(5.0, "x"), (5.0, "x"), (1.0, "y")], 1) == standing(
        [(5.0, "x"), (5.0, "x"), (1.0, "z")], 1
    )
    at = standing([(5.0, "x"), (5.0, "x"), (1.0, "y")], 1)
    assert (at.at_cut, at.inside, at.cut, at.gap) == (False, False, 4.0, None)


def test_ties_of_the_index_as_it_is_explain_an_answer_without_a_look_at_all_others() -> None:
    def never() -> Ranked:
        raise AssertionError("not needed")

    assert cause_of(STORED[:2], BACKWARDS[:2], STORED, never, 2) == "cut"
    assert cause_of(STORED[:4], BACKWARDS[:4], STORED, never, 4) == "inside"
    assert allowed_by_ties(STORED[:4], BACKWARDS[:4], STORED)
    assert not allowed_by_ties(STORED[:4], MOVED[:4], STORED)  # another score
    assert not allowed_by_ties(STORED[:2], [(9.0, "a"), (5.0, "e")], STORED)  # e scored 1
    assert not allowed_by_ties(STORED[:2], [(9.0, "a"), (5.0, "a")], STORED)  # a twice
    assert not allowed_by_ties(STORED[:2], STORED[:3], STORED)


def test_an_answer_that_ties_allow_is_theirs_though_scores_moved_too() -> None:
    """b gave way to c, which ties with it as the index is; the other way round it does not."""
    assert cause_of(STORED[:2], MOVED[:2], STORED, lambda: MOVED, 2) == "cut"
    assert cause_of(MOVED[:2], STORED[:2], MOVED, lambda: STORED, 2) == "bits"
    assert cause_of(STORED[:3], MOVED[:3], STORED, lambda: MOVED, 3) == "cut"


def test_scores_that_all_moved_alike_leave_the_tie_as_the_cause() -> None:
    """Leftovers gone: each score is another one, and b, c and d still tie."""
    other = [(score * 1.01, key) for score, key in BACKWARDS]
    assert cause_of(STORED[:2], other[:2], STORED, lambda: other, 2) == "cut"
    assert cause_of(STORED[:4], other[:4], STORED, lambda: other, 4) == "inside"


def test_places_and_records_that_differ_are_counted() -> None:
    assert differing(STORED, BACKWARDS) == (2, 4)
    assert differing(STORED[:2], STORED[:3]) == (3,)
    assert exchanged(STORED[:3], BACKWARDS[:3]) == 1  # b went, d came
    assert exchanged(STORED[:4], BACKWARDS[:4]) == 0


@pytest.mark.parametrize(
    ("k", "at_cut", "inside", "cut", "gap"),
    [
        (1, False, False, 4.0, None),
        (2, True, False, 0.0, 4.0),
        (3, True, True, 0.0, 0.0),
        (4, False, True, 4.0, 0.0),
        (5, False, True, None, 0.0),
        (9, False, True, None, 0.0),
    ],
)
def test_standing_tells_ties_at_the_cut_from_ties_inside(
    k: int, at_cut: bool, inside: bool, cut: float | None, gap: float | None
) -> None:
    at = standing(STORED, k)
    assert (at.at_cut, at.inside, at.cut, at.gap) == (at_cut, inside, cut, gap)


def test_nothing_found_stands_firmly() -> None:
    at = standing([], 3)
    assert (at.tied, at.smallest) == (False, None)


def test_reversed_ties_are_what_the_backwards_layout_gives() -> None:
    assert reversed_ties(STORED) == BACKWARDS


def test_moved_is_the_most_that_one_record_moved() -> None:
    """b by 0.001; f is in one list only."""
    assert moved(STORED, [*MOVED, (7.0, "f")]) == 5.0 - 4.999


def test_quantiles_are_values_of_the_list_and_no_means() -> None:
    """Eleven margins 0 to 10: a tenth of them is 1, a quarter (2.5) the even neighbour 2."""
    assert quantiles([float(n) for n in range(10, -1, -1)]) == Margins(
        11, (0.0, 1.0, 2.0, 5.0, 8.0, 9.0, 10.0)
    )
    assert quantiles([0.5]) == Margins(1, (0.5,) * 7)
    assert quantiles([]) == Margins()


@pytest.mark.parametrize(
    ("part", "whole", "text"),
    [(0, 10, "0 %"), (10, 10, "100 %"), (37, 126, "29 %"), (1, 400, "<1 %"), (399, 400, ">99 %")],
)
def test_a_share_that_is_not_none_and_not_all_never_looks_so(
    part: int, whole: int, text: str
) -> None:
    assert percent(part, whole) == text
