"""Arithmetic against exact rationals and decimals of more digits."""

from __future__ import annotations

import math
from decimal import Context, Decimal
from fractions import Fraction
from functools import reduce
from itertools import permutations
from operator import add
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyrank import ScoreError
from steadyrank.arithmetic import GRID, LIMIT, check_range, exact_log, largest_first, snap

STEP = 2.0**-32
below_limit = math.nextafter(LIMIT, 0)

anything = st.floats(-(LIMIT - 1), LIMIT - 1)
# Numbers at, beside and exactly between two steps of the grid.
near_a_step = st.builds(
    lambda steps, aside: steps * STEP / 2 + aside,
    st.integers(-(2**40), 2**40),
    st.sampled_from([0.0, 2.0**-50, -(2.0**-50), STEP / 4]),
)
leaf_scores = st.floats(0, 1000) | near_a_step.filter(lambda score: abs(score) < 1000)


def exactly(score: float) -> Fraction:
    """The nearest multiple of 2**-32, ties to the even one, in exact rationals."""
    return Fraction(round(Fraction(score) * 2**32), 2**32)  # round() of a Fraction ties to even


def in_turn(scores: Any) -> float:
    """The sum, added one by one from the left."""
    return reduce(add, scores, 0.0)


@given(anything | near_a_step)
def test_snap(score: float) -> None:
    """A snapped score is exactly the nearest number on the grid."""
    assert Fraction(snap(score)) == exactly(score)


@pytest.mark.parametrize(
    ("steps", "even"), [(0.5, 0), (1.5, 2), (2.5, 2), (3.5, 4), (-0.5, 0), (-1.5, -2), (-2.5, -2)]
)
def test_ties_to_even(steps: float, even: int) -> None:
    """Half-way between two steps, the even one is taken."""
    assert snap(steps * STEP) == even * STEP


@given(anything)
def test_snap_again(score: float) -> None:
    """What is on the grid stays, and no score moves by more than half a step."""
    assert snap(snap(score)) == snap(score)
    assert abs(Fraction(snap(score)) - Fraction(score)) <= Fraction(1, 2**33)


@given(anything, anything)
def test_snap_keeps_order(a: float, b: float) -> None:
    """Snapping may tie two scores but never swaps them."""
    low, high = sorted((a, b))
    assert snap(low) <= snap(high)


@pytest.mark.parametrize("zero", [0.0, -0.0, -1e-300, -STEP / 2])
def test_no_minus_zero(zero: float) -> None:
    """No snapped score is -0.0, alone or in an array."""
    assert math.copysign(1, snap(zero)) == 1
    assert math.copysign(1, snap(np.array([zero]))[0]) == 1


@given(st.lists(anything | near_a_step))
def test_arrays(scores: list[float]) -> None:
    """An array is snapped as its members are, and is left as it was."""
    given_array = np.array(scores, np.float64)
    snapped = snap(given_array)
    assert snapped.tolist() == [snap(score) for score in scores]
    assert given_array.tolist() == scores


def test_shapes() -> None:
    """Any shape stays, integers become floats, and one number gives a Python float."""
    assert snap(np.full((2, 3), 0.1)).shape == (2, 3)
    assert snap(np.empty((0, 4))).shape == (0, 4)
    assert snap(np.array([1, 2])).dtype == np.float64
    assert type(snap(np.float32(1.5))) is float  # type: ignore[call-overload]
    assert type(snap(3)) is float


@given(st.data(), st.lists(leaf_scores, max_size=40))
def test_sums_of_snapped(data: st.DataObject, scores: list[float]) -> None:
    """Snapped scores have one sum, in whatever order they are added: the exact one."""
    snapped = [snap(score) for score in scores]
    shuffled = data.draw(st.permutations(snapped))
    assert in_turn(shuffled) == in_turn(snapped)
    assert Fraction(in_turn(snapped)) == sum(map(Fraction, snapped))


@given(st.data(), st.lists(leaf_scores, min_size=1, max_size=12))
def test_partial_sums(data: st.DataObject, scores: list[float]) -> None:
    """Snapped scores may also be added in two heaps, as segments and subqueries are."""
    snapped = [snap(score) for score in scores]
    cut = data.draw(st.integers(0, len(snapped)))
    assert in_turn(snapped[:cut]) + in_turn(snapped[cut:]) == in_turn(snapped)


def test_sums_up_to_the_limit() -> None:
    """The largest sums below the limit are exact to the last step."""
    scores = [LIMIT / 2, LIMIT / 4, LIMIT / 4 - STEP, STEP / 2 * 0]
    for order in permutations(scores):
        assert in_turn(order) == LIMIT - STEP


def test_sums_of_others_differ() -> None:
    """Scores as they come have several sums, so the laws above say something."""
    scores = [0.1, 0.2, 0.3, 1 / 3, 7.7]
    assert len({in_turn(order) for order in permutations(scores)}) > 1
    assert len({in_turn(map(snap, order)) for order in permutations(scores)}) == 1


@pytest.mark.parametrize(
    "score", [LIMIT, -LIMIT, math.nextafter(LIMIT, math.inf), 1e308, -1e308, math.inf, -math.inf]
)
def test_limit(score: float) -> None:
    """Scores of 2**20 or more in size are a ScoreError, without a warning on the way."""
    for given_score in (score, np.array([0.0, score, 1.0])):
        with pytest.raises(ScoreError, match="out of range") as caught:
            snap(given_score)
        assert isinstance(caught.value, ValueError)
        assert abs(caught.value.score) >= LIMIT
        assert math.copysign(1, caught.value.score) == math.copysign(1, score)


def test_not_a_number() -> None:
    """NaN is a ScoreError, wherever in the array it is."""
    for scores in (math.nan, np.array([math.nan, 1.0]), np.array([1.0, math.nan])):
        with pytest.raises(ScoreError) as caught:
            snap(scores)
        assert math.isnan(caught.value.score)


def test_just_below_the_limit() -> None:
    """The last step below the limit is fine; the double above it snaps to the limit, so it is not.

    It lies half-way between the two, and the limit is even.
    """
    assert snap(LIMIT - STEP) == LIMIT - STEP
    assert snap(STEP - LIMIT) == STEP - LIMIT
    assert LIMIT - STEP < below_limit < LIMIT
    with pytest.raises(ScoreError):
        snap(below_limit)


def test_check_range() -> None:
    """The range alone: empty arrays pass, the limit itself does not."""
    check_range(np.empty(0))
    check_range(np.array([below_limit, -below_limit]))
    for wrong in (LIMIT, -LIMIT, math.nan, math.inf):
        with pytest.raises(ScoreError):
            check_range(np.array([[0.0, wrong], [1.0, 2.0]]))


def test_grid() -> None:
    """Any sum on the grid below the limit fits into the 53 bits of a double."""
    assert GRID == 2**32
    assert LIMIT * GRID <= 2**53


positive = st.one_of(
    st.floats(min_value=5e-324, allow_infinity=False),
    st.floats(0.5, 2.0),
    st.builds(lambda n, d: n / d, st.integers(1, 10**7), st.integers(1, 10**7)),
)


@given(positive)
def test_exact_log(x: float) -> None:
    """The logarithm is the double nearest to that of a hundred and twenty digits."""
    assert exact_log(x) == float(Context(prec=120).ln(Decimal(x)))


@given(positive)
def test_exact_log_near_math(x: float) -> None:
    """It is within one unit in the last place of the C library's."""
    assert abs(exact_log(x) - math.log(x)) <= math.ulp(math.log(x))


@pytest.mark.parametrize(
    ("x", "expected"),
    [
        (1.0, "0x0p+0"),
        (2.0, "0x1.62e42fefa39efp-1"),  # fdlibm's ln2
        (0.5, "-0x1.62e42fefa39efp-1"),
        (10.0, "0x1.26bb1bbb55516p+1"),  # the M_LN10 of C
        # Close to half-way between two doubles, where C libraries are known to be wrong.
        (9170.0, "0x1.23f54a1c504c1p+3"),
        (41 / 35, "0x1.440af27eb8887p-3"),
        (69 / 13, "0x1.ab4de1fed5249p+0"),
        (3 / 353, "-0x1.31248c852f9cap+2"),
    ],
)
def test_known_logarithms(x: float, expected: str) -> None:
    """Logarithms known to the last bit."""
    assert exact_log(x) == float.fromhex(expected)


def test_exact_log_integers() -> None:
    """An integer, a float and a float of numpy with one value have one logarithm."""
    assert exact_log(3) == exact_log(3.0) == exact_log(np.float64(3)) == 1.0986122886681098


@pytest.mark.parametrize("x", [0.0, -0.0, -1.0, -math.inf])
def test_no_logarithm(x: float) -> None:
    """Zero and negative numbers have none: a ValueError, as from the math module."""
    with pytest.raises(ValueError):
        exact_log(x)


def test_log_of_no_finite_number() -> None:
    """Infinity and NaN stay what they are."""
    assert exact_log(math.inf) == math.inf
    assert math.isnan(exact_log(math.nan))


@given(st.lists(st.sampled_from([0.0, 1.0, 2.0]) | st.floats(-1e6, 1e6), min_size=1))
def test_largest_first(scores: list[float]) -> None:
    """The n-th largest is the n-th of the sorted scores, ties counted; the array stays."""
    array = np.array(scores, np.float64)
    for count, expected in enumerate(sorted(scores, reverse=True), start=1):
        found = largest_first(array, count)
        assert type(found) is float
        assert found == expected
    assert array.tolist() == scores
