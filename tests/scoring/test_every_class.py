"""Every query class of Whoosh against the plain definition, in many layouts."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whoosh import query as q

import steadyrank
from support_layouts import Layout, write
from support_oracle import Oracle
from support_queries import every_tree, nested_trees, patterns, ranges, span_queries
from support_rich import blocks_of, rich_corpus, rich_schema, write_blocks

pytestmark = pytest.mark.whoosh

layouts = st.builds(
    Layout,
    seed=st.integers(0, 10_000),
    segments=st.integers(1, 6),
    leftovers=st.integers(0, 12),
    resaved=st.integers(0, 6),
    optimized=st.booleans(),
)
seeds = st.integers(0, 10_000)


def found(searcher: Any, query: q.Query) -> list[tuple[str, float]]:
    return [(hit["id"], hit.score) for hit in searcher.search(query, limit=None)]


@settings(max_examples=15)
@given(
    seed=seeds,
    layout=layouts,
    queries=st.tuples(*[patterns] * 4, *[ranges] * 4, *[span_queries] * 6, *[every_tree] * 6),
)
def test_search_is_the_definition_for_every_class(
    seed: int, layout: Layout, queries: tuple[q.Query, ...]
) -> None:
    """Ids and score bits equal the plain definition, for trees of all of Whoosh's classes."""
    records = rich_corpus(seed, 40)
    oracle = Oracle(records)
    with TemporaryDirectory() as folder:
        index = write(Path(folder), records, layout, rich_schema())
        with steadyrank.stabilize(index, id_field="id").searcher() as searcher:
            for query in queries:
                assert found(searcher, query) == oracle.ranking(query), query


@settings(max_examples=10)
@given(seed=seeds, layout=layouts, queries=st.tuples(*[nested_trees] * 8))
def test_blocks_of_parents_and_children(
    seed: int, layout: Layout, queries: tuple[q.Query, ...]
) -> None:
    """Parents found by children and children by parents, whatever the order of the blocks."""
    blocks = blocks_of(rich_corpus(seed, 40), seed)
    ids = [[record.id for record in block] for block in blocks]
    oracle = Oracle([record for block in blocks for record in block], blocks=ids)
    with TemporaryDirectory() as folder:
        index = write_blocks(Path(folder), blocks, layout)
        with steadyrank.stabilize(index, id_field="id").searcher() as searcher:
            for query in queries:
                assert found(searcher, query) == oracle.ranking(query), query
