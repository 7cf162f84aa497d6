"""Placements: what decided a place, and how near it was."""

from __future__ import annotations

import math
from dataclasses import astuple

import pytest
from hypothesis import given

from steadyrank import Candidate, Placement, bands, rank
from steadyrank.order import placements, profile
from support_order import (
    Item,
    any_gap,
    candidates,
    distance,
    expected_bands,
    expected_order,
    gaps,
    ids_of,
    items,
)

MUG = Candidate("product:trail-mug", 7.25)
CUP = Candidate("product:trail-cup", 7.06)
POT = Candidate("product:camp-pot", 6.64)


def decided(pool: list[Candidate], gap: float = 0.0) -> list[str]:
    return [placement.decided_by for placement in placements(rank(pool, gap), gap)]


def test_worked_example() -> None:
    """The mug leads with 7.25; the cup, 0.19 behind, is shown first; the pot is 0.11 too far."""
    ranked = rank([POT, MUG, CUP], 0.5)
    assert ids_of(ranked) == ["product:trail-cup", "product:trail-mug", "product:camp-pot"]
    cup, mug, pot = placements(ranked, 0.5)
    assert (cup.decided_by, cup.band, cup.tie_size, cup.route) == ("band", 1, 1, 0)
    assert (mug.decided_by, mug.band, mug.tie_size, mug.route) == ("band", 1, 1, 0)
    assert (pot.decided_by, pot.band, pot.tie_size, pot.route) == ("score", 2, 1, 0)
    assert cup.headroom == pytest.approx(0.31)
    assert cup.margin == pytest.approx(0.42)
    assert mug.headroom is None
    assert mug.margin == pytest.approx(0.19)
    assert (pot.headroom, pot.margin) == (None, None)


def test_worked_example_unrounded() -> None:
    """The numbers are the doubles' own differences, not rounded for show."""
    cup, mug, _ = placements(rank([POT, MUG, CUP], 0.5), 0.5)
    assert cup.headroom == 0.5 - (7.25 - 7.06)
    assert cup.margin == 7.06 - 6.64
    assert mug.margin == 7.25 - 7.06


def test_worked_example_band() -> None:
    """The band spans 0.19, has 0.31 left, and the pot is 0.11 from joining."""
    first, second = bands([POT, MUG, CUP], 0.5)
    assert first.leader == MUG
    assert first.members == (CUP, MUG)
    assert first.span == pytest.approx(0.19)
    assert first.headroom == pytest.approx(0.31)
    assert first.clearance == pytest.approx(0.11)
    assert (second.leader, second.members) == (POT, (POT,))
    assert (second.span, second.headroom, second.clearance) == (0.0, 0.5, None)


def test_without_a_gap() -> None:
    """Without a gap there is neither band nor headroom, and the score decides."""
    found = placements(rank([POT, MUG, CUP]), 0.0)
    assert [placement.decided_by for placement in found] == ["score"] * 3
    assert {(placement.band, placement.headroom) for placement in found} == {(None, None)}


def test_decided_by_route() -> None:
    """The first of a route stands there by its route, though its score is higher or equal."""
    pool = [Candidate("a", 1.0), Candidate("b", 9.0, route=1), Candidate("c", 8.0, route=1)]
    assert decided(pool) == ["route", "route", "score"]
    assert decided(pool, 2.0) == ["route", "route", "band"]
    assert decided([Candidate("a", 1.0), Candidate("b", 1.0, route=1)], 0.5) == ["route", "route"]


def test_decided_by_id() -> None:
    """Without a gap, equal scores are told apart by id, whether of one document or not."""
    pool = [Candidate("a", 1.0), Candidate("b", 1.0, "a"), Candidate("c", 0.5)]
    assert decided(pool) == ["id", "id", "score"]


def test_decided_by_score_then_id_in_one_document() -> None:
    """In a band, sections of one document are told apart by score, and equal ones by id."""
    pool = [
        Candidate("p#1", 1.0, "p"),
        Candidate("p#2", 0.9, "p"),
        Candidate("p#3", 0.9, "p"),
        Candidate("q", 1.0),
    ]
    ranked = rank(pool, 0.5)
    assert ids_of(ranked) == ["p#1", "p#2", "p#3", "q"]
    assert [p.decided_by for p in placements(ranked, 0.5)] == ["score", "score", "id", "band"]


def test_equal_scores_in_a_band() -> None:
    """In a band, different documents are told apart by the band, also where their scores tie."""
    assert decided([Candidate("a", 1.0), Candidate("b", 1.0)], 0.5) == ["band", "band"]


def test_across_bands() -> None:
    """The first of a new band is there by its score, whatever its document."""
    pool = [Candidate("p#1", 2.0, "p"), Candidate("p#2", 1.0, "p"), Candidate("a", 0.0)]
    assert decided(pool, 0.5) == ["score", "score", "score"]


def test_first_looks_down() -> None:
    """The first result has nobody above it, so the rule is the one against the second."""
    assert decided([Candidate("a", 2.0), Candidate("b", 1.0), Candidate("c", 1.0)])[0] == "score"
    assert decided([Candidate("a", 1.0), Candidate("b", 1.0), Candidate("c", 0.0)])[0] == "id"


def test_only_result() -> None:
    """A single result has nothing to be told apart from: score, no margin, a tie of one."""
    only = [Candidate("a", 1.0, route=7)]
    assert placements(only, 0.0) == [Placement("score", None, 1, None, None, 7)]
    assert placements(only, 0.5) == [Placement("score", 1, 1, None, None, 7)]


def test_no_result() -> None:
    """Nothing has no placements."""
    assert placements([], 0.0) == placements([], 0.5) == []


def test_ties() -> None:
    """A tie counts all with exactly this score, and the margin looks past it."""
    below = math.nextafter(1.0, 0)
    ranked = rank([Candidate(id, 1.0) for id in "abc"] + [Candidate("d", below)])
    found = placements(ranked, 0.0)
    assert [placement.tie_size for placement in found] == [3, 3, 3, 1]
    assert [placement.margin for placement in found] == [1.0 - below] * 3 + [None]


def test_equidistant_leader() -> None:
    """A member at the very edge has no headroom left; one that ties with the leader has all."""
    ranked = rank([Candidate("a", 10.0), Candidate("b", 10.0), Candidate("c", 9.5)], 0.5)
    assert [placement.headroom for placement in placements(ranked, 0.5)] == [None, 0.5, 0.0]


def expected_placements(records: list[Item], gap: float) -> list[tuple[object, ...]]:
    """Every field by its definition, looking at all records each time."""
    ranked = expected_order(records, gap)
    band: dict[str, int] = {}
    leader: dict[str, Item] = {}
    for number, (first, *members) in enumerate(expected_bands(records, gap) if gap else [], 1):
        for member in members:
            band[member.id] = number
            leader[member.id] = first
    found: list[tuple[object, ...]] = []
    for place, item in enumerate(ranked):
        neighbour = None
        if len(ranked) > 1:
            neighbour = ranked[place - 1] if place > 0 else ranked[1]
        if neighbour is None:
            rule = "score"
        elif item.route != neighbour.route:
            rule = "route"
        elif gap and band[item.id] == band[neighbour.id] and item.document != neighbour.document:
            rule = "band"
        elif item.score == neighbour.score:
            rule = "id"
        else:
            rule = "score"
        lower = [other.score for other in ranked if other.score < item.score]
        headroom = None
        if gap and leader[item.id] is not item:
            headroom = distance(gap, distance(leader[item.id].score, item.score))
        found.append(
            (
                rule,
                band.get(item.id),
                sum(1 for other in ranked if other.score == item.score),
                distance(item.score, max(lower)) if lower else None,
                headroom,
                item.route,
            )
        )
    return found


@given(items(), any_gap)
def test_brute_force(records: list[Item], gap: float) -> None:
    """Every field is what its definition says, for any ranking."""
    found = placements(rank(candidates(records), gap), gap)
    assert [astuple(placement) for placement in found] == expected_placements(records, gap)


@given(items(min_size=2), gaps)
def test_prefix_with_a_profile(records: list[Item], gap: float) -> None:
    """Whole bands from the top, and the scores of all, tell the same of the top as the whole."""
    pool = candidates(records)
    ranked = rank(pool, gap)
    whole = placements(ranked, gap)
    known = profile(candidate.score for candidate in pool)
    end = 0
    for band in bands(pool, gap):
        end += len(band.members)
        if end > 1:
            assert placements(ranked[:end], gap, known) == whole[:end]


def test_prefix_without_a_profile() -> None:
    """A prefix alone knows neither the tie below it nor the margin, so a profile is needed."""
    ranked = rank([Candidate(id, score) for id, score in zip("abcd", (3, 2, 2, 1), strict=True)])
    _, second = placements(ranked[:2], 0.0)
    assert (second.tie_size, second.margin) == (1, None)
    _, second = placements(ranked[:2], 0.0, profile([3, 2, 2, 1]))
    assert (second.tie_size, second.margin) == (2, 1.0)
