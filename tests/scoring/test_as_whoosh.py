"""``statistics="whoosh"``: the scores of stock Whoosh's exhaustive search, where it is right."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whoosh import collectors, scoring
from whoosh import query as q

import steadyrank
from support_layouts import Layout, write
from support_queries import slops, some_words, text_fields
from support_rich import rich_corpus, rich_schema

pytestmark = pytest.mark.whoosh


def latest(searcher: Any, fieldname: str, text: Any, matcher: Any) -> float:
    return float(matcher.value_as("positions")[-1] + matcher.weight())


MODELS = [
    scoring.BM25F(),
    scoring.BM25F(B=0.4, K1=1.7, title_B=0.9),
    scoring.TF_IDF(),
    scoring.Frequency(),
    scoring.PL2(c=2.0),
    scoring.MultiWeighting(scoring.BM25F(), title=scoring.TF_IDF()),
]

# What stock Whoosh scores as its documentation says when nothing is pruned: no boost on a tree of
# one clause, no DisjunctionMax, AndNot or Require, no AndMaybe inside an And, no pattern of many
# terms, no span over an Or.
boosts = st.sampled_from([1.0, 1.0, 0.5, 0.3])
every_term = st.builds(q.Term, text_fields, some_words, boosts)
tags = st.builds(q.Term, st.just("tag"), st.sampled_from(["sale", "new", "absent"]), boosts)
_phrases = st.builds(
    q.Phrase, text_fields, st.lists(some_words, min_size=2, max_size=3), slops, boosts
)
_leaves = st.one_of(every_term, every_term, every_term, tags, _phrases)


def _trees(children: st.SearchStrategy[q.Query]) -> st.SearchStrategy[q.Query]:
    several = st.lists(children, min_size=2, max_size=4)
    return st.one_of(
        st.builds(q.Or, several, boosts),
        st.builds(q.And, several, boosts),
        st.builds(lambda a, b: q.And([a, q.Not(b)]), children, children),
    )


_nested = st.recursive(_leaves, _trees, max_leaves=6)
trees = st.one_of(_nested, _nested, st.builds(q.AndMaybe, _nested, _nested))
single = st.one_of(
    st.builds(q.Every, st.sampled_from([None, "title"]), boosts),
    st.builds(q.NumericRange, st.just("price"), st.integers(-12, 0), st.integers(0, 18)),
    st.builds(q.SpanNear, every_term, every_term, slops, st.booleans()),
    st.builds(q.SpanFirst, every_term, st.integers(0, 4)),
    st.builds(q.Sequence, st.lists(every_term, min_size=2, max_size=3), slops),
)
layouts = st.builds(
    Layout,
    seed=st.integers(0, 10_000),
    segments=st.integers(1, 4),
    leftovers=st.integers(5, 15),
    resaved=st.integers(0, 6),
    optimized=st.booleans(),
)


def exhaustive(searcher: Any, query: q.Query) -> dict[str, float]:
    """Every match of stock Whoosh, with nothing pruned."""
    collector = collectors.UnlimitedCollector()
    collector.replace = 0
    searcher.search_with_collector(query, collector)
    return {hit["id"]: hit.score for hit in collector.results()}


@settings(max_examples=12)
@given(
    seed=st.integers(0, 10_000),
    layout=layouts,
    model=st.sampled_from(MODELS),
    queries=st.tuples(*[trees] * 8, *[single] * 3),
)
def test_scores_are_stock_scores(
    seed: int, layout: Layout, model: Any, queries: tuple[q.Query, ...]
) -> None:
    """With deletions not merged away, and after a merge: within 1e-9, or two snaps a leaf."""
    records = rich_corpus(seed, 50)
    with TemporaryDirectory() as folder:
        index = write(Path(folder), records, layout, rich_schema())
        view = steadyrank.stabilize(index, id_field="id", statistics="whoosh")
        with index.searcher(weighting=model) as stock, view.searcher(weighting=model) as steady:
            for query in queries:
                expected = exhaustive(stock, query)
                ours = {hit["id"]: hit.score for hit in steady.search(query, limit=None)}
                # A phrase is a leaf of up to three words; snapping moves by half a grid step.
                tolerance = max(1e-9, 3 * len(list(query.leaves())) * 2**-32)
                assert ours == pytest.approx(expected, abs=tolerance), query


def test_functions_of_positions_score_as_in_stock(tmp_path: Path) -> None:
    """A FunctionWeighting is asked for the same postings as in stock Whoosh."""
    model = scoring.FunctionWeighting(latest)
    index = write(tmp_path, rich_corpus(3, 50), Layout(segments=3, leftovers=9), rich_schema())
    view = steadyrank.stabilize(index, id_field="id", statistics="whoosh")
    query = q.Or([q.Term("text", "tent"), q.Term("text", "stove", boost=2.0)])
    with index.searcher(weighting=model) as stock, view.searcher(weighting=model) as steady:
        ours = {hit["id"]: hit.score for hit in steady.search(query, limit=None)}
        assert ours == pytest.approx(exhaustive(stock, query), abs=1e-9)


def test_the_providers_differ_where_something_was_deleted(tmp_path: Path) -> None:
    """What makes the tests above say something: live and stock statistics are not the same."""
    index = write(tmp_path, rich_corpus(3, 50), Layout(segments=3, leftovers=9), rich_schema())
    scores = {}
    for statistics in ("live", "whoosh"):
        view = steadyrank.stabilize(index, id_field="id", statistics=statistics)
        with view.searcher() as searcher:
            scores[statistics] = [
                hit.score for hit in searcher.search(q.Term("text", "tent"), limit=None)
            ]
    assert len(scores["live"]) == len(scores["whoosh"]) > 5
    assert not set(scores["live"]) & set(scores["whoosh"])
