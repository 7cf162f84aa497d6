"""Wrong results of stock Whoosh's matchers, and the right ones of a steady view of the same index.

Where a fault needs some chance, the corpus is one of ``support_layouts`` whose seed shows it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from whoosh import query as q
from whoosh import scoring

from support_faults import (
    DISTRIBUTION,
    EVERYWHERE,
    FORKS,
    Ranking,
    check_fault,
    exhaustive,
    numbered,
    ours,
    stock,
    texts,
)
from support_layouts import Layout, corpus, write

pytestmark = pytest.mark.whoosh


def term(word: str, boost: float = 1.0) -> q.Term:
    return q.Term("text", word, boost=boost)


def shop(folder: Path, seed: int, size: int = 60) -> Any:
    return write(folder, corpus(seed, size), Layout(seed=seed))


def scores(found: Ranking) -> list[float]:
    return [score for _, score in found]


def near(expected: Any) -> Any:
    return pytest.approx(expected, abs=1e-8)


def steady(ix: Any, query: q.Query, limit: int | None = None) -> Ranking:
    """Ours with stock statistics, so that scores can be compared."""
    return ours(ix, query, statistics="whoosh", limit=limit)


def test_or_inside_and_loses_the_best(tmp_path: Path) -> None:
    """And([t, Or([a, b, c])]): the union's highest possible score is a maximum, not a sum."""
    ix = shop(tmp_path, 0)
    query = q.And([term("tent"), q.Or([term("stove"), term("lamp"), term("boot")])])
    right = scores(exhaustive(ix, query))[:3]
    check_fault(scores(stock(ix, query, limit=3)) != right)
    assert scores(steady(ix, query, 3)) == near(right)


def test_a_boosted_or_is_pruned_wrongly(tmp_path: Path) -> None:
    """A boost on an Or of two drops documents of the top three."""
    ix = shop(tmp_path, 0)
    query = q.Or([term("tent"), term("stove")], boost=5.0)
    right = scores(exhaustive(ix, query))[:3]
    check_fault(scores(stock(ix, query, limit=3)) != right)
    assert scores(steady(ix, query, 3)) == near(right)


def test_a_compound_of_one_loses_its_boost(tmp_path: Path) -> None:
    """And([t], boost=3) scores as t alone."""
    ix = shop(tmp_path, 0)
    plain = stock(ix, term("stove"), limit=None)
    check_fault(stock(ix, q.And([term("stove")], boost=3.0), limit=None) == plain)
    assert scores(steady(ix, q.And([term("stove")], boost=3.0))) == near(
        [3 * score for score in scores(plain)]
    )


def test_and_maybe_inside_and_forgets_a_score(tmp_path: Path) -> None:
    """Skipping goes on to the wrong document, and the optional clause's score is lost."""
    ix = shop(tmp_path, 0)
    either = q.Or([term("stove"), term("boot")])
    query = q.And([term("tent"), q.AndMaybe(term("lamp"), either)])
    extra = dict(exhaustive(ix, either))
    plain = dict(exhaustive(ix, q.And([term("tent"), term("lamp")])))
    right = {id: score + extra.get(id, 0.0) for id, score in plain.items()}
    check_fault(dict(exhaustive(ix, query)) != near(right))
    assert dict(steady(ix, query)) == near(right)


def test_a_pruned_union_inside_and_forgets_a_score(tmp_path: Path) -> None:
    """Pruning turns a tree of three clauses into AndMaybe, whose fault it then has too."""
    ix = shop(tmp_path, 11)
    query = q.And([term("tent"), q.Or([term("stove"), term("lamp"), term("boot")])])
    right = scores(exhaustive(ix, query))[:3]
    # Asked for terms, Whoosh makes a tree of the Or, and no array, also of a small segment.
    check_fault(scores(stock(ix, query, limit=3, terms=True)) != near(right))
    found = ours(ix, query, statistics="whoosh", limit=3, terms=True)
    assert scores(found) == near(right)


def test_the_best_clause_is_looked_for_in_the_neighbour(tmp_path: Path) -> None:
    """DisjunctionMax takes the score of a clause that stands at another document."""
    ix = texts(tmp_path, numbered("stove", "lamp lamp lamp"))
    query = q.DisjunctionMax([term("lamp"), term("stove")])
    found = dict(stock(ix, query))
    check_fault(found["a00"] == found["a01"])
    right = dict([*stock(ix, term("stove")), *stock(ix, term("lamp"))])
    assert right["a00"] < right["a01"]
    assert dict(steady(ix, query)) == near(right)


def test_and_not_lets_the_first_posting_through(tmp_path: Path) -> None:
    """The excluded document matches where the first clause begins, in a filter too."""
    ix = texts(tmp_path, numbered("stove", "tent stove"))
    query = q.AndNot(term("tent"), term("stove"))
    check_fault([id for id, _ in stock(ix, query, limit=None)] == ["a01"])
    check_fault([id for id, _ in stock(ix, q.Every(), filter=query)] == ["a01"])
    assert steady(ix, query) == []
    assert ours(ix, q.Every(), filter=query) == []


def test_a_scaled_or_has_the_wrong_top(tmp_path: Path) -> None:
    """The bonus for matching terms is not in the bounds by which documents are dropped."""
    ix = shop(tmp_path, 2, 120)
    query = q.Or([term(word) for word in ("boot", "rope", "cup", "mat")], scale=0.5)
    right = scores(exhaustive(ix, query))[:5]
    check_fault(scores(stock(ix, query, limit=5)) != right)
    assert scores(steady(ix, query, 5)) == near(right)


def test_require_is_and_not_or_raises(tmp_path: Path) -> None:
    """2.7.4 gives the documents without the second clause; the forks raise with a limit."""
    ix = texts(tmp_path, numbered("tent stove", "tent", "stove"))
    query = q.Require(term("tent"), term("stove"))
    try:
        found = [id for id, _ in stock(ix, query, limit=1)]
    except AssertionError:
        found = None
    assert found == (["a01"] if DISTRIBUTION == "Whoosh" else None)
    check_fault(found is None, FORKS)
    assert dict(steady(ix, query)) == near({"a00": dict(stock(ix, term("tent")))["a00"]})


def test_a_union_drops_scores_of_zero_and_less(tmp_path: Path) -> None:
    """An Or of three clauses loses documents whose sum is not above 0."""
    ix = texts(tmp_path, numbered("tent", "tent", "stove", "tent", "tent stove"))
    query = q.Or([term("tent", 0.0), term("stove"), term("lamp")])
    check_fault(len(stock(ix, query, limit=None)) < 5, EVERYWHERE)
    assert dict(steady(ix, query)) == near(
        {"a00": 0, "a01": 0, "a03": 0} | dict(stock(ix, term("stove")))
    )
    reverse = scoring.ReverseWeighting(scoring.BM25F())
    either = q.Or([term("tent"), term("stove"), term("lamp")])
    check_fault(len(stock(ix, either, limit=None, weighting=reverse)) < 5)
    assert len(ours(ix, either, limit=None, weighting=reverse)) == 5


def test_patterns_lose_their_boost(tmp_path: Path) -> None:
    """A boost on a prefix of several terms is not in its constant score."""
    ix = texts(tmp_path, numbered("tent", "tents", "tented"))
    boosted = q.Prefix("text", "tent", boost=2.0)
    check_fault(scores(stock(ix, boosted)) == [1.0, 1.0, 1.0])
    assert scores(ours(ix, boosted)) == [2.0, 2.0, 2.0]


def test_a_weighting_query_has_no_effect(tmp_path: Path) -> None:
    """The model of a WeightingQuery is set on a copy that nobody uses."""
    ix = texts(tmp_path, numbered("tent tent", "tent"))
    query = q.WeightingQuery(term("tent"), scoring.Frequency())
    check_fault(stock(ix, query) == stock(ix, term("tent")))
    assert ours(ix, query) == [("a00", 2.0), ("a01", 1.0)]


def test_a_column_query_cannot_be_scored(tmp_path: Path) -> None:
    """Its matcher has no score at all."""
    from support_rich import RichRecord, rich_schema

    ix = write(tmp_path, [RichRecord("a", "tent", "tent", "new", 1, rank=2)], Layout(),
               rich_schema())  # fmt: skip
    raised = False
    try:
        stock(ix, q.ColumnQuery("rank", 2))
    except AttributeError:
        raised = True
    check_fault(raised)
    assert ours(ix, q.ColumnQuery("rank", 2)) == [("a", 1.0)]


def test_dfree_cannot_run(tmp_path: Path) -> None:
    """DFree asks the searcher for a ``weight`` that it does not have."""
    ix = texts(tmp_path, numbered("tent stove", "tent"))
    raised = False
    try:
        stock(ix, term("tent"), weighting=scoring.DFree())
    except AttributeError:
        raised = True
    check_fault(raised)
    assert len(ours(ix, term("tent"), weighting=scoring.DFree())) == 2


def test_a_counted_repeat_is_taken_for_a_prefix(tmp_path: Path) -> None:
    """Regex "tentx{0,1}" finds no "tent": what stands before a brace counts as its prefix."""
    ix = texts(tmp_path, numbered("tent", "stove"))
    pattern = q.Regex("text", "tentx{0,1}")
    check_fault(stock(ix, pattern) == [])
    assert ours(ix, pattern) == [("a00", 1.0)]
