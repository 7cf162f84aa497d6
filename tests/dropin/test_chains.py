"""Collectors that the host builds itself, in any nesting, and asks afterwards."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from whoosh import collectors as c
from whoosh import query as q
from whoosh import sorting

import steadyrank
from support_dropin import SALE, WORDS_QUERY, Host, found, id_lists, ids

pytestmark = pytest.mark.whoosh


def ask(searcher: Any, collector: Any, query: Any = WORDS_QUERY) -> Any:
    searcher.search_with_collector(query, collector)
    return collector.results()


@pytest.mark.parametrize(
    ("base", "arguments"),
    [
        (lambda: c.TopCollector(5), {"limit": 5}),
        (lambda: c.TopCollector(5, usequality=False), {"limit": 5}),
        (lambda: c.UnlimitedCollector(), {"limit": None}),
        (lambda: c.UnlimitedCollector(reverse=True), {"limit": None, "reverse": True}),
        (lambda: c.SortingCollector("price", limit=5), {"limit": 5, "sortedby": "price"}),
        (
            lambda: c.SortingCollector(sorting.ScoreFacet(), limit=None, reverse=True),
            {"limit": None, "sortedby": sorting.ScoreFacet(), "reverse": True},
        ),
        (lambda: c.UnsortedCollector(), {"scored": False}),
    ],
)
def test_a_bare_collector_of_whoosh_answers_in_the_order(
    host: Host, base: Any, arguments: dict[str, Any]
) -> None:
    """It answers what the search with these arguments does, also what is asked of it after."""
    with host.steady().searcher() as ours:
        collector = base()
        results = ask(ours, collector)
        expected = ours.search(WORDS_QUERY, **arguments)
        assert found(results) == found(expected)
        assert collector.count() == len(results) == len(expected)
        assert set(collector.all_ids()) == expected.docs()
        assert collector.computes_count()
        assert collector.runtime >= 0
        assert collector.q is WORDS_QUERY
        assert found(ask(ours, collector)) == found(expected), "a collector can be used again"


FILTERED_TOP = {
    "filter outside": lambda top: c.TimeLimitCollector(c.FilterCollector(top, SALE), 60),
    "filter inside": lambda top: c.FilterCollector(c.TimeLimitCollector(top, 60), SALE),
    "under facets": lambda top: c.FacetCollector(c.FilterCollector(top, SALE), "tag"),
    "under terms": lambda top: c.TermsCollector(c.FilterCollector(top, SALE)),
    "under a collapse": lambda top: c.CollapseCollector(c.FilterCollector(top, SALE), "id"),
    "twice": lambda top: c.FilterCollector(c.FilterCollector(top, SALE), q.Every()),
    "deep": lambda top: c.TermsCollector(
        c.TimeLimitCollector(c.FacetCollector(c.FilterCollector(top, SALE), "tag"), 60)
    ),
}


@pytest.mark.parametrize("chain", FILTERED_TOP)
@pytest.mark.parametrize("base", [lambda: c.TopCollector(4), lambda: steadyrank.SteadyCollector(4)])
def test_a_filter_holds_in_every_nesting(host: Host, chain: str, base: Any) -> None:
    """Stock drops the filter when another collector steps through its matches."""
    with host.steady().searcher() as ours:
        expected = ours.search(WORDS_QUERY, filter=SALE, limit=4)
        inner = base()
        if isinstance(inner, steadyrank.SteadyCollector):
            inner = steadyrank.SteadyCollector(4, statistics="whoosh", id_field="id")
        collector = FILTERED_TOP[chain](inner)
        results = ask(ours, collector)
        assert found(results) == found(expected)
        assert len(results) == collector.count() == len(expected)
        assert set(collector.all_ids()) == expected.docs()
        assert found(inner.results()) == found(expected), "the host's own base can be asked"


@pytest.mark.parametrize("chain", FILTERED_TOP)
def test_an_empty_filter_lets_nothing_through_in_any_nesting(host: Host, chain: str) -> None:
    def emptied(collector: Any) -> Any:
        outer = collector
        while isinstance(collector, c.WrappingCollector):
            if isinstance(collector, c.FilterCollector):
                collector.allow = set()
            collector = collector.child
        return outer

    with host.steady().searcher() as ours:
        results = ask(ours, emptied(FILTERED_TOP[chain](c.TopCollector(4))))
        assert found(results) == []
        assert len(results) == 0


def test_facets_terms_and_collapse_can_be_asked_of_their_collectors(host: Host) -> None:
    """facetmaps, termdocs, docterms, collapsed_counts and filtered_count are filled in."""
    with host.steady().searcher() as ours:
        facets = c.FacetCollector(c.UnlimitedCollector(), "tag")
        terms = c.TermsCollector(facets)
        collapsing = c.CollapseCollector(terms, "price")
        filtering = c.FilterCollector(collapsing, restrict=SALE)
        results = ask(ours, filtering)
        expected = ours.search(
            WORDS_QUERY, groupedby="tag", terms=True, collapse="price", mask=SALE, limit=None
        )
        assert found(results) == found(expected)
        groups = {name: grouped.as_dict() for name, grouped in facets.facetmaps.items()}
        assert groups == {"tag": expected.groups()} == {"tag": results.groups()}
        assert terms.termdocs.keys() == expected.termdocs.keys() == results.matched_terms()
        assert dict(terms.docterms) == expected.docterms
        assert collapsing.collapsed_counts == expected.collapsed_counts
        assert collapsing.collapsed_total == sum(expected.collapsed_counts.values())
        assert filtering.filtered_count == results.filtered_count > 0
        assert results.restricted is SALE


def test_a_collapse_inside_facets_collapses(host: Host) -> None:
    """Facets around a collapse: stock collects past it."""
    with host.steady().searcher() as ours:
        collector = c.FacetCollector(c.CollapseCollector(c.TopCollector(50), "tag"), "tag")
        results = ask(ours, collector)
        assert found(results) == found(ours.search(WORDS_QUERY, collapse="tag", limit=50))
        assert {len(docs) for docs in id_lists(results.groups(), ours).values()} == {1}


class Counting(c.WrappingCollector):  # type: ignore[misc]
    """A host's own wrapper, as Whoosh's documentation shows one."""

    def __init__(self, child: Any) -> None:
        super().__init__(child)
        self.keys: list[Any] = []

    def collect(self, sub_docnum: int) -> Any:
        key = self.child.collect(sub_docnum)
        self.keys.append(key)
        return key


class OnlyCheap(c.WrappingCollector):  # type: ignore[misc]
    """A host's own wrapper that leaves hits out."""

    def prepare(self, top_searcher: Any, q: Any, context: Any) -> None:
        super().prepare(top_searcher, q, context.set(needs_current=True))
        self.scores: dict[int, float] = {}

    def collect(self, sub_docnum: int) -> Any:
        if self.subsearcher.stored_fields(sub_docnum)["price"] >= 15:
            return None
        self.scores[self.offset + sub_docnum] = self.child.matcher.score()
        return self.child.collect(sub_docnum)


def test_a_wrapper_of_the_hosts_own_sees_every_match(host: Host) -> None:
    """Its collect() gets each match once, with the sort key that stock gives: minus the score."""
    with host.steady().searcher() as ours:
        expected = found(ours.search(WORDS_QUERY, limit=None))
        for inner in (ours.collector(limit=5), c.TopCollector(5)):
            wrapper = Counting(inner)
            assert found(ask(ours, wrapper)) == expected[:5]
            assert sorted(wrapper.keys) == sorted(-score for _, score in expected)
            assert wrapper.count() == len(expected)


def test_a_wrapper_of_the_hosts_own_may_leave_hits_out(host: Host) -> None:
    """What it does not hand on is not in the results, and the rest is in order."""
    with host.steady().searcher() as ours:
        expected = [
            (id, score)
            for id, score in found(ours.search(WORDS_QUERY, limit=None))
            if host.records[id].price < 15
        ]
        wrapper = OnlyCheap(c.UnlimitedCollector())
        results = ask(ours, wrapper)
        assert found(results) == expected
        assert len(results) == len(expected)
        assert sorted(wrapper.scores.values()) == sorted(score for _, score in expected)


def test_whooshs_wrappers_around_a_wrapper_of_the_hosts_own(host: Host) -> None:
    """Facets, terms, collapse and filter around it still speak of the same hits."""
    with host.steady().searcher() as ours:
        cheap = [
            id
            for id in ids(found(ours.search(WORDS_QUERY, filter=SALE, limit=None)))
            if host.records[id].price < 15
        ]
        facets = c.FacetCollector(OnlyCheap(c.UnlimitedCollector()), "price")
        results = ask(ours, c.FilterCollector(facets, SALE))
        assert ids(found(results)) == cheap
        everything = ids(found(ours.search(WORDS_QUERY, limit=None)))
        around = c.TermsCollector(Counting(c.TopCollector(3)))
        results = ask(ours, around)
        assert ids(found(results)) == everything[:3]
        assert results.matched_terms()
        collapsed = ask(ours, c.CollapseCollector(Counting(c.UnlimitedCollector()), "tag"))
        tags = Counter(host.records[id].tag for id in ids(found(collapsed)))
        assert set(tags.values()) == {1}


def test_a_time_limit_around_a_wrapper_of_the_hosts_own(host: Host) -> None:
    with host.steady().searcher() as ours:
        collector = c.TimeLimitCollector(Counting(c.TopCollector(5)), 60)
        assert found(ask(ours, collector)) == found(ours.search(WORDS_QUERY, limit=5))


class Prices(c.Collector):  # type: ignore[misc]
    """A host's own base collector."""

    def prepare(self, top_searcher: Any, q: Any, context: Any) -> None:
        super().prepare(top_searcher, q, context)
        self.prices: list[int] = []

    def sort_key(self, sub_docnum: int) -> Any:
        return 0

    def collect(self, sub_docnum: int) -> Any:
        self.prices.append(self.subsearcher.stored_fields(sub_docnum)["price"])
        self.docset.add(self.offset + sub_docnum)

    def results(self) -> Any:
        return self._results([(0.0, doc) for doc in sorted(self.docset)], docset=self.docset)


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_base_of_the_hosts_own_runs_as_in_stock(host: Host, wrapped: bool) -> None:
    """We do not order what we do not know; it is run by Whoosh's protocol."""
    answers = []
    for index in (host.index, host.steady()):
        with index.searcher() as searcher:
            base = Prices()
            collector = c.FilterCollector(base, SALE) if wrapped else base
            results = ask(searcher, collector)
            answers.append((base.prices, results.top_n, len(results)))
    assert answers[0] == answers[1]
    assert answers[0][0]


def test_a_steady_collector_under_stocks_searcher_runs_by_whooshs_protocol(host: Host) -> None:
    """With facets, terms, collapse and filter of Whoosh around it, on a searcher not ours."""
    with host.index.searcher() as stock, host.steady().searcher() as ours:

        def steady() -> Any:
            return steadyrank.SteadyCollector(4, id_field="id", statistics="whoosh")

        assert found(ask(stock, steady())) == found(ours.search(WORDS_QUERY, limit=4))
        facets = ask(stock, c.FacetCollector(steady(), "tag"))
        expected = ours.search(WORDS_QUERY, groupedby="tag")
        assert {name: set(docs) for name, docs in facets.groups().items()} == {
            name: set(docs) for name, docs in expected.groups().items()
        }
        assert found(ask(stock, c.FilterCollector(steady(), SALE))) == found(
            ours.search(WORDS_QUERY, filter=SALE, limit=4)
        )
        terms = ask(stock, c.TermsCollector(steady()))
        assert terms.matched_terms() == ours.search(WORDS_QUERY, terms=True).matched_terms()
        collapsed = ask(stock, c.CollapseCollector(steady(), "tag"))
        tags = [host.records[id].tag for id in ids(found(collapsed))]
        assert sorted(tags) == ["new", "outlet", "sale"]


def test_collector_gives_a_collector_to_wrap(host: Host) -> None:
    """searcher.collector(...) is there to be wrapped, as in Whoosh's documentation."""
    with host.steady().searcher() as ours:
        inner = ours.collector(limit=3, filter=SALE, groupedby="tag")
        collector = c.TimeLimitCollector(inner, 60)
        results = ask(ours, collector)
        assert found(results) == found(ours.search(WORDS_QUERY, filter=SALE, groupedby="tag"))
        assert results.groups() == ours.search(WORDS_QUERY, filter=SALE, groupedby="tag").groups()
