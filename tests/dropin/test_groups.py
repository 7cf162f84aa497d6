"""groupedby and collapse."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from whoosh import query as q
from whoosh import sorting

from support_dropin import SALE, TENT, WORDS_QUERY, Host, assert_same, found, id_lists, ids

pytestmark = pytest.mark.whoosh


FACETS: dict[str, Any] = {
    "field": lambda: sorting.FieldFacet("tag"),
    "number": lambda: sorting.FieldFacet("price"),
    "stored field": lambda: sorting.StoredFieldFacet("tag"),
    "queries": lambda: sorting.QueryFacet(
        {"tent": TENT, "sale": SALE, "cheap": q.NumericRange("price", 1, 9)}
    ),
    "overlapping queries": lambda: sorting.QueryFacet(
        {"tent": TENT, "sale": SALE, "all": q.Every()}, allow_overlap=True, other="rest"
    ),
    "range": lambda: sorting.RangeFacet("price", 0, 30, 7),
    "overlapping words": lambda: sorting.FieldFacet("text", allow_overlap=True),
    "several fields": lambda: sorting.MultiFacet(["tag", "price"]),
    "a function": lambda: sorting.FunctionFacet(lambda searcher, doc: doc % 1),
}


@pytest.mark.parametrize("facet", FACETS)
def test_groups_are_those_of_stock_in_result_order(host: Host, facet: str) -> None:
    """The same groups with the same members; a list stands in the order of the results."""
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        theirs = stock.search(WORDS_QUERY, groupedby=FACETS[facet](), limit=None)
        results = ours.search(WORDS_QUERY, groupedby=FACETS[facet](), limit=3)
        assert_same(results, theirs)
        expected = id_lists(theirs.groups(), stock)
        got = id_lists(results.groups(), ours)
        place = {id: at for at, id in enumerate(ids(found(results)))}
        assert len(expected) > (0 if facet == "a function" else 1)
        assert got == {
            name: sorted(group, key=place.__getitem__) for name, group in expected.items()
        }


def test_map_types(host: Host) -> None:
    """Count counts, Best is the first in the order, UnorderedList has the members."""
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        whole = found(ours.search(WORDS_QUERY, limit=None))
        tags = [host.records[id].tag for id in ids(whole)]
        counts = ours.search(WORDS_QUERY, groupedby="tag", maptype=sorting.Count).groups()
        assert counts == dict(Counter(tags))
        assert counts == stock.search(WORDS_QUERY, groupedby="tag", maptype=sorting.Count).groups()
        best = ours.search(WORDS_QUERY, groupedby="tag", maptype=sorting.Best).groups()
        assert {name: ours.stored_fields(doc)["id"] for name, doc in best.items()} == {
            tag: ids(whole)[tags.index(tag)] for tag in set(tags)
        }
        unordered = ours.search(WORDS_QUERY, groupedby="tag", maptype=sorting.UnorderedList)
        ordered = ours.search(WORDS_QUERY, groupedby="tag", maptype=sorting.OrderedList)
        assert {name: set(group) for name, group in unordered.groups().items()} == {
            name: set(group) for name, group in ordered.groups().items()
        }


def test_several_facets_with_map_types_of_their_own(host: Host) -> None:
    facets = sorting.Facets()
    facets.add_field("tag", maptype=sorting.Count)
    facets.add_facet("cheap", sorting.QueryFacet({"cheap": q.NumericRange("price", 1, 9)}))
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        theirs = stock.search(WORDS_QUERY, groupedby=facets, limit=None)
        results = ours.search(WORDS_QUERY, groupedby=facets, limit=None)
        assert set(results.facet_names()) == set(theirs.facet_names()) == {"tag", "cheap"}
        assert results.groups("tag") == theirs.groups("tag")
        with pytest.raises(KeyError):
            results.groups("absent")


def test_groups_of_a_reversed_and_of_a_sorted_search(host: Host) -> None:
    """Groups stand in the order of the results, whatever that order is."""
    for arguments in (
        {"reverse": True},
        {"sortedby": "price"},
        {"sortedby": "price", "reverse": True},
    ):
        with host.steady().searcher() as ours:
            results = ours.search(WORDS_QUERY, groupedby="tag", limit=None, **arguments)
            place = {id: at for at, id in enumerate(ids(found(results)))}
            for group in id_lists(results.groups(), ours).values():
                assert group == sorted(group, key=place.__getitem__)


@pytest.mark.parametrize("limit", [1, 2, 5])
@pytest.mark.parametrize("key", ["tag", "price"])
def test_collapse_keeps_the_first_of_each_key(host: Host, key: str, limit: int) -> None:
    """Of the whole ranking the first ``limit`` of each key stay; the rest is counted."""
    with host.steady().searcher() as ours:
        whole = found(ours.search(WORDS_QUERY, limit=None))
        kept, seen = [], Counter[Any]()
        for id, score in whole:
            value = getattr(host.records[id], key)
            seen[value] += 1
            if seen[value] <= limit:
                kept.append((id, score))
        for top in (None, 1, 3):
            results = ours.search(WORDS_QUERY, collapse=key, collapse_limit=limit, limit=top)
            assert found(results) == kept[:top]
            assert len(results) == len(kept)
            assert sum(results.collapsed_counts.values()) == len(whole) - len(kept)
            assert all(
                results.collapsed_counts[value] == max(0, count - limit)
                for value, count in seen.items()
            )
            assert len(results.docs()) == len(kept)


def test_collapse_shows_as_many_as_stock(host: Host) -> None:
    """As many hits as stock, whose own length and counts miss the hits that others replaced."""
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        theirs = stock.search(WORDS_QUERY, collapse="tag", collapse_limit=2, limit=None)
        results = ours.search(WORDS_QUERY, collapse="tag", collapse_limit=2, limit=None)
        assert results.scored_length() == theirs.scored_length() == len(results)


def test_collapse_by_an_order_of_its_own(host: Host) -> None:
    """collapse_order decides who stays, the ranking's order among equals; then scores order."""
    with host.steady().searcher() as ours:
        whole = found(ours.search(WORDS_QUERY, limit=None))
        place = {id: at for at, id in enumerate(ids(whole))}
        cheapest: dict[str, str] = {}
        for id in sorted(ids(whole), key=lambda id: (host.records[id].price, place[id])):
            cheapest.setdefault(host.records[id].tag, id)
        results = ours.search(
            WORDS_QUERY, collapse="tag", collapse_order=sorting.FieldFacet("price"), limit=None
        )
        assert ids(found(results)) == sorted(cheapest.values(), key=place.__getitem__)


def test_collapse_of_the_reversed_ranking(host: Host) -> None:
    """reverse, then collapse: the first of each key in the order that is shown."""
    with host.steady().searcher() as ours:
        whole = ids(found(ours.search(WORDS_QUERY, limit=None)))[::-1]
        first = {}
        for id in whole:
            first.setdefault(host.records[id].tag, id)
        results = ours.search(WORDS_QUERY, collapse="tag", reverse=True, limit=None)
        assert ids(found(results)) == [id for id in whole if id in first.values()]


def test_collapse_comes_before_bands(host: Host) -> None:
    """With a gap, bands are of what a collapse leaves."""
    from steadyrank import Candidate, rank

    with host.steady(gap=0.5).searcher() as banded, host.steady().searcher() as plain:
        left = found(plain.search(WORDS_QUERY, collapse="price", limit=None))
        expected = rank([Candidate(id, score) for id, score in left], gap=0.5)
        results = banded.search(WORDS_QUERY, collapse="price", limit=None)
        # Which of a price's records stays is the banded order's choice, so compare the sizes
        # and that the bands of what is there are right.
        assert len(results) == len(left) == len(expected)
        again = rank([Candidate(id, score) for id, score in found(results)], gap=0.5)
        assert found(results) == [(candidate.id, candidate.score) for candidate in again]


def test_groups_filter_terms_and_collapse_in_one_search(host: Host) -> None:
    """All at once: every part speaks of the same, collapsed and filtered, matches."""
    with host.steady().searcher() as ours:
        results = ours.search(
            WORDS_QUERY,
            filter=q.NumericRange("price", 1, 20),
            collapse="price",
            groupedby="tag",
            terms=True,
            limit=None,
        )
        shown = ids(found(results))
        assert len({host.records[id].price for id in shown}) == len(shown) > 2
        grouped = id_lists(results.groups(), ours)
        assert sorted(id for group in grouped.values() for id in group) == sorted(shown)
        assert all(hit.matched_terms() for hit in results)
