"""Odd indexes, odd queries, odd boosts and weighting models: an answer, or one clear error."""

from __future__ import annotations

import itertools
import math
import warnings
from pathlib import Path
from typing import Any

import pytest
from whoosh import fields, index, scoring, sorting
from whoosh import query as q

import steadyrank
from support_dropin import TENT, WORDS_QUERY, Host, assert_same, found, ids
from support_layouts import Layout, corpus, write

pytestmark = pytest.mark.whoosh

ARGUMENTS: list[dict[str, Any]] = [
    {}, {"limit": None}, {"limit": 1}, {"groupedby": "tag"}, {"sortedby": "price"},
    {"sortedby": sorting.ScoreFacet()}, {"terms": True}, {"collapse": "tag"}, {"filter": q.Every()},
    {"mask": q.Every()}, {"scored": False}, {"reverse": True, "limit": None},
    {"groupedby": sorting.QueryFacet({"tent": TENT}), "collapse": "price", "terms": True},
]  # fmt: skip
QUERIES = [
    q.Every(), q.NullQuery, TENT, WORDS_QUERY, q.Not(TENT), q.Prefix("text", "t"),
    q.Wildcard("text", "*"), q.FuzzyTerm("text", "tant"), q.NumericRange("price", 1, 30),
    q.Phrase("text", ["tent", "stove"]), q.Or([]), q.And([]), q.Phrase("text", []),
    q.Or([q.NullQuery, TENT]), q.And([TENT, q.Not(TENT)]), q.ConstantScoreQuery(TENT, 2.0),
]  # fmt: skip


def search_everything(searcher: Any) -> list[int]:
    """How many hits each query with each argument has."""
    counts = []
    for query, extra in itertools.product(QUERIES, ARGUMENTS):
        results = searcher.search(query, **extra)
        counts.append(len(results))
        assert results.scored_length() <= len(results) == len(results.docs())
        assert list(results.placements) == list(results.placements)
        assert results.is_empty() == (not list(results))
    return counts


@pytest.mark.parametrize("statistics", ["live", "whoosh"])
@pytest.mark.parametrize("case", ["never written", "all deleted", "nothing committed"])
def test_an_index_without_documents(tmp_path: Path, case: str, statistics: str) -> None:
    """Every query answers with nothing, under every model, and a page is empty."""
    ix = write(tmp_path, corpus(3, 3 if case == "all deleted" else 0), Layout())
    if case == "all deleted":
        writer = ix.writer()
        writer.delete_by_query(q.Every())
        writer.commit(merge=False)
        assert ix.doc_count_all() == 3
    if case == "never written":
        (tmp_path / "fresh").mkdir()
        from support_layouts import schema

        ix = index.create_in(str(tmp_path / "fresh"), schema())
    ours = steadyrank.stabilize(ix, id_field="id", statistics=statistics)
    for model in (scoring.BM25F, scoring.TF_IDF, scoring.PL2, scoring.DFree, scoring.Frequency):
        with ours.searcher(weighting=model()) as searcher:
            assert set(search_everything(searcher)) == {0}
            page = searcher.search_page(TENT, 1)
            assert list(page) == []
            assert page.total == 0


def test_an_index_of_one_document(tmp_path: Path) -> None:
    (record,) = corpus(3, 1)
    ix = write(tmp_path, [record], Layout())
    with steadyrank.stabilize(ix, id_field="id").searcher() as searcher:
        assert set(search_everything(searcher)) == {0, 1}
        results = searcher.search(q.Every())
        assert ids(found(results)) == [record.id]
        (placement,) = results.placements
        assert placement.margin is None
        assert placement.tie_size == 1


def test_a_schema_without_a_scored_field(tmp_path: Path) -> None:
    """Ids and keywords only, and one with no indexed field at all."""
    ix = index.create_in(
        str(tmp_path), fields.Schema(id=fields.ID(stored=True), tags=fields.KEYWORD(stored=True))
    )
    for id in "cab":
        with ix.writer() as writer:
            writer.add_document(id=id, tags="x y x" if id == "c" else "x")
            writer.merge = False
    with steadyrank.stabilize(ix).searcher() as searcher, ix.searcher() as stock:
        results = searcher.search(q.Term("tags", "x"))
        assert ids(found(results)) == ["c", "a", "b"]
        assert_same(results, stock.search(q.Term("tags", "x"), limit=None))
        assert ids(found(searcher.search(q.Every()))) == ["a", "b", "c"]
    (tmp_path / "stored").mkdir()
    ix = index.create_in(str(tmp_path / "stored"), fields.Schema(id=fields.STORED))
    with ix.writer() as writer:
        for id in "cab":
            writer.add_document(id=id)
    with steadyrank.stabilize(ix).searcher() as searcher:
        assert ids(found(searcher.search(q.Every()))) == ["a", "b", "c"]
        assert found(searcher.search(q.Term("id", "a"))) == []


@pytest.mark.parametrize(
    "query",
    [
        q.Term("nope", "x"), q.Prefix("nope", "x"), q.Wildcard("nope", "*x"), q.Every("nope"),
        q.FuzzyTerm("nope", "xyz"), q.Phrase("nope", ["a", "b"]), q.NumericRange("nope", 1, 2),
        q.TermRange("nope", "a", "b"), q.Regex("nope", "x.*"), q.Variations("nope", "run"),
    ],
    ids=repr,
)  # fmt: skip
def test_a_field_that_is_not_there_has_no_matches(host: Host, query: Any) -> None:
    """Alone and among others, where stock raises for some of them."""
    with host.steady().searcher() as ours:
        assert found(ours.search(query)) == []
        assert found(ours.search(q.Or([TENT, query]))) == found(ours.search(TENT))
        assert found(ours.search(q.And([TENT, query]), terms=True)) == []
        assert len(ours.search(q.Not(query), limit=None)) == len(host.records)
        assert found(ours.search(TENT, filter=query)) == []


def test_phrases_on_a_field_without_positions(tmp_path: Path) -> None:
    """One clear error, which is Whoosh's QueryError; whoosh3's degrade=True asks for all words."""
    ix = index.create_in(
        str(tmp_path), fields.Schema(id=fields.ID(stored=True), text=fields.TEXT(phrase=False))
    )
    with ix.writer() as writer:
        writer.add_document(id="a", text="stove tent")
        writer.add_document(id="b", text="tent")
    with steadyrank.stabilize(ix).searcher() as searcher:
        phrase = q.Phrase("text", ["tent", "stove"])
        with pytest.raises(q.QueryError, match="stores no positions"):
            searcher.search(phrase)
        if hasattr(phrase, "degrade"):
            with pytest.raises(q.QueryError, match="degrade=True"):
                searcher.search(phrase)
            phrase.degrade = True
            expected = searcher.search(q.And([q.Term("text", "tent"), q.Term("text", "stove")]))
            assert found(searcher.search(phrase)) == found(expected)
            assert ids(found(expected)) == ["a"]


def test_a_thousand_clauses(host: Host) -> None:
    """Most of them unknown, many the same; the sum is exact in any order of the clauses."""
    clauses = [q.Term("text", f"w{number}") for number in range(500)]
    clauses += [q.Term("text", word) for word in ("tent", "stove", "lamp", "rope", "boot")] * 100
    with host.steady().searcher() as ours:
        results = found(ours.search(q.Or(clauses), limit=None))
        assert results == found(ours.search(q.Or(clauses[::-1]), limit=None))
        once = dict(found(ours.search(q.Or(clauses[500:505]), limit=None)))
        assert results == sorted(
            ((id, 100 * score) for id, score in once.items()), key=lambda pair: (-pair[1], pair[0])
        )


def nested(levels: int) -> Any:
    query: Any = TENT
    for _ in range(levels):
        query = q.Or([query, q.Term("text", "lamp")])
    return query


def test_deep_trees(host: Host) -> None:
    """As deep as stock's at least; deeper than Python's stack is one clear error."""
    with host.steady().searcher() as ours:
        results = ours.search(nested(120), terms=True)
        assert results.matched_terms() == {("text", b"tent"), ("text", b"lamp")}
        for arguments in ({}, {"terms": True}, {"limit": None, "groupedby": "tag"}):
            with pytest.raises(steadyrank.UnsupportedQueryError, match="nested too deeply"):
                ours.search(nested(5000), **arguments)
        with pytest.raises(TypeError, match="or a filter of it is nested too deeply"):
            ours.search(TENT, filter=nested(5000))
        assert ours.search(TENT)


WRONG_BOOSTS = [1e6, 1e300, math.inf, -math.inf, math.nan, -1e7]


@pytest.mark.parametrize("boost", WRONG_BOOSTS, ids=repr)
@pytest.mark.parametrize(
    "query",
    [
        lambda boost: q.Term("text", "tent", boost=boost),
        lambda boost: q.Or([TENT, q.Term("text", "stove")], boost=boost),
        lambda boost: q.And([q.Term("text", "tent", boost=boost), q.Term("text", "stove")]),
        lambda boost: q.Or([TENT, q.Term("text", "stove")], boost=boost, scale=0.5),
        lambda boost: q.DisjunctionMax([TENT, q.Term("text", "stove")], boost=boost),
        lambda boost: q.Prefix("text", "t", boost=boost, constantscore=False),
        lambda boost: q.Phrase("text", ["tent", "tent"], slop=9, boost=boost),
        lambda boost: q.Every(boost=boost * 2),
    ],
)
def test_scores_out_of_range_are_a_score_error(host: Host, query: Any, boost: float) -> None:
    """Never an order that is wrong without a word, never a warning of numpy instead."""
    with host.steady().searcher() as ours, warnings.catch_warnings():
        warnings.simplefilter("error")
        with pytest.raises(steadyrank.ScoreError, match=r"out of range.*use smaller boosts"):
            ours.search(query(boost), limit=None)


def test_negative_and_zero_boosts_match_and_order(host: Host) -> None:
    """A negative boost turns the order round; matches stay, which stock drops from some unions."""
    with host.steady().searcher() as ours:
        plain = dict(found(ours.search(WORDS_QUERY, limit=None)))
        for boost in (-1.0, -0.5, 0.0, -0.0):
            query = q.Or(list(WORDS_QUERY.subqueries), boost=boost)
            results = found(ours.search(query, limit=None))
            assert ids(results) == sorted(plain, key=lambda id: (-boost * plain[id], id))
            assert all(math.copysign(1, score) > 0 for _, score in results if score == 0)


class Hits(scoring.WeightingModel):  # type: ignore[misc]
    """A host's own model: overrides scorer, with an own score()."""

    class Scorer(scoring.BaseScorer):  # type: ignore[misc]
        def supports_block_quality(self) -> bool:
            return False

        def score(self, matcher: Any) -> float:
            return float(matcher.weight()) * 2 + 1

    def scorer(self, searcher: Any, fieldname: str, text: Any, qf: int = 1) -> Any:
        return self.Scorer()


class Lengths(scoring.WeightingModel):  # type: ignore[misc]
    """Overrides _score of a scorer by weight and length."""

    class Scorer(scoring.WeightLengthScorer):  # type: ignore[misc]
        def __init__(self, searcher: Any, fieldname: str, text: Any) -> None:
            self.setup(searcher, fieldname, text)

        def _score(self, weight: float, length: float) -> float:
            return weight / (length + 1)

    def scorer(self, searcher: Any, fieldname: str, text: Any, qf: int = 1) -> Any:
        if not searcher.schema[fieldname].scorable:
            return scoring.WeightScorer.for_(searcher, fieldname, text)
        return self.Scorer(searcher, fieldname, text)


class Flat(scoring.BM25F):  # type: ignore[misc]
    """Overrides idf."""

    def idf(self, searcher: Any, fieldname: str, text: Any) -> float:
        return 1.0


class Priced(scoring.BM25F):  # type: ignore[misc]
    """Overrides final, which sees the searcher, the document and its score."""

    use_final = True

    def final(self, searcher: Any, docnum: int, score: float) -> float:
        return score + 1 / searcher.stored_fields(docnum)["price"]


MODELS = [
    scoring.BM25F, scoring.BM25F(), scoring.BM25F(B=0.3, K1=2.0), scoring.BM25F(title_B=1.0),
    scoring.TF_IDF, scoring.TF_IDF(), scoring.Frequency, scoring.PL2, scoring.DebugModel(),
    scoring.FunctionWeighting(lambda searcher, field, text, matcher: matcher.weight() * 3.0),
    scoring.MultiWeighting(scoring.BM25F(), tag=scoring.TF_IDF(), title=scoring.Frequency()),
    Hits, Hits(), Lengths, Flat, Flat(), Priced, Priced(),
]  # fmt: skip


@pytest.mark.parametrize(
    "model", MODELS, ids=lambda model: getattr(model, "__name__", type(model).__name__ + "()")
)
def test_weighting_models_give_stocks_scores(host: Host, model: Any) -> None:
    """As a class or an instance, Whoosh's or the host's own: stock's scores, our order."""
    query = q.Or([*WORDS_QUERY.subqueries, q.Term("tag", "sale")])
    with (
        host.index.searcher(weighting=model) as stock,
        host.steady().searcher(weighting=model) as ours,
    ):
        theirs = stock.search(query, limit=None)
        for limit in (None, 7):
            results = ours.search(query, limit=limit)
            assert_same(results, theirs, limit)
            assert len(results) == len(theirs)


@pytest.mark.parametrize("wrong", [math.nan, math.inf, 1e12])
def test_a_model_that_gives_no_finite_score(host: Host, wrong: float) -> None:
    model = scoring.FunctionWeighting(lambda searcher, field, text, matcher: wrong)
    with host.steady().searcher(weighting=model) as ours:
        with pytest.raises(steadyrank.ScoreError, match="out of range"):
            ours.search(TENT)
        assert len(ours.search(q.NumericRange("price", 1, 30), limit=None)) == len(host.records)


def test_what_is_no_query(host: Host) -> None:
    """As in stock an AttributeError, not a wrong answer."""
    with host.steady().searcher() as ours, host.index.searcher() as stock:
        for searcher in (ours, stock):
            for query in ("tent", None):
                with pytest.raises(AttributeError):
                    searcher.search(query)
        with pytest.raises(KeyError):
            ours.search(TENT, groupedby="nope")
        with pytest.raises(KeyError):
            ours.search(TENT, sortedby="nope")
