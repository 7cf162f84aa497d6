"""Readers of a steady index read a segment's files from its map, and read what Whoosh reads."""

from __future__ import annotations

import gc
import io
import mmap
import random
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whoosh.filedb.compound import CompoundStorage
from whoosh.filedb.structfile import BufferFile

import steadyrank
from steadyrank.postings.mapped import _MappedFile, _MappedStorage
from support_layouts import Layout, corpus, write

pytestmark = pytest.mark.whoosh

CONTENT = random.Random(1).randbytes(30_000)

places = st.integers(0, len(CONTENT) + 10)
sizes = st.one_of(st.integers(0, 40), st.integers(0, 20_000))
steps = st.one_of(
    st.tuples(st.just("seek"), places),
    st.tuples(st.just("read"), sizes),
    st.tuples(st.just("read")),
    st.tuples(st.just("get"), places, sizes),
    st.tuples(st.just("get_array"), st.integers(0, 200), st.sampled_from("BHIq"), sizes),
    st.tuples(st.just("seek"), st.integers(-9, 0), st.just(io.SEEK_END)),
    st.tuples(st.just("seek"), st.integers(0, 9), st.just(io.SEEK_CUR)),
)


@given(steps=st.lists(steps, max_size=20))
def test_a_mapped_file_reads_what_a_copy_reads(steps: list[tuple[Any, ...]]) -> None:
    """From where it stands and from anywhere, past the end too."""
    files = [BufferFile(memoryview(CONTENT), "a"), _MappedFile(memoryview(CONTENT), "a")]
    for name, *arguments in steps:
        if name == "get_array" and arguments[2] > 3_000:
            continue
        ours, theirs = (getattr(file, name)(*arguments) for file in files)
        assert ours == theirs
        assert files[0].tell() == files[1].tell()


def test_pickles_are_read_from_where_it_stands() -> None:
    import pickle

    things = [{"a": list(range(size))} for size in (1, 10, 9_000)]
    content = b"".join(pickle.dumps(thing, 2) for thing in things)
    file = _MappedFile(memoryview(content), "a")
    assert [file.read_pickle() for _ in things] == things
    assert file.tell() == len(content)


@pytest.mark.parametrize("segments", [1, 3])
def test_steady_readers_map_and_others_do_not(tmp_path: Path, segments: int) -> None:
    ix = write(tmp_path, corpus(3, 60), Layout(segments=segments, leftovers=5))
    with steadyrank.stabilize(ix).reader() as steady, ix.reader() as stock:
        ours = [leaf for leaf, _ in steady.leaf_readers()]
        theirs = [leaf for leaf, _ in stock.leaf_readers()]
        assert len(ours) == len(theirs) >= segments
        for leaf, other in zip(ours, theirs, strict=True):
            assert type(leaf.storage().a) is _MappedStorage
            assert type(other.storage().a) is CompoundStorage
            assert type(leaf._terms._postfile) is _MappedFile
            assert list(leaf.all_terms()) == list(other.all_terms())
            for field, term in leaf.all_terms():
                matcher, expected = leaf.postings(field, term), other.postings(field, term)
                while expected.is_active():
                    assert (matcher.id(), matcher.value()) == (expected.id(), expected.value())
                    matcher.next(), expected.next()
                assert not matcher.is_active()


def test_a_closed_reader_gives_the_map_back(tmp_path: Path) -> None:
    steady = steadyrank.stabilize(write(tmp_path, corpus(3, 60), Layout()))
    for _ in range(3):
        with steady.searcher() as searcher:
            searcher.stored_fields(0)
            storage = searcher.reader().storage().a
            source = storage._source
            assert type(source) is mmap.mmap
        del searcher
        gc.collect()
        assert not getattr(storage, "_source", None) or source.closed
        if not source.closed:  # Whoosh 2.7.4 drops it
            source.close()  # a BufferError where a file still looks at it


def test_what_cannot_be_mapped_is_read_as_whoosh_reads_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ix = write(tmp_path, corpus(3, 60), Layout())
    monkeypatch.setattr(ix.storage, "supports_mmap", False)
    with steadyrank.stabilize(ix).reader() as steady, ix.reader() as stock:
        assert type(steady._terms._postfile) is type(stock._terms._postfile) is not _MappedFile
        assert list(steady.all_terms()) == list(stock.all_terms())
        assert list(steady.all_stored_fields()) == list(stock.all_stored_fields())
