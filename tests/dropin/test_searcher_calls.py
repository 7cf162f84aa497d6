"""Everything else a host calls on an index and its searcher."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from whoosh import index, qparser
from whoosh import query as q
from whoosh.filedb.filestore import FileStorage, RamStorage
from whoosh.searching import Searcher
from whoosh.writing import AsyncWriter, BufferedWriter

import steadyrank
from support_dropin import (
    SALE,
    TENT,
    WORDS_QUERY,
    Host,
    assert_same,
    found,
    ids,
    in_order,
    make_host,
)
from support_layouts import Record, schema

pytestmark = pytest.mark.whoosh


@pytest.fixture
def own(tmp_path: Path) -> Host:
    """An index that the test may write to."""
    return make_host(tmp_path, seed=11, size=45)


def test_lookups_are_stocks(host: Host) -> None:
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        assert isinstance(ours, Searcher)
        assert ours.document(id="r0003") == stock.document(id="r0003")
        assert ours.document(id="absent") is None
        assert list(ours.documents(tag="sale")) == list(stock.documents(tag="sale"))
        assert list(ours.documents()) == list(stock.documents())
        assert ours.document_number(id="r0003") == stock.document_number(id="r0003")
        assert list(ours.document_numbers(tag="sale")) == list(stock.document_numbers(tag="sale"))
        for query in (TENT, SALE, q.Every(), q.Not(TENT), q.NumericRange("price", 3, 9)):
            assert list(ours.docs_for_query(query)) == list(stock.docs_for_query(query))
        for name in ("doc_count", "doc_count_all", "is_atomic", "has_parent"):
            assert getattr(ours, name)() == getattr(stock, name)()
        for field in ("text", "title"):
            assert ours.avg_field_length(field) == stock.avg_field_length(field)
            assert ours.max_field_length(field) == stock.max_field_length(field)
            assert ours.doc_frequency(field, "tent") == stock.doc_frequency(field, "tent")
            assert ours.frequency(field, "tent") == stock.frequency(field, "tent")
            assert ours.idf(field, "tent") == stock.idf(field, "tent")
            assert list(ours.lexicon(field)) == list(stock.lexicon(field))
        assert ours.get_parent() is ours
        assert [offset for _, offset in ours.leaf_searchers()] == [
            offset for _, offset in stock.leaf_searchers()
        ]
        assert ours.up_to_date()
        assert ours.refresh() is ours
        assert len(list(ours.postings("text", "tent").all_ids())) == len(
            list(stock.postings("text", "tent").all_ids())
        )


def test_spelling_is_stocks(host: Host) -> None:
    parser = qparser.QueryParser("text", schema())
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        assert ours.suggest("text", "tnet") == stock.suggest("text", "tnet") != []
        assert ours.suggest("text", "stov", limit=1, maxdist=1, prefix=2) == stock.suggest(
            "text", "stov", limit=1, maxdist=1, prefix=2
        )
        words = "tnet stov lamp"
        query = parser.parse(words)
        correctors = {"text": ours.corrector("text")}
        got = ours.correct_query(
            query, words, correctors=dict(correctors), terms=[("text", "tnet")]
        )
        theirs = stock.correct_query(
            query, words, correctors={"text": stock.corrector("text")}, terms=[("text", "tnet")]
        )
        assert got.query == theirs.query != query
        assert got.string == theirs.string


def test_find_parses_and_searches(host: Host) -> None:
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        for words in ("tent", "tent OR title:lamp", "tent NOT stove", '"tent stove"~3'):
            theirs = stock.find("text", words, limit=None)
            assert_same(ours.find("text", words, limit=None), theirs)
        # Stock scores a pattern with one term in a segment, and with several it does not.
        theirs = stock.find("text", "to*", limit=None)
        assert set(ids(found(ours.find("text", "to*", limit=None)))) == set(ids(found(theirs)))


def test_an_index_view_is_the_index(host: Host) -> None:
    """Everything but the searcher is the index's own."""
    ours = host.steady()
    for name in ("doc_count", "doc_count_all", "is_empty", "latest_generation", "up_to_date"):
        assert getattr(ours, name)() == getattr(host.index, name)()
    assert ours.schema.names() == host.index.schema.names()
    assert ours.storage is host.index.storage
    assert ours.indexname == host.index.indexname
    assert type(host.index.searcher()) is Searcher
    reader = ours.reader()
    assert reader.doc_count() == 60
    reader.close()
    ours.close()


def test_every_way_to_open(own: Host) -> None:
    """stabilize, open_index and Whoosh's own open_index with indexclass give the same answers."""
    expected = None
    storage = FileStorage(str(own.folder))
    for opened in (
        steadyrank.stabilize(own.index, id_field="id"),
        steadyrank.stabilize(own.index, policy=steadyrank.Policy(id_field="id")),
        steadyrank.open_index(own.folder),
        steadyrank.open_index(str(own.folder), id_field="id"),
        storage.open_index(indexclass=steadyrank.SteadyIndex),
        index.open_dir(str(own.folder)).storage.open_index(
            indexname="MAIN", schema=schema(), indexclass=steadyrank.SteadyIndex
        ),
    ):
        with opened.searcher() as searcher:
            got = found(searcher.search(WORDS_QUERY))
            expected = expected or got
            assert got == expected
    created = RamStorage().create_index(schema(), indexclass=steadyrank.SteadyIndex)
    with created.writer() as writer:
        for record in own.records.values():
            writer.add_document(**record.stored())
    with created.searcher() as searcher:
        assert found(searcher.search(WORDS_QUERY)) == expected


def test_what_is_no_index(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="no Whoosh index here"):
        steadyrank.open_index(tmp_path)
    with pytest.raises(FileNotFoundError):
        steadyrank.open_index(tmp_path / "absent")
    with pytest.raises(TypeError, match="stabilize takes a Whoosh index"):
        steadyrank.stabilize(str(tmp_path))
    with pytest.raises(steadyrank.PolicyError, match="not both"):
        steadyrank.SteadyCollector(policy=steadyrank.Policy(), gap=1.0)


@pytest.mark.parametrize("merge", [False, True])
def test_refresh_after_deletes_and_updates(own: Host, merge: bool) -> None:
    """The refreshed searcher has the new documents and none of the deleted ones."""
    ours = own.steady(statistics="live")
    searcher = ours.searcher()
    gone = ids(found(searcher.search(WORDS_QUERY)))[:3]
    assert searcher.up_to_date()
    with ours.writer() as writer:
        for id in gone:
            writer.delete_by_term("id", id)
        record = own.records[ids(found(searcher.search(WORDS_QUERY)))[5]]
        writer.update_document(**record.stored())
        writer.add_document(id="fresh", title="lamp", text="tent stove", tag="sale", price=1)
        writer.merge = merge
    assert not searcher.up_to_date()
    assert ids(found(searcher.search(WORDS_QUERY)))[:3] == gone, "an open reader is a snapshot"
    fresh = searcher.refresh()
    assert fresh is not searcher
    assert type(fresh) is type(searcher)
    assert fresh.policy == searcher.policy
    assert fresh.up_to_date()
    after = ids(found(fresh.search(WORDS_QUERY, limit=None)))
    assert "fresh" in after
    assert not set(gone) & set(after)
    assert after.count(record.id) == 1
    with own.steady(statistics="live").searcher() as anew:
        assert found(anew.search(WORDS_QUERY, limit=None)) == found(
            fresh.search(WORDS_QUERY, limit=None)
        )
    fresh.close()


def test_refresh_under_a_with_statement(own: Host) -> None:
    """A common idiom: the searcher is closed by refresh and again by the with statement."""
    ours = own.steady()
    with ours.searcher() as searcher:
        with ours.writer() as writer:
            writer.delete_by_term("id", "r0001")
        searcher = searcher.refresh()
        assert "r0001" not in ids(found(searcher.search(q.Every(), limit=None)))
    searcher.close()


def test_a_policy_for_one_searcher(own: Host) -> None:
    """It is the searcher's, its segments' and its refreshed one's."""
    ours = own.steady()
    policy = steadyrank.Policy(gap=0.5, id_field="id", statistics="whoosh")
    with ours.searcher(policy=policy) as banded, own.steady(gap=0.5).searcher() as expected:
        assert found(banded.search(WORDS_QUERY)) == found(expected.search(WORDS_QUERY))
        with ours.writer() as writer:
            writer.delete_by_term("id", "r0001")
        fresh = banded.refresh()
        assert fresh is not banded
        assert fresh.policy == policy
        assert {leaf.policy for leaf, _ in fresh.leaf_searchers()} == {policy}
        fresh.close()


def test_a_segments_searcher_has_its_parents_policy(host: Host) -> None:
    with host.steady().searcher() as ours:
        parts = [leaf.search(TENT, limit=None) for leaf, _ in ours.leaf_searchers()]
        assert sorted(id for part in parts for id in ids(found(part))) == sorted(
            ids(found(ours.search(TENT, limit=None)))
        )
        for part in parts:
            assert found(part) == in_order(found(part))


def test_async_writer(own: Host) -> None:
    """A writer that waits for the lock; its reader searched by a steady searcher."""
    ours = own.steady(statistics="live")
    lock_holder = ours.writer()
    writer = AsyncWriter(ours, delay=0.01)
    writer.delete_by_term("id", "r0002")
    writer.commit()
    lock_holder.commit()
    writer.join(5) if writer.is_alive() else None
    with ours.searcher() as searcher:
        assert "r0002" not in ids(found(searcher.search(q.Every(), limit=None)))
    writer = AsyncWriter(ours)
    with steadyrank.SteadySearcher(writer.reader(), fromindex=ours) as searcher:
        assert searcher.search(TENT)
    writer.cancel()


def test_buffered_writer(own: Host) -> None:
    """Disk plus memory, where stock's scored search raises: answers as after the commit."""
    ours = own.steady(statistics="live")
    writer = BufferedWriter(ours, period=None, limit=1000)
    for number in range(5):
        writer.add_document(
            id=f"fresh{number}", title="lamp", text="tent stove " * (number + 1), tag="new", price=3
        )
    writer.delete_by_term("id", "r0004")
    writer.update_document(id="r0007", title="lamp", text="tent", tag="new", price=3)
    reader = writer.reader()
    policy = steadyrank.Policy(id_field="id")
    with steadyrank.SteadySearcher(reader, fromindex=ours, policy=policy) as searcher:
        before = found(searcher.search(WORDS_QUERY, limit=None))
        tags = searcher.search(WORDS_QUERY, groupedby="tag", filter=SALE, terms=True)
        assert set(tags.groups()) == {"sale"}
    collector = steadyrank.SteadyCollector(None, id_field="id")
    with writer.searcher() as stock:
        stock.search_with_collector(WORDS_QUERY, collector)
        assert found(collector.results()) == before
    writer.close()
    with ours.searcher() as searcher:
        assert found(searcher.search(WORDS_QUERY, limit=None)) == before
    assert {"fresh0", "r0007"} <= set(ids(before))
    assert "r0004" not in ids(before)


@pytest.mark.parametrize("multisegment", [False, True])
def test_several_writer_processes(tmp_path: Path, host: Host, multisegment: bool) -> None:
    """Processes order documents differently on every run; the answers stay."""
    with host.steady(statistics="live").searcher() as searcher:
        expected = found(searcher.search(WORDS_QUERY, limit=None))
    written = index.create_in(str(tmp_path), schema())
    writer = written.writer(procs=2, batchsize=5, multisegment=multisegment)
    for record in host.records.values():
        writer.add_document(**record.stored())
    writer.commit()
    with steadyrank.stabilize(written, id_field="id").searcher() as searcher:
        assert found(searcher.search(WORDS_QUERY, limit=None)) == expected


@pytest.mark.parametrize("shared", ["index", "searcher"])
def test_eight_threads(host: Host, shared: str) -> None:
    """Eight threads with one index, or with one searcher, all get the one answer."""
    queries = [
        WORDS_QUERY,
        TENT,
        q.Prefix("text", "t"),
        q.Phrase("text", ["tent", "stove"], slop=4),
        q.And([TENT, q.NumericRange("price", 2, 20)]),
        q.Not(TENT),
    ]
    arguments: list[dict[str, Any]] = [
        {},
        {"groupedby": "tag"},
        {"sortedby": "price"},
        {"terms": True},
        {"collapse": "tag"},
        {"filter": SALE},
    ]
    with host.steady().searcher() as alone:
        expected = [
            found(alone.search(query, **extra))
            for query, extra in zip(queries, arguments, strict=True)
        ]
    ours = host.steady()
    one = ours.searcher()
    wrong: list[Any] = []
    start = threading.Barrier(8)

    def work() -> None:
        start.wait()
        for _ in range(4):
            searcher = one if shared == "searcher" else ours.searcher()
            try:
                got = [
                    found(searcher.search(query, **extra))
                    for query, extra in zip(queries, arguments, strict=True)
                ]
                if got != expected:
                    wrong.append(got)
            except Exception as error:
                wrong.append(error)
            if shared == "index":
                searcher.close()

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    one.close()
    assert wrong == []


def test_closing(own: Host) -> None:
    """A closed searcher's results cannot be read, as in stock; the index goes on."""
    from whoosh.reading import ReaderClosed

    ours = own.steady()
    with ours.searcher() as searcher:
        results = searcher.search(WORDS_QUERY)
        assert not searcher.is_closed
    assert searcher.is_closed
    with pytest.raises(ReaderClosed):
        found(results)
    assert len(results) == len(results.docs())
    with ours.searcher() as again:
        assert again.search(WORDS_QUERY)


def test_an_index_in_memory(host: Host) -> None:
    stored = RamStorage().create_index(schema())
    with stored.writer() as writer:
        for record in host.records.values():
            writer.add_document(**record.stored())
    ours = steadyrank.stabilize(stored, id_field="id")
    with ours.searcher() as searcher, host.steady(statistics="live").searcher() as disk:
        assert found(searcher.search(WORDS_QUERY)) == found(disk.search(WORDS_QUERY))
    with ours.writer() as writer:
        writer.delete_by_term("id", "r0001")
    with ours.searcher() as searcher:
        assert "r0001" not in ids(found(searcher.search(q.Every(), limit=None)))


def test_an_index_of_another_name(tmp_path: Path, host: Host) -> None:
    named = index.create_in(str(tmp_path), schema(), indexname="other")
    record: Record = host.records["r0001"]
    with named.writer() as writer:
        writer.add_document(**record.stored())
    for ours in (
        steadyrank.stabilize(named),
        steadyrank.open_index(tmp_path, indexname="other"),
    ):
        with ours.searcher() as searcher:
            assert ids(found(searcher.search(q.Every()))) == ["r0001"]
    with pytest.raises(FileNotFoundError):
        steadyrank.open_index(tmp_path)
