"""Laws of the order, for any candidates."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from steadyrank import Candidate, bands, rank
from steadyrank.order import in_band, total_order
from support_order import (
    Item,
    any_gap,
    before,
    before_in_band,
    candidates,
    expected_order,
    gaps,
    ids_of,
    in_order,
    items,
)

limits = st.none() | st.integers(0, 20)


@given(items(), any_gap)
def test_brute_force(records: list[Item], gap: float) -> None:
    """The ranking is the one that the definition gives, worked out without sorting."""
    expected = [item.id for item in expected_order(records, gap)]
    assert ids_of(rank(candidates(records), gap)) == expected


@given(st.data(), items(), any_gap, st.sampled_from(["band", "score"]), limits)
def test_permutation(
    data: st.DataObject, records: list[Item], gap: float, select: str, limit: int | None
) -> None:
    """The order in which candidates come in changes nothing."""
    shuffled = data.draw(st.permutations(records))
    one = rank(candidates(records), gap, select, limit)  # type: ignore[arg-type]
    other = rank(candidates(shuffled), gap, select, limit)  # type: ignore[arg-type]
    assert one == other


@given(items(max_size=8))
def test_total_order(records: list[Item]) -> None:
    """Of two candidates exactly one comes first, and the sort key agrees with the definition."""
    for a in records:
        for b in records:
            if a is b:
                continue
            assert before(a, b) != before(b, a)
            key_a, key_b = total_order(Candidate(*a)), total_order(Candidate(*b))
            assert key_a != key_b
            assert (key_a < key_b) == before(a, b)


@given(items(max_size=8))
def test_total_order_in_band(records: list[Item]) -> None:
    """The same holds inside a band, by the key alone, whatever order a sort finds them in."""
    for a in records:
        for b in records:
            if a is b:
                continue
            assert before_in_band(a, b) != before_in_band(b, a)
            assert (in_band(Candidate(*a)) < in_band(Candidate(*b))) == before_in_band(a, b)


@given(items(), any_gap, st.integers(0, 16), st.integers(0, 16))
def test_prefix(records: list[Item], gap: float, k: int, n: int) -> None:
    """The top k is a prefix of the top n for every k <= n, whatever the bands."""
    k, n = sorted((k, n))
    pool = candidates(records)
    assert rank(pool, gap, limit=k) == rank(pool, gap, limit=n)[:k]
    assert rank(pool, gap, limit=n) == rank(pool, gap)[:n]


@given(items(), any_gap, st.integers(1, 5))
def test_pages(records: list[Item], gap: float, length: int) -> None:
    """Pages, each cut from a ranking of its own, concatenate to the whole."""
    pool = candidates(records)
    joined: list[Candidate] = []
    for start in range(0, len(pool), length):
        joined += rank(pool, gap, limit=start + length)[start:]
    assert joined == rank(pool, gap)


@given(items(), gaps, st.integers(0, 16))
def test_select_score_membership(records: list[Item], gap: float, k: int) -> None:
    """With select="score", route, score and id alone decide who is among the first k."""
    chosen = rank(candidates(records), gap, select="score", limit=k)
    assert {c.id for c in chosen} == {item.id for item in in_order(records)[:k]}


@given(items(), gaps, st.integers(0, 16))
def test_select_score_arrangement(records: list[Item], gap: float, k: int) -> None:
    """With select="score", bands arrange those inside as if nobody else existed."""
    inside = in_order(records)[:k]
    chosen = rank(candidates(records), gap, select="score", limit=k)
    assert ids_of(chosen) == [item.id for item in expected_order(inside, gap)]


@given(items(), st.integers(0, 16))
def test_select_without_gap(records: list[Item], k: int) -> None:
    """Without a gap there are no bands, so both ways to select agree."""
    pool = candidates(records)
    assert rank(pool, select="score", limit=k) == rank(pool, select="band", limit=k)


@given(items(), any_gap)
def test_nothing_lost(records: list[Item], gap: float) -> None:
    """Every candidate is in the ranking exactly once, unchanged."""
    pool = candidates(records)
    ranked = rank(pool, gap)
    assert len(ranked) == len(pool)
    assert {id(candidate) for candidate in ranked} == {id(candidate) for candidate in pool}


@given(items(), gaps)
def test_routes_stay_apart(records: list[Item], gap: float) -> None:
    """A smaller route comes first, whatever its scores, and no band spans two routes."""
    pool = candidates(records)
    routes = [candidate.route for candidate in rank(pool, gap)]
    assert routes == sorted(routes)
    for band in bands(pool, gap):
        assert {member.route for member in band.members} == {band.leader.route}


@given(items(), any_gap)
def test_ranking_a_ranking(records: list[Item], gap: float) -> None:
    """Ranking what is ranked already changes nothing."""
    once = rank(candidates(records), gap)
    assert rank(once, gap) == once
