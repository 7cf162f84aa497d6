"""Bands: who is in one, what it says of itself."""

from __future__ import annotations

import math
from itertools import zip_longest

import pytest
from hypothesis import given

from steadyrank import Candidate, bands, rank
from support_order import Item, candidates, distance, expected_bands, gaps, ids_of, items


def members(scores: dict[str, float], gap: float) -> list[list[str]]:
    return [
        ids_of(band.members) for band in bands([Candidate(*pair) for pair in scores.items()], gap)
    ]


@given(items(), gaps)
def test_brute_force(records: list[Item], gap: float) -> None:
    """Leaders and members are those of the definition, worked out without sorting."""
    found = [[band.leader.id, *ids_of(band.members)] for band in bands(candidates(records), gap)]
    assert found == [[item.id for item in band] for band in expected_bands(records, gap)]


@given(items(), gaps)
def test_partition(records: list[Item], gap: float) -> None:
    """Bands share no member, leave none out, and joined are the ranking."""
    pool = candidates(records)
    joined = [member for band in bands(pool, gap) for member in band.members]
    assert joined == rank(pool, gap)


@given(items(), gaps)
def test_numbers(records: list[Item], gap: float) -> None:
    """Span, headroom and clearance are distances from the leader."""
    found = bands(candidates(records), gap)
    for band, following in zip_longest(found, found[1:]):
        lowest = min(member.score for member in band.members)
        assert band.leader in band.members
        assert band.leader.score == max(member.score for member in band.members)
        assert band.span == distance(band.leader.score, lowest)
        assert 0 <= band.span <= gap
        assert band.headroom == distance(gap, band.span)
        if following is None or following.leader.route != band.leader.route:
            assert band.clearance is None
        else:
            beyond = distance(band.leader.score, following.leader.score)
            assert band.clearance == distance(beyond, gap)
            assert band.clearance > 0


@pytest.mark.parametrize(
    ("lower", "together"),
    [
        (9.5, True),
        (9.4999999, False),
        (math.nextafter(9.5, 0), False),
        (math.nextafter(9.5, 10), True),
    ],
)
def test_edge(lower: float, together: bool) -> None:
    """With gap 0.5 and leader 10.0, 9.5 is inside and the next double below it is not."""
    assert len(bands([Candidate("a", 10.0), Candidate("b", lower)], 0.5)) == (1 if together else 2)


def test_edge_expression() -> None:
    """0.8 - 0.3 is 0.5 in doubles, so 0.3 is in the band, though 0.3 < 0.8 - 0.5."""
    leader, score, gap = 0.8, 0.3, 0.5
    assert leader - score <= gap
    assert not score >= leader - gap  # without this the test would tell nothing
    assert members({"z": leader, "a": score}, gap) == [["a", "z"]]


def test_edge_expression_outside() -> None:
    """1.1 - 1.0 is more than 0.1 in doubles, so 1.0 is outside, though 1.0 >= 1.1 - 0.1."""
    leader, score, gap = 1.1, 1.0, 0.1
    assert not leader - score <= gap
    assert score >= leader - gap
    assert members({"z": leader, "a": score}, gap) == [["z"], ["a"]]


def test_no_chaining() -> None:
    """9.2 is within 0.5 of its neighbour 9.6 but not of the leader 10.0, so it is outside."""
    assert members({"c": 10.0, "b": 9.6, "a": 9.2}, 0.5) == [["b", "c"], ["a"]]


def test_anchoring() -> None:
    """A new leader re-anchors the band below: 9.6 and 9.2 part and 9.2 joins 9.0 instead."""
    below = {"b": 9.6, "c": 9.2, "d": 9.0}
    assert members(below, 0.5) == [["b", "c"], ["d"]]
    assert members({"a": 10.0, **below}, 0.5) == [["a", "b"], ["c", "d"]]


def test_leader_among_ties() -> None:
    """Of equal scores the smallest id leads, also when another document is shown first."""
    pool = [Candidate("b", 2.0, "a"), Candidate("a", 2.0, "z")]
    (band,) = bands(pool, 0.5)
    assert band.leader.id == "a"
    assert ids_of(band.members) == ["b", "a"]


def test_inside_a_band() -> None:
    """Documents by id whatever their scores, sections of one by score, equal ones by id."""
    pool = [
        Candidate("q#1", 10.0, "q"),
        Candidate("p#3", 9.7, "p"),
        Candidate("p#2", 9.9, "p"),
        Candidate("p#1", 9.7, "p"),
        Candidate("a", 9.6),
    ]
    assert ids_of(rank(pool, 0.5)) == ["a", "p#2", "p#1", "p#3", "q#1"]


def test_documents_part_at_the_edge() -> None:
    """A document's section outside the band waits for the next band."""
    pool = [
        Candidate("b#1", 10.0, "b"),
        Candidate("a#1", 9.8, "a"),
        Candidate("a#2", 9.4, "a"),
        Candidate("b#2", 9.3, "b"),
    ]
    assert ids_of(rank(pool, 0.5)) == ["a#1", "b#1", "a#2", "b#2"]


def test_bands_never_cross_routes() -> None:
    """Equal scores in two routes are two bands, the smaller route first."""
    found = bands([Candidate("a", 5.0, route=1), Candidate("b", 5.0)], 0.5)
    assert [ids_of(band.members) for band in found] == [["b"], ["a"]]
    assert [band.clearance for band in found] == [None, None]


@pytest.mark.parametrize("gap", [0, 0.0, -0.0])
def test_no_gap(gap: float) -> None:
    """Gap 0 gives no bands at all, not bands of ties."""
    pool = [Candidate("a", 1.0), Candidate("b", 1.0)]
    assert bands(pool, gap) == []


def test_no_candidates() -> None:
    """Nothing has no bands."""
    assert bands([], 0.5) == []


def test_smallest_gap() -> None:
    """The smallest gap there is still makes bands: of the ties, and of a difference that small."""
    tiny = 5e-324
    assert members({"c": 1.0, "d": 1.0, "b": tiny, "a": 0.0}, tiny) == [["c", "d"], ["a", "b"]]


def test_huge_gap() -> None:
    """A gap wider than all scores makes one band for each route, ordered by document."""
    pool = [Candidate(id, score) for id, score in zip("dcba", (1e6, 3.0, 0.0, -1e6), strict=True)]
    assert ids_of(rank(pool, 1e300)) == ["a", "b", "c", "d"]
    assert len(bands([*pool, Candidate("e", 2e6, route=1)], 1e300)) == 2


def test_distance_beyond_doubles() -> None:
    """A distance too large for a double is larger than every gap."""
    biggest = 1.7e308
    pool = [Candidate("b", biggest), Candidate("a", -biggest)]
    assert ids_of(rank(pool, biggest)) == ["b", "a"]


def test_limit_inside_a_band() -> None:
    """The band that straddles the limit is completed first: its lowest score may be shown first."""
    pool = [Candidate("c", 10.0), Candidate("b", 9.8), Candidate("a", 9.5), Candidate("0", 9.4)]
    assert ids_of(rank(pool, 0.5, limit=1)) == ["a"]
    assert ids_of(rank(pool, 0.5, limit=2)) == ["a", "b"]
    assert ids_of(rank(pool, 0.5, select="score", limit=2)) == ["b", "c"]
