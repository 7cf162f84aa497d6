"""sortedby, reverse, limits, and searches without scores."""

from __future__ import annotations

from typing import Any

import pytest
from whoosh import query as q
from whoosh import sorting

import steadyrank
from support_dropin import WORDS_QUERY, Host, assert_same, found, ids, in_order

pytestmark = pytest.mark.whoosh

LIMITS = (1, 2, 7, 59, 60, 61, 10_000, None)


@pytest.mark.parametrize("limit", LIMITS)
def test_every_limit_gives_the_start_of_the_whole(host: Host, limit: int | None) -> None:
    """Also a limit beyond the matches and beyond the index, where stock changes its collector."""
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        theirs = stock.search(WORDS_QUERY, limit=None)
        results = ours.search(WORDS_QUERY, limit=limit)
        assert_same(results, theirs, limit)
        assert len(results) == len(theirs)
        assert results.scored_length() == min(limit or len(theirs), len(theirs))
        assert results.has_exact_length()
        assert results.estimated_length() == results.estimated_min_length() == len(theirs)
        assert results.docs() == theirs.docs()


def test_reverse_is_the_exact_reverse(host: Host) -> None:
    """Ties too; as in stock the whole ranking is kept, whatever the limit."""
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        whole = found(ours.search(WORDS_QUERY, limit=None))
        for limit in (3, None):
            results = ours.search(WORDS_QUERY, reverse=True, limit=limit)
            assert found(results) == whole[::-1]
            theirs = stock.search(WORDS_QUERY, reverse=True, limit=limit)
            assert len(list(results)) == len(list(theirs))
        forward = [
            placement.decided_by for placement in ours.search(WORDS_QUERY, limit=None).placements
        ]
        assert sorted(
            placement.decided_by for placement in ours.search(WORDS_QUERY, reverse=True).placements
        ) == sorted(forward)


def key_of(record: Any, score: float, name: str) -> Any:
    return -score if name == "score" else getattr(record, name)


SORTS: dict[str, tuple[Any, list[str]]] = {
    "field": (lambda: "price", ["price"]),
    "keyword": (lambda: "tag", ["tag"]),
    "fields": (lambda: ["tag", "price"], ["tag", "price"]),
    "multi": (lambda: sorting.MultiFacet(["price", "tag"]), ["price", "tag"]),
    "score": (lambda: sorting.ScoreFacet(), ["score"]),
    "stored": (lambda: sorting.StoredFieldFacet("price"), ["price"]),
    "field, score": (
        lambda: [sorting.FieldFacet("tag"), sorting.ScoreFacet()],
        ["tag", "score"],
    ),
}


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("sort", SORTS)
def test_sortedby_ends_in_the_id(host: Host, sort: str, reverse: bool) -> None:
    """The host's keys decide, then the id; reverse is the exact reverse, ids included."""
    facet, names = SORTS[sort]
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        score = dict(found(ours.search(WORDS_QUERY, limit=None)))
        expected = sorted(
            score,
            key=lambda id: ([key_of(host.records[id], score[id], name) for name in names], id),
            reverse=reverse,
        )
        for limit in (4, None):
            results = ours.search(WORDS_QUERY, sortedby=facet(), reverse=reverse, limit=limit)
            assert ids(found(results)) == expected[:limit]
            assert len(results) == len(expected)
            assert results.placements == []
        theirs = stock.search(WORDS_QUERY, sortedby=facet(), limit=None)
        assert set(ids(found(theirs))) == set(expected)
        if "score" not in names:
            assert [score for score, _ in results.top_n] == [
                score for score, _ in stock.search(
                    WORDS_QUERY, sortedby=facet(), reverse=reverse, limit=None
                ).top_n
            ]  # fmt: skip


def test_a_reversed_key_among_several(host: Host) -> None:
    with host.steady().searcher() as ours:
        facet = sorting.MultiFacet().add_field("price", reverse=True).add_field("tag")
        results = ours.search(WORDS_QUERY, sortedby=facet, limit=None)
        assert ids(found(results)) == sorted(
            ids(found(results)),
            key=lambda id: (-host.records[id].price, host.records[id].tag, id),
        )


def test_pages_of_a_sorted_search_concatenate_to_the_whole(host: Host) -> None:
    with host.steady().searcher() as ours:
        whole = ids(found(ours.search(q.Every(), sortedby="tag", limit=None)))
        pages: list[str] = []
        for number in range(1, 10):
            pages += ids(found(ours.search_page(q.Every(), number, pagelen=7, sortedby="tag")))
        assert pages == whole
        assert len(pages) == 60


def test_unscored_searches_give_all_in_id_order(host: Host) -> None:
    """scored=False: every match, no score, the limit is not looked at, as in stock."""
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        theirs = stock.search(WORDS_QUERY, scored=False, limit=3)
        results = ours.search(WORDS_QUERY, scored=False, limit=3)
        assert ids(found(results)) == sorted(ids(found(theirs)))
        assert {hit.score for hit in results} == {None}
        assert len(results) == len(theirs)


def test_a_gap_with_reverse_or_sortedby_is_refused(host: Host) -> None:
    with host.steady(gap=0.5).searcher() as ours:
        with pytest.raises(steadyrank.PolicyError, match="no reverse"):
            ours.search(WORDS_QUERY, reverse=True)
        with pytest.raises(steadyrank.PolicyError, match="orders by score"):
            ours.search(WORDS_QUERY, sortedby="price")
        assert ours.search(WORDS_QUERY, scored=False)


def test_optimize_is_taken_and_changes_nothing(host: Host) -> None:
    with host.steady().searcher() as ours:
        for optimize in (True, False):
            results = ours.search(WORDS_QUERY, optimize=optimize, limit=5)
            assert found(results) == found(ours.search(WORDS_QUERY, limit=None))[:5]


@pytest.mark.parametrize("limit", [0, -1])
def test_a_limit_below_one_is_whooshs_error(host: Host, limit: int) -> None:
    with host.steady().searcher() as ours, pytest.raises(ValueError, match="limit must be >= 1"):
        ours.search(WORDS_QUERY, limit=limit)


def test_in_order_of_stock_is_not_stocks_order(host: Host) -> None:
    """The helper that tests compare with does reorder what stock gives."""
    with host.index.searcher() as stock:
        theirs = found(stock.search(WORDS_QUERY, limit=None))
        assert in_order(theirs) != theirs
