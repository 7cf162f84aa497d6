"""The measured orders of a documentation server, which knows the same rule."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from steadyrank import bands, rank
from support_order import candidates, guidance, ids_of


def test_orders() -> None:
    """Every measured order and band is reproduced."""
    cases = guidance()
    assert len(cases) == 20
    for case in cases:
        pool = candidates(case.items)
        assert ids_of(rank(pool, case.gap)) == case.order, case.name
        assert [len(band.members) for band in bands(pool, case.gap)] == case.sizes, case.name


def test_band_ranges() -> None:
    """The measured ranges are of candidates by route, score and id, and hold the same records."""
    for case in guidance():
        pool = candidates(case.items)
        start = 0
        for band in bands(pool, case.gap):
            stop = start + len(band.members)
            assert {m.id for m in band.members} == {item.id for item in case.items[start:stop]}
            assert band.leader.id == case.items[start].id
            start = stop
        assert ids_of(rank(pool)) == [item.id for item in case.items], case.name


@settings(max_examples=15)
@given(st.randoms(use_true_random=False), st.integers(0, 40))
def test_permuted(random, k: int) -> None:  # type: ignore[no-untyped-def]
    """From any permutation of the candidates, whole and as a prefix."""
    for case in guidance():
        shuffled = list(case.items)
        random.shuffle(shuffled)
        assert ids_of(rank(candidates(shuffled), case.gap, limit=k)) == case.order[:k], case.name


def test_cases_mean_something() -> None:
    """The cases contain bands that rearrange, bands of several documents, ties and routes."""
    cases = guidance()
    assert any(case.order != [item.id for item in case.items] for case in cases)
    assert any(max(case.sizes) > 5 for case in cases)
    assert any(len({(i.route, i.score) for i in case.items}) < len(case.items) for case in cases)
    assert any(len({item.route for item in case.items}) > 2 for case in cases)
