"""Columns of documents without a value, whether their segment has a column or not."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from whoosh import query as q

import steadyrank
from support_layouts import Layout, write
from support_rich import NO_RANK, RichRecord, rich_schema

pytestmark = pytest.mark.whoosh

CONDITIONS: list[tuple[Any, list[str]]] = [
    (4, ["b"]),
    (NO_RANK, ["a", "c", "d"]),
    (lambda rank: rank > 100, ["a", "c", "d"]),
    (lambda rank: rank & 4, ["a", "b", "c", "d"]),  # truth is enough, as in Whoosh
    ("4", []),
]


@pytest.mark.parametrize("segments", [1, 2, 4])
def test_a_document_without_a_value_has_the_default(tmp_path: Path, segments: int) -> None:
    """In a segment where nobody has a value Whoosh writes no column; matches are the same."""
    records = [
        RichRecord(id, "tent", "lamp", "new", 1, rank=4 if id == "b" else None) for id in "abcd"
    ]
    ix = write(tmp_path, records, Layout(segments=segments), rich_schema())
    with steadyrank.stabilize(ix, id_field="id").searcher() as searcher:
        for condition, expected in CONDITIONS:
            hits = searcher.search(q.ColumnQuery("rank", condition), limit=None)
            assert [(hit["id"], hit.score) for hit in hits] == [(id, 1.0) for id in expected]
        assert not searcher.search(q.ColumnQuery("text", "lamp"), limit=None)
        assert not searcher.search(q.ColumnQuery("nowhere", 1), limit=None)
