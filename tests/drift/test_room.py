"""What is left of what keeps an order, from rankings written by hand, and how it is said."""

from __future__ import annotations

import pytest

from steadyrank.measure import Ranking, Slack, drift_of
from steadyrank.measure.drift_words import two
from support_drift import entry, ranking, run


def slacks(base: Ranking, fresh: Ranking) -> tuple[Slack, ...]:
    return drift_of(run(base), run(fresh)).questions[0].slacks


def test_the_span_of_a_band_says_how_often_its_movement_fits_into_what_is_left() -> None:
    """From 0.227 to 0.302: 0.075 used, 0.198 left, and 0.198 / 0.075 is 2.64."""
    base = ranking(entry("a", 9.773, 1), entry("b", 10.0, 1), gap=0.5, k=4)
    fresh = ranking(entry("a", 9.698, 1), entry("b", 10.0, 1), gap=0.5, k=4)
    (span,) = slacks(base, fresh)
    assert (span.kind, span.upper, span.lower, span.flips) == ("span", "b", "a", True)
    assert span.times == pytest.approx(2.64, abs=0.001)
    assert span.text == ("the span moved +0.075 of 0.5; 0.198 is left, 2.6 times this movement")


def test_one_that_stands_last_in_its_band_flips_nothing_by_leaving_it() -> None:
    base = ranking(entry("a", 10.0, 1), entry("b", 9.75, 1), gap=0.5, k=4)
    fresh = ranking(entry("a", 10.0, 1), entry("b", 9.625, 1), gap=0.5, k=4)
    drift = drift_of(run(base), run(fresh))
    assert [slack.flips for slack in drift.questions[0].slacks] == [False]
    assert drift.nearest == ()


@pytest.mark.parametrize(("id", "flips"), [("a", True), ("z", False)])
def test_the_next_below_a_band_flips_only_what_it_sorts_before(id: str, flips: bool) -> None:
    """It is 1.0 below the leader, then 0.75: 0.5 and then 0.25 from joining."""
    base = ranking(entry("m", 10.0, 1), entry(id, 9.0, 2), gap=0.5, k=4)
    fresh = ranking(entry("m", 10.0, 1), entry(id, 9.25, 2), gap=0.5, k=4)
    (clearance,) = slacks(base, fresh)
    assert (clearance.kind, clearance.upper, clearance.lower) == ("clearance", "m", id)
    assert (clearance.base, clearance.left, clearance.moved) == (0.5, 0.25, 0.25)
    assert clearance.flips is flips
    assert clearance.text == (
        "the next below the band came +0.250 nearer; 0.250 is left, 1.0 times this movement"
    )


def test_without_a_gap_neighbours_have_margins_down_to_the_first_one_out() -> None:
    base = ranking(entry("a", 5.0), entry("b", 3.0), after=[entry("c", 2.0), entry("d", 1.5)])
    fresh = ranking(entry("a", 5.0), entry("b", 3.5), after=[entry("c", 3.0), entry("d", 2.9)])
    found = [(s.kind, s.upper, s.lower, s.left, s.moved) for s in slacks(base, fresh)]
    assert found == [("margin", "a", "b", 1.5, 0.5), ("margin", "b", "c", 0.5, 0.5)]


def test_questions_that_hold_are_ranked_by_how_often_the_movement_fits() -> None:
    """1 lost 0.5 of 1.5 (2 times), 2 lost 0.5 of 0.75 (0.5 times), 3 won, 4 flipped."""

    def pair(number: int, margin: float) -> Ranking:
        upper, lower = ("a", "b") if margin >= 0 else ("b", "a")
        entries = entry(upper, 3.0 + abs(margin)), entry(lower, 3.0)
        return ranking(*entries, number=number, question=f"q{number}")

    base = run(pair(1, 1.5), pair(2, 0.75), pair(3, 0.5), pair(4, 0.125))
    fresh = run(pair(1, 1.0), pair(2, 0.25), pair(3, 0.75), pair(4, -0.125))
    drift = drift_of(base, fresh)
    assert [question.number for question in drift.nearest] == [2, 1]
    assert drift.to_dict()["nearest"] == [2, 1]
    assert [question.number for question in drift.drifted()] == [4]


def test_a_band_that_may_go_on_beyond_what_was_kept_has_no_span() -> None:
    more = {"gap": 0.5, "k": 1}
    base = ranking(entry("a", 10.0, 1), after=[entry("b", 9.75, 1)], **more)
    drift = drift_of(run(base), run(base))
    assert drift.questions[0].slacks == ()
    assert drift.questions[0].bands[0].fresh is not None
    assert drift.questions[0].bands[0].fresh.complete is False


@pytest.mark.parametrize(
    ("base", "fresh", "limit", "said"),
    [
        (0.2, 0.5000001, 0.5, ("0.2000000", "0.5000001")),
        (0.5, 0.4999999, None, ("0.5000000", "0.4999999")),
        (0.25, 0.75, 0.5, ("0.250", "0.750")),
        (1.0, 0.0000004, None, ("1.0000000", "0.0000004")),
        (2.0, 2.0, None, ("2.000", "2.000")),
        (None, 2.0, None, ("–", "2.000")),
    ],
)
def test_figures_have_the_digits_that_tell_them_apart(
    base: float | None, fresh: float, limit: float | None, said: tuple[str, str]
) -> None:
    """From each other, from zero, and from the gap that they are held against."""
    assert two(base, fresh, limit=limit) == said
