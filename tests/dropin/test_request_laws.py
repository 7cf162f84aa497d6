"""What may vary in a request without varying the answer, and what a longer answer starts with."""

from __future__ import annotations

import copy
import random
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whoosh import query as q

import steadyrank
from support_layouts import Layout, corpus, write
from support_queries import trees

pytestmark = pytest.mark.whoosh


@pytest.fixture(scope="module")
def index() -> Iterator[Any]:
    with TemporaryDirectory() as folder:
        yield write(Path(folder), corpus(21, 90), Layout(seed=4, segments=3, leftovers=15))


def found(results: Any) -> list[tuple[str, float]]:
    return [(hit["id"], hit.score) for hit in results]


def other_order(query: q.Query, rng: random.Random) -> q.Query:
    """The same tree with the clauses of every Or, And and DisjunctionMax in another order."""
    twin = copy.copy(query)
    for name in ("a", "b", "query", "child"):
        if hasattr(twin, name):
            setattr(twin, name, other_order(getattr(twin, name), rng))
    if isinstance(getattr(twin, "subqueries", None), list):
        twin.subqueries = [other_order(clause, rng) for clause in twin.subqueries]
        rng.shuffle(twin.subqueries)
    elif hasattr(twin, "a"):
        twin.subqueries = (twin.a, twin.b)
    return twin


narrowings = st.fixed_dictionaries(
    {},
    optional={
        "filter": st.sampled_from([q.Term("tag", "sale"), q.Every(), {3, 7, 20, 31, 40}, set()]),
        "mask": st.sampled_from([q.Term("text", "tent"), {5, 6}, set()]),
        "collapse": st.sampled_from(["tag", "price"]),
        "collapse_limit": st.integers(1, 3),
    },
)


@settings(max_examples=60)
@given(query=trees, gap=st.sampled_from([0.0, 0.4]), narrowing=narrowings)
def test_a_longer_answer_starts_with_the_shorter_one(
    index: Any, query: q.Query, gap: float, narrowing: dict[str, Any]
) -> None:
    """Prefix and page law for every tree, gap, filter, mask and collapse."""
    with steadyrank.stabilize(index, id_field="id", gap=gap).searcher() as searcher:
        whole = found(searcher.search(query, limit=None, **narrowing))
        for k in (1, 2, 5, 9):
            assert found(searcher.search(query, limit=k, **narrowing)) == whole[:k]
        pages: list[tuple[str, float]] = []
        for number in range(1, len(whole) // 6 + 2):
            page = searcher.search_page(query, number, pagelen=6, **narrowing)
            pages += found(page) if len(pages) < len(whole) else []
        assert pages == whole


@settings(max_examples=60)
@given(query=trees, gap=st.sampled_from([0.0, 0.4]), seed=st.integers(0, 99))
def test_how_it_is_asked_changes_nothing(index: Any, query: q.Query, gap: float, seed: int) -> None:
    """Matched terms, another order of the clauses, a filter that lets all through: same bits."""
    with steadyrank.stabilize(index, id_field="id", gap=gap).searcher() as searcher:
        expected = found(searcher.search(query, limit=None))
        assert found(searcher.search(query, limit=None, terms=True)) == expected
        assert found(searcher.search(query, limit=None, filter=q.Every())) == expected
        assert found(searcher.search(query, limit=None, mask=set())) == expected
        assert found(searcher.search(query, limit=None, optimize=False)) == expected
        assert found(searcher.search(query, limit=None, groupedby="tag")) == expected
        twin = other_order(query, random.Random(seed))
        assert found(searcher.search(twin, limit=None)) == expected
        assert found(searcher.search(query, limit=7, terms=True)) == expected[:7]


@settings(max_examples=40)
@given(query=trees)
def test_reverse_is_the_exact_reverse(index: Any, query: q.Query) -> None:
    """Ties are reversed too, since the whole ranking is."""
    with steadyrank.stabilize(index, id_field="id").searcher() as searcher:
        expected = found(searcher.search(query, limit=None))[::-1]
        assert found(searcher.search(query, limit=None, reverse=True)) == expected
