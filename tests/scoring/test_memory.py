"""Segments in memory give the scores of written ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whoosh import query as q
from whoosh.codec.memory import MemoryCodec
from whoosh.searching import Searcher
from whoosh.writing import BufferedWriter

import steadyrank
from support_layouts import Layout, Record, write
from support_oracle import Oracle
from support_queries import forms, fuzzy, phrases, prefixes, terms
from support_rich import rich_corpus, rich_schema

pytestmark = pytest.mark.whoosh

words = st.one_of(terms, terms, fuzzy, forms, phrases, prefixes)
trees = st.recursive(
    words,
    lambda children: st.one_of(
        st.builds(q.Or, st.lists(children, min_size=1, max_size=4)),
        st.builds(q.And, st.lists(children, min_size=1, max_size=3)),
        st.builds(q.AndNot, children, children),
    ),
    max_leaves=5,
)


def found(searcher: Any, query: q.Query) -> list[tuple[str, float]]:
    collector = steadyrank.SteadyCollector(limit=None, id_field="id")
    searcher.search_with_collector(query, collector)
    return [(hit["id"], hit.score) for hit in collector.results()]


def long_corpus(seed: int) -> list[Record]:
    """Some texts of lengths that a byte does not store exactly."""
    from dataclasses import replace

    records = rich_corpus(seed, 30)
    return [
        replace(record, text=" ".join([record.text] * 9)) if place % 3 == 0 else record
        for place, record in enumerate(records)
    ]


@settings(max_examples=10)
@given(seed=st.integers(0, 1000), queries=st.tuples(*[trees] * 6))
def test_a_segment_in_memory_scores_as_a_written_one(seed: int, queries: Sequence[q.Query]) -> None:
    """The memory codec keeps exact lengths; scores are those of the bytes all the same."""
    records = long_corpus(seed)
    codec, schema = MemoryCodec(), rich_schema()
    writer = codec.writer(schema)
    for record in records:
        writer.add_document(**record.stored())
    writer.commit()
    oracle = Oracle(records)
    reader = codec.reader(schema)
    assert any(
        reader.doc_field_length(doc, "text") != oracle._length(record.id, "text")
        for doc, record in enumerate(records)
    ), "every length is exact, which proves nothing"
    with Searcher(reader) as searcher:
        for query in queries:
            assert found(searcher, query) == oracle.ranking(query), query


def test_a_buffered_writer_scores_as_a_written_index(tmp_path: Path) -> None:
    """Disk and memory together give the scores of one index, with documents replaced in memory."""
    records = long_corpus(8)
    index = write(tmp_path, records[:20], Layout(segments=2, leftovers=3), rich_schema())
    oracle = Oracle(records)
    buffered = BufferedWriter(index, period=None, limit=1000)
    try:
        for record in [*records[20:], *records[:4]]:
            buffered.update_document(**record.stored())
        query = q.Or([q.Term("text", "tent"), q.Term("title", "lamp"), q.Prefix("text", "bo")])
        with Searcher(buffered.reader()) as searcher:
            assert found(searcher, query) == oracle.ranking(query)
    finally:
        buffered.close()
    with steadyrank.stabilize(index.refresh(), id_field="id").searcher() as searcher:
        assert [(hit["id"], hit.score) for hit in searcher.search(query, limit=None)] == (
            oracle.ranking(query)
        )
