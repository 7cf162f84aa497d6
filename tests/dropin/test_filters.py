"""filter and mask, in every form a host may give them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from whoosh import query as q
from whoosh.idsets import BitSet, SortedIntSet

from support_dropin import SALE, TENT, WORDS_QUERY, Host, assert_same, found, ids

pytestmark = pytest.mark.whoosh

Given = Callable[[Any], Any]


def sale_docs(searcher: Any) -> set[int]:
    return set(searcher.docs_for_query(SALE))


FORMS: dict[str, Given] = {
    "query": lambda s: SALE,
    "set": sale_docs,
    "frozenset of numbers": lambda s: frozenset(sale_docs(s)),
    "bit set": lambda s: BitSet(sorted(sale_docs(s)), size=s.doc_count_all()),
    "sorted numbers": lambda s: SortedIntSet(sorted(sale_docs(s))),
    "results": lambda s: s.search(SALE, limit=None),
    "limited results": lambda s: s.search(SALE, limit=2),
    "page": lambda s: s.search_page(SALE, 1, pagelen=3),
    "unscored results": lambda s: s.search(SALE, scored=False),
}

EMPTY: dict[str, Given] = {
    "set": lambda s: set(),
    "frozenset": lambda s: frozenset(),
    "bit set": lambda s: BitSet(),
    "query without matches": lambda s: q.Term("tag", "absent"),
    "null query": lambda s: q.NullQuery,
    "results": lambda s: s.search(q.Term("tag", "absent")),
    "page": lambda s: s.search_page(q.Term("tag", "absent"), 1),
}


@pytest.mark.parametrize("form", FORMS)
def test_a_filter_is_what_stock_makes_of_its_query(host: Host, form: str) -> None:
    """Every form of one filter gives the matches of stock's filter by query, in our order."""
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        given = FORMS[form](ours)
        expected = stock.search(WORDS_QUERY, filter=SALE, limit=None)
        for limit in (None, 1, 5, 1000):
            results = ours.search(WORDS_QUERY, filter=given, limit=limit)
            assert_same(results, expected, limit)
            assert len(results) == len(expected)
            assert results.filtered_count == expected.filtered_count > 0


@pytest.mark.parametrize("form", FORMS)
def test_a_mask_is_what_stock_makes_of_its_query(host: Host, form: str) -> None:
    """Every form of one mask leaves out what stock's mask by query leaves out."""
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        expected = stock.search(WORDS_QUERY, mask=SALE, limit=None)
        results = ours.search(WORDS_QUERY, mask=FORMS[form](ours), limit=None)
        assert_same(results, expected)
        assert len(results) == len(expected) > 0


def test_filter_and_mask_together(host: Host) -> None:
    """A document in both is out."""
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        cheap = q.NumericRange("price", 1, 12)
        expected = stock.search(WORDS_QUERY, filter=cheap, mask=SALE, limit=None)
        results = ours.search(WORDS_QUERY, filter=cheap, mask=SALE, limit=None)
        assert_same(results, expected)
        assert {host.records[id].tag for id in ids(found(results))} <= {"new", "outlet"}


@pytest.mark.parametrize("form", EMPTY)
def test_an_empty_filter_lets_nothing_through(host: Host, form: str) -> None:
    """An empty filter is a condition that nothing meets; where it enforces access that counts."""
    with host.steady().searcher() as ours:
        results = ours.search(WORDS_QUERY, filter=EMPTY[form](ours))
        assert found(results) == []
        assert len(results) == 0
        assert not results
        assert results.docs() == set()
        page = ours.search_page(WORDS_QUERY, 1, filter=EMPTY[form](ours))
        assert list(page) == []


def test_stock_lets_everything_through_an_empty_filter(host: Host) -> None:
    """What the test above guards against is there in stock."""
    with host.index.searcher() as stock:
        assert len(stock.search(WORDS_QUERY, filter=set())) > 0


@pytest.mark.parametrize("form", EMPTY)
def test_an_empty_mask_takes_nothing_away(host: Host, form: str) -> None:
    with host.steady().searcher() as ours:
        masked = ours.search(WORDS_QUERY, mask=EMPTY[form](ours), limit=None)
        assert found(masked) == found(ours.search(WORDS_QUERY, limit=None))


def test_a_filter_by_and_not_does_not_let_the_first_posting_through(host: Host) -> None:
    """Filters are evaluated by us, so a fault of stock's AndNot matcher is not in them."""
    condition = q.AndNot(TENT, SALE)
    with host.steady().searcher() as ours:
        results = ours.search(q.Every(), filter=condition, limit=None)
        expected = {
            record.id
            for record in host.records.values()
            if "tent" in record.text.split() and record.tag != "sale"
        }
        assert set(ids(found(results))) == expected


def test_what_is_no_filter_is_an_error_that_says_what_is(host: Host) -> None:
    with (
        host.steady().searcher() as ours,
        pytest.raises(TypeError, match="a filter or mask is a query"),
    ):
        ours.search(WORDS_QUERY, filter=17)
