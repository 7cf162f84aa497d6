"""What a host does with Results, hits and pages."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from whoosh import query as q
from whoosh.searching import Results, ResultsPage

import steadyrank
from support_dropin import SALE, TENT, WORDS_QUERY, Host, found, ids

pytestmark = pytest.mark.whoosh

LAMP = q.Term("text", "lamp")


def test_results_are_whooshs_and_behave_as_a_sequence(host: Host) -> None:
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        results = ours.search(WORDS_QUERY, limit=5)
        theirs = stock.search(WORDS_QUERY, limit=5)
        assert isinstance(results, Results)
        assert isinstance(results[0].score, float)
        assert [hit.rank for hit in results] == [hit.pos for hit in results] == [0, 1, 2, 3, 4]
        assert [hit["id"] for hit in results[1:3]] == ids(found(results))[1:3]
        assert [hit["id"] for hit in results[::-1]] == ids(found(results))[::-1]
        assert results.top_n == [(results.score(n), results.docnum(n)) for n in range(5)]
        assert list(results.items()) == [(doc, score) for score, doc in results.top_n]
        assert results.fields(0) == results[0].fields() == host.records[results[0]["id"]].stored()
        assert results.docnum(0) in results
        assert results.runtime > 0
        assert repr(results).split("runtime")[0] == repr(theirs).split("runtime")[0]
        assert repr(results[0]) == repr(next(hit for hit in stock.search(WORDS_QUERY, limit=None)
                                             if hit["id"] == results[0]["id"]))  # fmt: skip
        assert results.query_terms() == theirs.query_terms()
        with pytest.raises(IndexError):
            results[5]
        assert len(results.placements) == 5
        assert all(isinstance(placement, steadyrank.Placement) for placement in results.placements)


def test_combining_results_as_in_stock(host: Host) -> None:
    """extend, upgrade, upgrade_and_extend and filter move hits as stock moves them."""
    for method in ("extend", "upgrade", "upgrade_and_extend", "filter"):
        with host.steady().searcher() as ours:
            results, other = ours.search(TENT, limit=None), ours.search(LAMP, limit=None)
            first, second = ids(found(results)), ids(found(other))
            both = [id for id in first if id in second]
            rest = [id for id in first if id not in second]
            new = [id for id in second if id not in first]
            assert both and rest and new
            copied = results.copy()
            getattr(results, method)(other)
            expected = {
                "extend": first + new,
                "upgrade": both + rest,
                "upgrade_and_extend": both + rest + new,
                "filter": both,
            }[method]
            assert ids(found(results)) == expected
            assert ids(found(copied)) == first
            assert len(copied.placements) == len(first)
            docs = {ours.document_number(id=id) for id in expected}
            assert results.docs() == docs
            if method in ("extend", "filter"):
                assert len(results) == len(expected)


def test_upgrade_reversed(host: Host) -> None:
    with host.steady().searcher() as ours:
        results, other = ours.search(TENT, limit=None), ours.search(LAMP, limit=None)
        first, second = ids(found(results)), set(ids(found(other)))
        results.upgrade(other, reverse=True)
        assert ids(found(results)) == [id for id in first if id not in second] + [
            id for id in first if id in second
        ]


def test_filtering_by_empty_results_leaves_nothing(host: Host) -> None:
    """Stock keeps everything then."""
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        theirs = stock.search(TENT)
        theirs.filter(stock.search(q.NullQuery))
        assert found(theirs)
        results = ours.search(TENT)
        results.filter(ours.search(q.NullQuery))
        assert found(results) == []
        assert len(results) == 0
        assert results.docs() == set()


def test_results_as_a_filter_of_another_search(host: Host) -> None:
    with host.steady().searcher() as ours:
        for kept in (None, 2):
            before = ours.search(SALE, limit=kept)
            results = ours.search(TENT, filter=before, limit=None)
            assert found(results) == found(ours.search(TENT, filter=SALE, limit=None))


def test_pages(host: Host) -> None:
    """Pages of any length concatenate to the whole; what a page says of itself is stock's."""
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        whole = found(ours.search(WORDS_QUERY, limit=None))
        for pagelen in (7, 10, len(whole), 1000):
            pages: list[Any] = []
            for number in range(1, -(-len(whole) // pagelen) + 3):
                page = ours.search_page(WORDS_QUERY, number, pagelen=pagelen)
                theirs = stock.search_page(WORDS_QUERY, number, pagelen=pagelen)
                assert isinstance(page, ResultsPage)
                for name in ("pagenum", "pagecount", "offset", "pagelen", "total"):
                    assert getattr(page, name) == getattr(theirs, name)
                assert page.is_last_page() == theirs.is_last_page()
                assert len(page) == len(theirs) == len(whole)
                if number == page.pagenum:  # past the end it is the last page once more
                    pages += found(page)
            assert pages == whole
        with pytest.raises(ValueError, match="pagenum must be >= 1"):
            ours.search_page(WORDS_QUERY, 0)


def test_ranges_where_the_distribution_has_them(host: Host) -> None:
    with host.steady().searcher() as ours, host.index.searcher() as stock:
        assert hasattr(ours, "search_range") == hasattr(stock, "search_range")
        if not hasattr(ours, "search_range"):
            return
        whole = found(ours.search(WORDS_QUERY, limit=None))
        for start, end in ((0, 4), (3, 10), (5, 5), (2, None), (1000, 1010), (0, 0)):
            assert found(ours.search_range(WORDS_QUERY, start, end)) == whole[start:end]
        for start, end in ((-1, 3), (3, 2)):
            with pytest.raises(ValueError, match="must be >="):
                ours.search_range(WORDS_QUERY, start, end)
        with (
            host.steady(gap=0.5, select="score").searcher() as banded,
            pytest.raises(steadyrank.PolicyError, match="select"),
        ):
            banded.search_range(WORDS_QUERY, 0, 4)


def test_results_can_be_pickled_as_little_as_stocks(host: Host) -> None:
    """They hold the searcher and its files; what a host may keep are fields and scores."""
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        for searcher in (stock, ours):
            with pytest.raises(Exception):  # noqa: B017 - which one differs between versions
                pickle.dumps(searcher.search(WORDS_QUERY))
        kept = [(hit.fields(), hit.score) for hit in ours.search(WORDS_QUERY)]
        assert pickle.loads(pickle.dumps(kept)) == kept


def test_results_outlive_a_failed_and_a_later_search(host: Host) -> None:
    """A results object keeps what it found, whatever the searcher does next."""
    with host.steady().searcher() as ours:
        results = ours.search(WORDS_QUERY, limit=3)
        before = found(results)
        with pytest.raises(steadyrank.ScoreError):
            ours.search(q.Term("text", "tent", boost=float("nan")))
        ours.search(LAMP)
        assert found(results) == before
        assert len(results) == len(ours.search(WORDS_QUERY))
