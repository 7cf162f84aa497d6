"""Stock Whoosh's order is an accident: what decides it there, and what decides it here."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from whoosh import collectors, sorting
from whoosh import query as q

import steadyrank
from steadyrank import SteadyCollector
from support_faults import check_fault, exhaustive, numbered, ours, ranking, stock, texts
from support_layouts import Layout, corpus, write

pytestmark = pytest.mark.whoosh

TENT = q.Term("text", "tent")


def ids(found: Any) -> list[str]:
    return [id for id, _ in found]


def scores(found: Any) -> list[float]:
    return [score for _, score in found]


def test_insertion_order_decides(tmp_path: Path) -> None:
    """The same documents added in another order come out in another, with the same score bits."""
    documents = numbered(*["tent"] * 12)
    for name in ("one", "two"):
        (tmp_path / name).mkdir()
    one, two = texts(tmp_path / "one", documents), texts(tmp_path / "two", documents[::-1])
    check_fault(ids(stock(one, TENT)) != ids(stock(two, TENT)))
    assert scores(stock(one, TENT)) == scores(stock(two, TENT))
    assert ours(one, TENT) == ours(two, TENT)
    assert ids(ours(one, TENT)) == [f"a{place:02}" for place in range(10)]


def test_saving_a_record_again_moves_it(tmp_path: Path) -> None:
    """A record that is saved again unchanged falls behind all that tie with it."""
    documents = numbered(*["tent"] * 5)
    ix = texts(tmp_path, documents)
    before = ours(ix, TENT)
    with ix.writer() as writer:
        writer.update_document(**documents[0])
    check_fault(ids(stock(ix, TENT)) == ["a01", "a02", "a03", "a04", "a00"])
    assert ours(ix, TENT) == before


def test_document_numbers_are_not_insertion_order(tmp_path: Path) -> None:
    """A merge while adding gives the new document the lowest number."""
    ix = texts(tmp_path, numbered("tent", "tent", "tent"))
    writer = ix.writer()
    writer.add_document(id="a99", text="tent")
    writer.commit(optimize=True)
    check_fault(ids(stock(ix, TENT)) == ["a99", "a00", "a01", "a02"])
    assert ids(ours(ix, TENT)) == ["a00", "a01", "a02", "a99"]


def test_sorting_by_score_and_id_costs_the_score(tmp_path: Path) -> None:
    """The facets that give the right order turn ``hit.score`` into a tuple."""
    ix = texts(tmp_path, numbered("tent", "tent stove", "tent"))
    facets = [sorting.ScoreFacet(), sorting.FieldFacet("id")]
    found = stock(ix, TENT, sortedby=facets)
    check_fault(isinstance(found[0][1], tuple))
    assert ids(found) == ["a00", "a02", "a01"]
    assert ids(ours(ix, TENT)) == ["a00", "a02", "a01"]
    assert {type(score) for score in scores(ours(ix, TENT))} == {float}


def test_a_limit_of_all_documents_is_another_collector(tmp_path: Path) -> None:
    """Whether results are pruned depends on whether the limit reaches the document count."""
    ix = texts(tmp_path, numbered(*["tent"] * 5))
    with ix.searcher() as searcher:
        kinds = {type(searcher.collector(limit=limit)) for limit in (4, 5)}
        check_fault(kinds == {collectors.TopCollector, collectors.UnlimitedCollector})
    with steadyrank.stabilize(ix, id_field="id").searcher() as searcher:
        assert {type(searcher.collector(limit=limit)) for limit in (4, 5)} == {SteadyCollector}


@pytest.mark.parametrize("how", [{"reverse": True}, {"groupedby": "id"}])
def test_some_arguments_ignore_the_limit(tmp_path: Path, how: dict[str, Any]) -> None:
    """``reverse`` and ``groupedby`` give everything; so do ours, for a host that counts on it."""
    ix = texts(tmp_path, numbered(*["tent"] * 30))
    check_fault(len(stock(ix, TENT, limit=3, **how)) == 30)
    assert len(ours(ix, TENT, limit=3, **how)) == 30
    assert len(ours(ix, TENT, limit=3)) == 3


def test_reverse_reverses_ties_by_document_number(tmp_path: Path) -> None:
    """Ours is the exact reverse of the whole ranking, by id, whatever the numbers."""
    ix = texts(tmp_path, numbered(*["tent"] * 4)[::-1])
    check_fault(ids(stock(ix, TENT, limit=9, reverse=True)) == ["a00", "a01", "a02", "a03"])
    assert ids(ours(ix, TENT, limit=9, reverse=True)) == ["a03", "a02", "a01", "a00"]


def test_without_quality_is_still_pruned(tmp_path: Path) -> None:
    """``usequality=False`` loses documents all the same; only ``replace=0`` loses none."""
    ix = write(tmp_path, corpus(0, 60), Layout())
    words = [q.Term("text", word) for word in ("stove", "lamp", "boot")]
    query = q.And([TENT, q.Or(words)])
    collector = collectors.TopCollector(3, usequality=False)
    with ix.searcher() as searcher:
        searcher.search_with_collector(query, collector)
        found = ranking(collector.results())
    right = scores(exhaustive(ix, query))[:3]
    check_fault(scores(found) != right)
    assert scores(ours(ix, query, limit=3, statistics="whoosh")) == pytest.approx(right, abs=1e-9)
