"""The searcher against a plain evaluation of the definition, in layouts where ties move."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whoosh import query as q

import steadyrank
from support_layouts import WORDS, Layout, corpus, write
from support_oracle import Oracle, bands
from support_queries import trees

pytestmark = pytest.mark.whoosh

layouts = st.builds(
    Layout,
    seed=st.integers(0, 10_000),
    segments=st.integers(1, 6),
    leftovers=st.integers(0, 20),
    resaved=st.integers(0, 6),
    optimized=st.booleans(),
    sortable_id=st.booleans(),
)


def found(results: Any) -> list[tuple[str, float]]:
    return [(hit["id"], hit.score) for hit in results]


def stock_differs(index: Any, oracle: Oracle) -> bool:
    """Whether stock Whoosh orders some one-word question otherwise than (score, id)."""
    with index.searcher() as searcher:
        for word in WORDS[:10]:
            query = q.Term("text", word)
            stock = [id for id, _ in found(searcher.search(query, limit=10))]
            if stock != [id for id, _ in oracle.ranking(query)][:10]:
                return True
    return False


@settings(max_examples=40)
@given(
    seed=st.integers(0, 10_000),
    size=st.integers(45, 90),
    layout=layouts,
    queries=st.lists(trees, min_size=8, max_size=8),
    gap=st.sampled_from([0.1, 0.5, 2.0]),
)
def test_search_is_the_brute_force_of_the_definition(
    seed: int, size: int, layout: Layout, queries: list[q.Query], gap: float
) -> None:
    """Ids and score bits equal the plain definition for every k, with a gap and without."""
    records = corpus(seed, size)
    oracle = Oracle(records)
    with TemporaryDirectory() as folder:
        index = write(Path(folder), records, layout)
        assert stock_differs(index, oracle), "a layout in which stock agrees proves nothing"
        steady = steadyrank.stabilize(index, id_field="id")
        banded = steadyrank.stabilize(index, id_field="id", gap=gap)
        with steady.searcher() as searcher, banded.searcher() as in_bands:
            for query in queries:
                expected = oracle.ranking(query)
                arranged = bands(expected, gap)
                assert found(searcher.search(query, limit=None)) == expected
                assert found(in_bands.search(query, limit=None)) == arranged
                for k in {1, 2, 3, 4, 7, 10, max(1, len(expected) - 1), len(expected) + 1}:
                    results = searcher.search(query, limit=k)
                    assert found(results) == expected[:k]
                    assert len(results) == len(expected)
                    assert found(in_bands.search(query, limit=k)) == arranged[:k]


@settings(max_examples=15)
@given(seed=st.integers(0, 10_000), layout=layouts, query=trees, pagelen=st.integers(1, 9))
def test_pages_concatenate_to_the_whole(
    seed: int, layout: Layout, query: q.Query, pagelen: int
) -> None:
    """Pages of any length, one after the other, are the whole ranking, bands or not."""
    records = corpus(seed, 50)
    with TemporaryDirectory() as folder:
        index = write(Path(folder), records, layout)
        for gap in (0.0, 0.5):
            with steadyrank.stabilize(index, id_field="id", gap=gap).searcher() as searcher:
                whole = found(searcher.search(query, limit=None))
                pages: list[tuple[str, float]] = []
                number = 1
                while len(pages) < len(whole):
                    pages += found(searcher.search_page(query, number, pagelen=pagelen))
                    number += 1
                assert pages == whole


def test_a_collector_of_its_own_serves_a_stock_searcher(tmp_path: Path) -> None:
    """SteadyCollector gives a plain Whoosh searcher the steady order."""
    records = corpus(5, 60)
    oracle = Oracle(records)
    index = write(tmp_path, records, Layout(seed=3, segments=3, leftovers=9))
    assert stock_differs(index, oracle)
    query = q.Or([q.Term("text", "tent"), q.Term("title", "lamp")])
    with index.searcher() as searcher:
        collector = steadyrank.SteadyCollector(limit=10, id_field="id")
        searcher.search_with_collector(query, collector)
        assert found(collector.results()) == oracle.ranking(query)[:10]


def test_twenty_thousand_equal_scores_are_answered_in_id_order(tmp_path: Path) -> None:
    """A tie of 20,000 documents is in id order for k = 4, and pages of 7 are the whole."""
    one = corpus(1, 1)[0]
    ids = [f"n{number:05}" for number in range(20_000)]
    index = write(tmp_path, [replace(one, id=id) for id in ids], Layout(seed=8, segments=2))
    query = q.Term("text", one.text.split()[0])
    with index.searcher() as stock:
        assert [hit["id"] for hit in stock.search(query, limit=4)] != ids[:4]
    with steadyrank.stabilize(index, id_field="id").searcher() as searcher:
        results = searcher.search(query, limit=4)
        assert [hit["id"] for hit in results] == ids[:4]
        assert {placement.tie_size for placement in results.placements} == {20_000}
        pages = [
            hit["id"]
            for number in range(1, 12)
            for hit in searcher.search_page(query, number, pagelen=7)
        ]
        assert pages == ids[:77]
        last = 20_000 // 7 + 1
        assert [hit["id"] for hit in searcher.search_page(query, last, pagelen=7)] == ids[
            7 * (last - 1) :
        ]
