"""Intervals and p values against values counted out by hand or by enumeration."""

from __future__ import annotations

import itertools
import random
from fractions import Fraction
from math import comb, fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyrank.measure import significance
from steadyrank.measure.resampling import bootstrap
from steadyrank.measure.significance import at_most, fewest_for, holm, paired_test, wilson


def binomial_tail(count: int, n: int, share: Fraction) -> Fraction:
    """The probability of ``count`` or fewer of ``n``, in whole fractions."""
    return sum(
        (Fraction(comb(n, i)) * share**i * (1 - share) ** (n - i) for i in range(count + 1)),
        Fraction(0),
    )


@pytest.mark.parametrize(
    ("count", "n", "low", "high"),
    [
        # Newcombe (1998), "Two-sided confidence intervals for the single proportion", table I:
        # method 3, the score method without continuity correction.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_gives_the_published_intervals(count: int, n: int, low: float, high: float) -> None:
    found = wilson(count / n, n)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)


@given(st.integers(1, 200), st.data())
def test_wilson_is_where_the_share_is_z_deviations_away(n: int, data: st.DataObject) -> None:
    """Its defining property: at either end, the share is 1.96 standard errors of that end away."""
    count = data.draw(st.integers(0, n))
    found = wilson(count / n, n)
    assert 0 <= found.low <= count / n <= found.high <= 1
    for end in (found.low, found.high):
        if 0 < end < 1:
            z = abs(count / n - end) / (end * (1 - end) / n) ** 0.5
            assert z == pytest.approx(1.959963984540054, rel=1e-9)


def test_wilson_without_questions_says_nothing() -> None:
    assert (wilson(0.0, 0).low, wilson(0.0, 0).high) == (0.0, 1.0)
    with pytest.raises(ValueError, match="from 0 to 1"):
        wilson(1.5, 3)


def test_nothing_of_68_still_allows_four_percent() -> None:
    assert round(at_most(0, 68), 3) == 0.043
    assert at_most(0, 68) == pytest.approx(1 - 0.05 ** (1 / 68), rel=1e-12)
    assert at_most(0, 300) == pytest.approx(3 / 300, rel=0.01), "the rule of three"


@given(st.integers(1, 40), st.data())
def test_at_most_is_the_share_that_would_give_so_few_in_one_of_twenty(
    n: int, data: st.DataObject
) -> None:
    count = data.draw(st.integers(0, n))
    bound = at_most(count, n)
    if count == n:
        assert bound == 1.0
    else:
        assert float(binomial_tail(count, n, Fraction(bound))) == pytest.approx(0.05, rel=1e-6)


def test_at_most_takes_thousands_of_questions() -> None:
    """The terms of the tail neither overflow nor vanish together."""
    assert at_most(1000, 2000) == pytest.approx(0.5 + 1.645 * 0.5 / 2000**0.5, abs=0.001)
    with pytest.raises(ValueError, match="from 0 to n"):
        at_most(3, 2)


@given(st.lists(st.integers(1, 4), min_size=4, max_size=4), st.integers(5, 30))
def test_at_most_covers_the_truth_in_19_of_20_samples(weights: list[int], n: int) -> None:
    """The law of a bound: over all samples of any true share, it lies below in at most 5 %."""
    truth = Fraction(weights[0], sum(weights))
    missed = sum(
        (
            Fraction(comb(n, i)) * truth**i * (1 - truth) ** (n - i)
            for i in range(n + 1)
            if at_most(i, n) < truth - Fraction(1, 10**9)
        ),
        Fraction(0),
    )
    assert missed <= Fraction(5, 100)


def enumerated(differences: list[float]) -> float:
    """The p value by trying all signs, in fractions that are near to what was meant."""
    exact = [Fraction(difference).limit_denominator(1000) for difference in differences]
    observed = abs(sum(exact))
    signs = list(itertools.product((1, -1), repeat=len(exact)))
    extreme = [
        one for one in signs
        if abs(sum(sign * value for sign, value in zip(one, exact, strict=True))) >= observed
    ]  # fmt: skip
    return len(extreme) / len(signs)


@given(st.lists(st.sampled_from([0, 1, -1, 2, -2, 3, -5]), max_size=9))
def test_the_test_counts_all_signs_of_whole_numbers(differences: list[int]) -> None:
    found = paired_test(differences)
    assert found.exact and found.samples == 0
    assert found.p == pytest.approx(enumerated(differences), abs=1e-12)


@given(
    st.lists(
        st.sampled_from([0.0, 1 / 3, -1 / 3, 1 / 4, -0.5, 1 - 1 / 3, 1 / 3 - 1 / 4, -1.0]),
        max_size=9,
    )
)
def test_rounding_of_differences_makes_no_difference(differences: list[float]) -> None:
    """Sums that are equal as fractions count as equal, though their doubles are not."""
    assert paired_test(differences).p == pytest.approx(enumerated(differences), abs=1e-12)


def test_the_test_by_hand() -> None:
    """Three of three one way: 2 of 8 signs are so far from 0. Ties say nothing."""
    found = paired_test([1, 1, 1, 0, 0])
    assert (found.p, found.better, found.worse, found.ties, found.n) == (0.25, 3, 0, 2, 5)
    assert found.mean == 0.6 and found.differing == 3
    # 3 - 1 = 2: of +-3 +-1 all four sums are 2 or 4 away.
    assert paired_test([3, -1]).p == 1.0
    # Six alike are the fewest that say anything at 5 %: 2 of 64.
    assert paired_test([1] * 6).p == 2 / 64 < 0.05 < paired_test([1] * 5).p
    assert fewest_for() == 6
    assert paired_test([]).p == 1.0


@given(st.lists(st.floats(-1, 1), max_size=8), st.randoms(use_true_random=False))
def test_the_order_of_questions_and_the_sides_do_not_matter(
    differences: list[float], chance: random.Random
) -> None:
    mixed = list(differences)
    chance.shuffle(mixed)
    p = paired_test(differences).p
    assert paired_test(mixed).p == p
    assert paired_test([-difference for difference in differences]).p == p


def test_many_questions_are_sampled_near_the_exact_value(monkeypatch: pytest.MonkeyPatch) -> None:
    differences = [0.5, 0.25, -0.125, 0.7, 0.3, -0.2, 0.9, 0.11, -0.05, 0.43]
    exact = paired_test(differences)
    monkeypatch.setattr(significance, "_MOST_SUMS", 10)
    sampled = paired_test(differences, seed=3, samples=4000)
    assert not sampled.exact and sampled.samples == 4000
    assert sampled.p == pytest.approx(exact.p, abs=0.02)
    assert sampled == paired_test(differences, seed=3, samples=4000), "the seed decides"
    assert paired_test([10.0**-i for i in range(30)], samples=50).p >= 1 / 51, "never 0"


def test_holm_by_hand() -> None:
    """The smallest times 3, the next times 2 but never below it, the largest as it is."""
    assert holm([0.01, 0.04, 0.03]) == [0.03, 0.06, 0.06]
    assert holm([0.5, 0.9]) == [1.0, 1.0]
    assert holm([]) == []


@given(st.lists(st.floats(0, 1), min_size=1, max_size=6), st.floats(0.001, 0.2))
def test_holm_rejects_what_its_steps_reject(ps: list[float], level: float) -> None:
    rejected = set()
    for rank, place in enumerate(sorted(range(len(ps)), key=lambda i: (ps[i], i))):
        if ps[place] * (len(ps) - rank) >= level:
            break
        rejected.add(place)
    assert {place for place, p in enumerate(holm(ps)) if p < level} == rejected


def test_the_bootstrap_is_near_what_all_resamples_give() -> None:
    """Of 5 values all 3,125 resamples can be listed."""
    values = [0.0, 0.0, 1.0, 0.5, -0.25]
    means = sorted(fsum(one) / 5 for one in itertools.product(values, repeat=5))
    found = bootstrap(values, seed=5)
    assert found.low == pytest.approx(means[int(len(means) * 0.025)], abs=0.051)
    assert found.high == pytest.approx(means[-1 - int(len(means) * 0.025)], abs=0.051)
    assert found == bootstrap(values, seed=5) and found.low <= 0.25 <= found.high


def test_the_bootstrap_of_equal_values_has_no_width() -> None:
    assert (bootstrap([0.1] * 7).low, bootstrap([0.1] * 7).high) == (0.1, 0.1)
    with pytest.raises(ValueError, match="at least one"):
        bootstrap([])


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=6), st.integers(0, 5))
def test_the_bootstrap_stays_within_the_values(values: list[float], seed: int) -> None:
    found = bootstrap(values, seed=seed, resamples=100)
    assert min(values) - 1e-12 <= found.low <= found.high <= max(values) + 1e-12
