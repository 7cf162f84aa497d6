"""Every weighting model under live and pinned statistics, against plain formulas."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whoosh import fields, index, scoring
from whoosh import query as q

import steadyrank
from steadyrank import KeywordPoints, Statistics
from support_layouts import Layout, write
from support_models import Counted, Facts, formula_of, stored_length
from support_oracle import Oracle, snapped
from support_queries import boosts, phrases, tags, terms
from support_rich import RichRecord, rich_corpus, rich_schema

pytestmark = pytest.mark.whoosh

MODELS = {
    "bm25f": scoring.BM25F(),
    "bm25f-tuned": scoring.BM25F(B=0.2, K1=2.0, title_B=1.0),
    "tf-idf": scoring.TF_IDF(),
    "frequency": scoring.Frequency(),
    "pl2": scoring.PL2(),
    "pl2-tuned": scoring.PL2(c=3.3),
    "dfree": scoring.DFree(),
    "multi": scoring.MultiWeighting(scoring.BM25F(), title=scoring.PL2(), tag=scoring.TF_IDF()),
    "reverse": scoring.ReverseWeighting(scoring.BM25F()),
    "reverse-dfree": scoring.ReverseWeighting(scoring.DFree()),
}

QUERIES = [
    q.Term("text", "tent"),
    q.Term("title", "stove", boost=2.5),
    q.Term("tag", "sale"),
    q.Term("id", "r0001"),
    q.Or([q.Term("text", word) for word in ("tent", "tents", "lamp", "nowhere")], boost=0.3),
    q.And([q.Term("text", "tent"), q.Or([q.Term("title", "tent"), q.Term("text", "boot")])]),
    q.DisjunctionMax([q.Term("title", "tent"), q.Term("text", "tent", boost=3.0)]),
    q.AndMaybe(q.Term("text", "stove"), q.Term("tag", "new")),
    q.Phrase("text", ["tent", "stove"], slop=3),
    q.Prefix("text", "t", constantscore=False),
    q.Variations("text", "pull"),
]


@dataclass(frozen=True)
class Scene:
    """One set of records in a messy index, and other records to pin statistics of."""

    records: list[RichRecord]
    index: Any
    others: list[RichRecord]
    pinned: Statistics


@pytest.fixture(scope="module")
def scene(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Scene]:
    records, others = rich_corpus(11, 70), rich_corpus(12, 30)
    layout = Layout(seed=2, segments=4, leftovers=15, resaved=9)
    ours = write(tmp_path_factory.mktemp("messy"), records, layout, rich_schema())
    pinned_index = write(
        tmp_path_factory.mktemp("other"), others, Layout(leftovers=3), rich_schema()
    )
    yield Scene(records, ours, others, Statistics.pin(pinned_index))
    ours.close()
    pinned_index.close()


def found(searcher: Any, query: q.Query) -> list[tuple[str, float]]:
    return [(hit["id"], hit.score) for hit in searcher.search(query, limit=None)]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("statistics", ["live", "pinned"])
def test_models_are_their_formulas(scene: Scene, name: str, statistics: str) -> None:
    """Score bits of each model are those of its formula on plain numbers."""
    pinned = statistics == "pinned"
    counted = Counted(scene.others if pinned else scene.records, pinned=pinned)
    oracle = Oracle(scene.records, model=formula_of(MODELS[name]), counted=counted)
    steady = steadyrank.stabilize(
        scene.index, id_field="id", statistics=scene.pinned if pinned else "live"
    )
    with steady.searcher(weighting=MODELS[name]) as searcher:
        for query in QUERIES:
            assert found(searcher, query) == oracle.ranking(query), query


# Models of a host's own.


class Shortest(scoring.WeightingModel):  # type: ignore[misc]
    """Weight over length: ``_score`` of Whoosh's base for models of two numbers."""

    def scorer(self, searcher: Any, fieldname: str, text: Any, qf: int = 1) -> Any:
        return ShortestScorer(searcher, fieldname, text)


class ShortestScorer(scoring.WeightLengthScorer):  # type: ignore[misc]
    def __init__(self, searcher: Any, fieldname: str, text: Any) -> None:
        self.rarity = searcher.get_parent().doc_frequency(fieldname, text)
        self.setup(searcher, fieldname, text)

    def _score(self, weight: float, length: int) -> float:
        return weight / (length + self.rarity)


class Looking(scoring.WeightingModel):  # type: ignore[misc]
    """A scorer that asks its matcher and its searcher for everything."""

    def scorer(self, searcher: Any, fieldname: str, text: Any, qf: int = 1) -> Any:
        return LookingScorer(searcher, fieldname)


class LookingScorer(scoring.BaseScorer):  # type: ignore[misc]
    def __init__(self, searcher: Any, fieldname: str) -> None:
        self.searcher = searcher
        self.fieldname = fieldname

    def score(self, matcher: Any) -> float:
        length = self.searcher.doc_field_length(matcher.id(), self.fieldname, 1)
        stored = self.searcher.stored_fields(matcher.id())
        total = self.searcher.field_length(self.fieldname)
        return float(matcher.weight() * total / length + stored["price"])


class OwnRarity(scoring.BM25F):  # type: ignore[misc]
    """Whoosh's formula with an idf of one's own."""

    def idf(self, searcher: Any, fieldname: str, text: Any) -> float:
        parent = searcher.get_parent()
        return float(parent.doc_count_all() / (parent.doc_frequency(fieldname, text) + 3))


class Finished(scoring.BM25F):  # type: ignore[misc]
    """A model with a last word on each document."""

    use_final = True

    def final(self, searcher: Any, docnum: int, score: float) -> float:
        return score * 2 + len(searcher.stored_fields(docnum)["title"])


def first_position(searcher: Any, fieldname: str, text: Any, matcher: Any) -> float:
    return 1.0 / (matcher.value_as("positions")[0] + 1)


def test_models_of_ones_own(scene: Scene) -> None:
    """A model may look at weights, lengths, positions, stored fields and counts; all are right."""
    of = {record.id: record for record in scene.records}
    word, field = "tent", "text"
    plain = Oracle(scene.records)
    having = plain.scores(q.Term(field, word))
    counted = Counted(scene.records)
    place = {id: of[id].text.split().index(word) for id in having}
    times = {id: of[id].text.split().count(word) for id in having}
    length = {id: stored_length(len(of[id].text.split())) for id in having}
    total = counted.total(field)

    def own_idf(facts: Facts) -> float:
        norm = 1.2 * ((1 - 0.75) + 0.75 * facts.length / facts.average)
        rarity = facts.documents / (facts.frequency + 3)
        return rarity * ((facts.weight * (1.2 + 1)) / (facts.weight + norm))

    expected: dict[Any, dict[str, float]] = {
        Shortest(): {id: times[id] / (length[id] + len(having)) for id in having},
        Looking(): {id: times[id] * total / length[id] + of[id].price for id in having},
        OwnRarity(): Oracle(scene.records, model=own_idf).scores(q.Term(field, word)),
        Finished(): {id: having[id] * 2 + len(of[id].title) for id in having},
        scoring.FunctionWeighting(first_position): {id: 1 / (place[id] + 1) for id in having},
        scoring.ReverseWeighting(Shortest()): {
            id: 0 - times[id] / (length[id] + len(having)) for id in having
        },
    }
    steady = steadyrank.stabilize(scene.index, id_field="id")
    for model, scores in expected.items():
        with steady.searcher(weighting=model) as searcher:
            assert dict(found(searcher, q.Term(field, word))) == {
                id: snapped(score) for id, score in scores.items()
            }


def test_final_is_said_once_of_a_whole_document(scene: Scene) -> None:
    """A model's final() gets the sum of a document's clauses, boosts of the tree included."""
    query = q.Or([q.Term("text", "tent", boost=2.0), q.Term("title", "lamp")], boost=0.5)
    summed = Oracle(scene.records).scores(query)
    title = {record.id: len(record.title) for record in scene.records}
    steady = steadyrank.stabilize(scene.index, id_field="id")
    with steady.searcher(weighting=Finished()) as searcher:
        assert dict(found(searcher, query)) == {
            id: snapped(score * 2 + title[id]) for id, score in summed.items()
        }


# Keyword points.

_POINTS = {"title": 3, "text": 1, "tag": 5}


def _tree(children: st.SearchStrategy[q.Query]) -> st.SearchStrategy[q.Query]:
    several = st.lists(children, min_size=1, max_size=4)
    return st.one_of(
        st.builds(q.Or, several, boosts),
        st.builds(q.And, several, boosts),
        st.builds(q.DisjunctionMax, several),
        st.builds(q.Not, children),
        st.builds(q.AndNot, children, children),
        st.builds(q.AndMaybe, children, children),
        st.builds(q.SpanNot, phrases, phrases),
    )


def _wanted(query: Any) -> set[tuple[str, str]]:
    # The (field, word) pairs that the query asks for, not those that it excludes.
    if isinstance(query, q.Term):
        return {(query.fieldname, query.text)}
    if isinstance(query, q.Phrase):
        return {(query.fieldname, word) for word in query.words}
    if isinstance(query, q.Not):
        return set()
    if isinstance(query, q.AndNot | q.SpanNot):
        return _wanted(query.a)
    return {pair for part in query.subqueries for pair in _wanted(part)}


@settings(max_examples=60)
@given(st.recursive(st.one_of(terms, terms, tags, phrases), _tree, max_leaves=7))
def test_keyword_points_by_hand(scene: Scene, query: q.Query) -> None:
    """Each distinct word earns once, in its best field; boosts and excluded words count nothing."""
    oracle = Oracle(scene.records)
    points = {}
    for id in oracle.scores(query):
        earned: dict[str, int] = {}
        for field, word in _wanted(query):
            if word in oracle.words[id, field]:
                earned[word] = max(earned.get(word, 0), _POINTS[field])
        points[id] = float(sum(earned.values()))
    steady = steadyrank.stabilize(scene.index, id_field="id")
    with steady.searcher(weighting=KeywordPoints(**_POINTS)) as searcher:
        assert found(searcher, query) == sorted(points.items(), key=lambda p: (-p[1], p[0]))


# Nothing is divided by zero.


@pytest.mark.parametrize("name", MODELS)
def test_no_model_divides_by_zero(tmp_path: Path, name: str) -> None:
    """Empty indexes, emptied ones, one document and fields without weight answer with numbers."""
    schema = fields.Schema(
        id=fields.ID(stored=True, unique=True),
        title=fields.TEXT,
        text=fields.TEXT(field_boost=0.0),
        tag=fields.KEYWORD,
    )
    document = {"id": "a", "title": "tent", "text": "tent tent", "tag": "tent"}
    plain = [q.Term(field, "tent") for field in ("title", "text", "tag")]
    scaled = q.Or([*plain, q.Every()], scale=0.5)
    queries = [*plain, q.Or(plain), scaled, q.Or([plain[0], q.Every()], scale=1.0)]
    ix = index.create_in(str(tmp_path), schema)
    pins = [Statistics.pin(ix)]
    for step in ("empty", "one", "emptied"):
        with ix.writer() as writer:
            if step == "one":
                writer.add_document(**document)
            elif step == "emptied":
                writer.delete_by_term("id", "a")
        pins.append(Statistics.pin(ix))
        expected = ["a"] if step == "one" else []
        for statistics in ("live", "whoosh", *pins):
            steady = steadyrank.stabilize(ix, id_field="id", statistics=statistics)
            with steady.searcher(weighting=MODELS[name]) as searcher:
                for query in queries:
                    assert [id for id, _ in found(searcher, query)] == expected
