"""Filters, wrapped collectors, refreshed searchers and writers of stock Whoosh."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from whoosh import collectors
from whoosh import query as q
from whoosh.searching import Searcher
from whoosh.writing import BufferedWriter

import steadyrank
from support_faults import EVERYWHERE, FORKS, check_fault, numbered, ours, ranking, stock, texts

pytestmark = pytest.mark.whoosh

TENT = q.Term("text", "tent")
STOVE = q.Term("text", "stove")
NOTHING = q.Term("text", "nowhere")


def collected(searcher: Any, make: Callable[[Any], Any]) -> list[str]:
    collector = make(searcher)
    searcher.search_with_collector(TENT, collector)
    return [id for id, _ in ranking(collector.results())]


@pytest.fixture
def shop(tmp_path: Path) -> Any:
    return texts(tmp_path, numbered(*["tent"] * 3, "tent stove"))


def test_an_empty_filter_lets_everything_through(shop: Any) -> None:
    """An empty set of documents, or empty results: a leak where a filter enforces access."""
    check_fault(len(stock(shop, TENT, filter=set())) == 4)
    assert ours(shop, TENT, filter=set()) == []
    with shop.searcher() as searcher:
        empty = searcher.search(NOTHING)
        check_fault(len(searcher.search(TENT, filter=empty)) == 4)
    with steadyrank.stabilize(shop, id_field="id").searcher() as searcher:
        assert len(searcher.search(TENT, filter=searcher.search(NOTHING))) == 0
    # A query without matches is a filter in stock Whoosh too.
    for nothing in (q.NullQuery, NOTHING):
        assert stock(shop, TENT, filter=nothing) == ours(shop, TENT, filter=nothing) == []


def test_a_filter_inside_a_time_limit_is_dropped(shop: Any) -> None:
    """Only the outermost collector filters, in 2.7.4 and reloaded."""

    def inside(searcher: Any) -> Any:
        filtered = collectors.FilterCollector(searcher.collector(limit=10), STOVE)
        return collectors.TimeLimitCollector(filtered, 10)

    with shop.searcher() as searcher:
        check_fault(len(collected(searcher, inside)) == 4, EVERYWHERE - {"whoosh3"})
    with steadyrank.stabilize(shop, id_field="id").searcher() as searcher:
        assert collected(searcher, inside) == ["a03"]


def test_a_collapse_cannot_say_its_documents(shop: Any) -> None:
    """``CollapseCollector.all_ids`` looks for an attribute that its child does not have."""

    def all_ids(searcher: Any) -> list[int] | None:
        collector = collectors.CollapseCollector(searcher.collector(limit=10), "id")
        searcher.search_with_collector(TENT, collector)
        try:
            return sorted(collector.all_ids())
        except AttributeError:
            return None

    with shop.searcher() as searcher:
        check_fault(all_ids(searcher) is None, EVERYWHERE - {"whoosh3"})
    with steadyrank.stabilize(shop, id_field="id").searcher() as searcher:
        collector = collectors.CollapseCollector(searcher.collector(limit=10), "id")
        searcher.search_with_collector(TENT, collector)
        results = collector.results()
        assert len(results) == 4
        assert sorted(results.docs()) == [0, 1, 2, 3]


def test_wrappers_claim_to_count(tmp_path: Path) -> None:
    """A wrapper around a collector that does not count says that it does."""
    ix = texts(tmp_path, numbered(*["tent"] * 30))
    with ix.searcher() as searcher:
        wrapper = collectors.TimeLimitCollector(collectors.TopCollector(2), 10)
        searcher.search_with_collector(TENT, wrapper)
        check_fault(wrapper.computes_count() and not wrapper.child.computes_count())
    with steadyrank.stabilize(ix, id_field="id").searcher() as searcher:
        wrapper = collectors.TimeLimitCollector(searcher.collector(limit=2), 10)
        searcher.search_with_collector(TENT, wrapper)
        assert wrapper.computes_count()
        assert wrapper.child.computes_count()
        assert len(wrapper.results()) == 30


def test_a_refreshed_searcher_returns_deleted_documents(tmp_path: Path) -> None:
    """The forks take over a segment's reader and its old deletions with it."""
    ix = texts(tmp_path, numbered("tent", "tent stove"))
    old, ours_old = ix.searcher(), steadyrank.stabilize(ix, id_field="id").searcher()
    with ix.writer() as writer:
        writer.delete_by_term("id", "a00")
    with old.refresh() as fresh:
        check_fault(len(ranking(fresh.search(TENT))) == 2, FORKS)
    with ours_old.refresh() as fresh:
        assert [id for id, _ in ranking(fresh.search(TENT))] == ["a01"]


def test_disk_and_memory_together_cannot_be_scored(tmp_path: Path) -> None:
    """A BufferedWriter's searcher raises AttributeError where blocks are skipped by quality."""
    ix = texts(tmp_path, numbered(*["tent stove", "tent", "lamp tent"] * 10))
    buffered = BufferedWriter(ix, period=None, limit=100)
    try:
        for number in range(15):
            buffered.add_document(id=f"z{number:02}", text="tent stove tent")
        query = q.Or([TENT, STOVE])
        raised = False
        try:
            with buffered.searcher() as searcher:
                searcher.search(query, limit=5)
        except AttributeError:
            raised = True
        check_fault(raised)
        collector = steadyrank.SteadyCollector(limit=5, id_field="id")
        with Searcher(buffered.reader()) as searcher:
            searcher.search_with_collector(query, collector)
            found = ranking(collector.results())
    finally:
        buffered.close()
    assert found == ours(ix.refresh(), query, limit=5)


@pytest.mark.filterwarnings("ignore::steadyrank.postings.identity.SteadyRankWarning")
def test_an_id_may_be_there_twice(tmp_path: Path) -> None:
    """Two updates in one writer leave both, and ``unique`` keeps no duplicate out."""
    ix = texts(tmp_path, numbered("tent"))
    writer = ix.writer()
    for text in ("tent two", "tent one"):
        writer.update_document(id="a00", text=text)
    writer.commit(merge=False)
    check_fault([id for id, _ in stock(ix, TENT)] == ["a00", "a00"])
    with ix.writer() as writer:
        writer.add_document(id="a00", text="tent six")
    check_fault(len(stock(ix, TENT)) == 3)
    # Ours tells them apart by all their stored fields, and warns.
    with steadyrank.stabilize(ix, id_field="id").searcher() as searcher:
        texts_found = [hit["text"] for hit in searcher.search(TENT)]
    assert texts_found == ["tent one", "tent six", "tent two"]


def test_columns_that_are_not_there(tmp_path: Path) -> None:
    """A field without a column raises, and 2.7.4 and reloaded say None to whether there is one."""
    ix = texts(tmp_path, numbered("tent"))
    with ix.searcher() as searcher:
        reader = searcher.reader()
        check_fault(reader.has_column("id") is None, EVERYWHERE - {"whoosh3"})
        assert not reader.has_column("id")
        with pytest.raises(Exception, match="No column for field"):
            reader.column_reader("id")
    assert [id for id, _ in ours(ix, TENT)] == ["a00"]


def test_a_directory_swapped_underneath_has_the_same_generation(tmp_path: Path) -> None:
    """A generation number says nothing of what was read: nothing of ours is kept by it."""
    old = texts(tmp_path, numbered("tent", "tent stove"))
    with old.searcher() as searcher, steadyrank.stabilize(old, id_field="id").searcher() as before:
        first = ranking(before.search(TENT))
        new = texts(tmp_path, numbered("lamp", "tent", "tent"))
        check_fault(searcher.up_to_date() and new.latest_generation() == 1)
        assert [id for id, _ in ours(new, TENT)] == ["a01", "a02"]
        assert ranking(before.search(TENT)) == first
    assert [id for id, _ in first] == ["a00", "a01"]
