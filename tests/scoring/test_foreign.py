"""Query classes that are not Whoosh's, and those that only rename one of its classes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from whoosh import matching
from whoosh import query as q

import steadyrank
from steadyrank.scoring import is_promised
from support_layouts import Layout, write
from support_oracle import Oracle, snapped
from support_rich import rich_corpus, rich_schema

pytestmark = pytest.mark.whoosh


class Shouted(q.Term):  # type: ignore[misc]
    """Another name for a term."""


class Tripled(q.Query):  # type: ignore[misc]
    """A class of its own: a term at a third of a point more, by its own matcher."""

    def __init__(self, field: str, text: str) -> None:
        self.term = q.Term(field, text)

    def matcher(self, searcher: Any, context: Any = None) -> Any:
        docs = list(self.term.matcher(searcher, context).all_ids())
        return matching.ListMatcher(docs, [1 / 3] * len(docs)) if docs else matching.NullMatcher()


class Capped(q.Term):  # type: ignore[misc]
    """A term that matches in its own way, and so is a class of its own."""

    def matcher(self, searcher: Any, context: Any = None) -> Any:
        docs = list(super().matcher(searcher, context).all_ids())
        return matching.ListMatcher(docs, [2.0] * len(docs)) if docs else matching.NullMatcher()


class Pairs(q.MultiTerm):  # type: ignore[misc]
    """A pattern of one's own: it only says which terms it stands for."""

    boost = 1.0

    def __init__(self, field: str, *texts: str) -> None:
        self.fieldname = field
        self.texts = texts

    def field(self) -> str:
        return self.fieldname

    def _btexts(self, reader: Any) -> Any:
        return (text.encode() for text in self.texts if (self.fieldname, text) in reader)


@pytest.fixture(params=[Layout(), Layout(seed=4, segments=5, leftovers=9, resaved=5)])
def searcher(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    ix = write(tmp_path, rich_corpus(6, 50), request.param, rich_schema())
    with steadyrank.stabilize(ix, id_field="id").searcher() as opened:
        yield opened


def found(searcher: Any, query: q.Query) -> dict[str, float]:
    return {hit["id"]: hit.score for hit in searcher.search(query, limit=None)}


def test_another_name_means_the_same(searcher: Any) -> None:
    """A subclass without a matcher of its own is scored by definition, and promised."""
    oracle = Oracle(rich_corpus(6, 50))
    query = q.Or([Shouted("text", "tent", boost=2.0), q.Term("title", "lamp")])
    assert found(searcher, query) == oracle.scores(query)
    assert is_promised(query)


def test_a_class_of_ones_own_is_asked_for_its_matches(searcher: Any) -> None:
    """Its matcher's scores, snapped and boosted, and added to the others; not promised."""
    oracle = Oracle(rich_corpus(6, 50))
    having = oracle.scores(q.Term("text", "tent"))
    query = q.Or([Tripled("text", "tent"), q.Term("title", "lamp")], boost=2.0)
    expected = oracle.scores(q.Term("title", "lamp", boost=2.0))
    third = snapped(snapped(1 / 3) * 2.0)
    for id in having:
        expected[id] = expected.get(id, 0.0) + third
    assert len(having) > 5
    assert found(searcher, query) == expected
    assert not is_promised(query)


def test_a_subclass_with_its_own_matcher_is_a_class_of_its_own(searcher: Any) -> None:
    """The base's definition does not speak for it."""
    having = Oracle(rich_corpus(6, 50)).scores(q.Term("text", "tent"))
    assert found(searcher, Capped("text", "tent")) == dict.fromkeys(having, 2.0)
    assert not is_promised(Capped("text", "tent"))


def test_a_pattern_of_ones_own_is_asked_for_its_terms(searcher: Any) -> None:
    """It is the sum of the terms it stands for, as Whoosh has it for MultiTerm."""
    either = q.Or([q.Term("text", "tent"), q.Term("text", "lamp")])
    expected = Oracle(rich_corpus(6, 50)).scores(either)
    query = Pairs("text", "tent", "lamp", "nowhere")
    assert found(searcher, query) == expected
    assert is_promised(query)


def test_deep_trees_are_answered(searcher: Any) -> None:
    """A tree of a hundred levels scores as its one leaf, with all boosts multiplied in."""
    query: q.Query = q.Term("text", "tent")
    for _ in range(100):
        query = q.Or([q.And([query], boost=2.0)], boost=0.5)
    assert found(searcher, query) == Oracle(rich_corpus(6, 50)).scores(q.Term("text", "tent"))
