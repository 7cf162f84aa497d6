"""Kinds in compiled segments: the same values, read from no column."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whoosh import fields, index
from whoosh.query import Every

import steadyrank
from steadyrank.postings import SteadyRankWarning
from steadyrank.postings.compiled.reading import Arrays
from steadyrank.postings.segment import segment_of
from support_compiled import leaves
from support_sidecars import replace

pytestmark = pytest.mark.whoosh

kind = st.one_of(
    st.none(), st.sampled_from(["faq", "page"]), st.text(max_size=3).filter(lambda k: "\0" not in k)
)


def stored(folder: Path, kinds: list[str | None], *, sortable: bool) -> None:
    """Two segments of documents with these kinds."""
    schema = fields.Schema(
        id=fields.ID(stored=True), kind=fields.ID(stored=True, sortable=sortable)
    )
    ix = index.create_in(str(folder), schema)
    for first, part in enumerate((kinds[::2], kinds[1::2])):
        writer = ix.writer()
        for number, kind_ in enumerate(part):
            writer.add_document(
                id=f"{first} {number}", **({} if kind_ is None else {"kind": kind_})
            )
        writer.commit(merge=False)
    ix.close()


def read(folder: Path) -> list[list[Any]]:
    """Per segment the kind of each document, the last one first."""
    found = []
    for leaf in leaves(folder):
        segment = segment_of(leaf)
        numbers, values = segment.numbered("kind", np.arange(segment.size)[::-1])
        found.append([values[number] for number in numbers])
        assert len(set(values)) == len(values)
        leaf.close()
    return found


@settings(max_examples=30)
@given(st.lists(kind, min_size=2, max_size=12), st.booleans())
def test_kinds_are_what_the_segment_has(kinds: list[str | None], sortable: bool) -> None:
    """With the file as without it, and as each document was given it."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        stored(folder, kinds, sortable=sortable)
        before = read(folder)
        nothing = "" if sortable else None
        for part, given_ in zip(before, (kinds[::2], kinds[1::2]), strict=True):
            assert part == [nothing if k is None else k for k in given_[::-1]]
        compiled = steadyrank.compile_index(folder)
        assert read(folder) == before
        assert len(compiled.segments) == 2
        has = {
            Arrays(str(folder), segment.segment).kinds is not None for segment in compiled.segments
        }
        if not sortable:
            assert has == {False}
        elif all(isinstance(k, str) for k in kinds):
            assert has == {True}


def test_more_kinds_than_a_byte_can_tell_apart_are_none(tmp_path: Path) -> None:
    """They are read from the segment, as ever."""
    stored(tmp_path, [f"kind {number}" for number in range(600)], sortable=True)
    before = read(tmp_path)
    compiled = steadyrank.compile_index(tmp_path)
    assert read(tmp_path) == before
    for segment in compiled.segments:
        assert Arrays(str(tmp_path), segment.segment).kinds is None


def test_kinds_of_another_schema_are_not_used(tmp_path: Path) -> None:
    """A field that another was put in the place of has the values that the schema now reads."""
    stored(tmp_path, ["faq", "page", "faq", "page"], sortable=True)
    steadyrank.compile_index(tmp_path)
    ix = index.open_dir(str(tmp_path))
    writer = ix.writer()
    writer.remove_field("kind")
    writer.add_field("kind", fields.KEYWORD(stored=True))
    writer.commit(merge=False)
    for leaf in leaves(tmp_path):
        segment = segment_of(leaf)
        arrays = segment._kept.arrays(leaf)
        assert arrays is not None
        assert arrays.kinds is not None
        assert segment._own_kinds(arrays, "kind") is None
        leaf.close()


def test_damaged_kinds_are_read_from_the_segment(tmp_path: Path) -> None:
    """With one warning."""
    stored(tmp_path, ["faq"] * 10 + ["page"] * 10, sortable=True)
    expected = read(tmp_path)
    compiled = steadyrank.compile_index(tmp_path)
    for segment in compiled.segments:
        path = tmp_path / f"steadyrank-{segment.segment}.arrays"
        place, size = Arrays(str(tmp_path), segment.segment).kinds._place  # type: ignore[union-attr]
        content = bytearray(path.read_bytes())
        content[place + size - 1] ^= 1
        replace(path, bytes(content))
    with pytest.warns(SteadyRankWarning, match="were changed since"):
        assert read(tmp_path) == expected


def test_collapse_asks_the_compiled_kinds(tmp_path: Path) -> None:
    """The column of a compiled segment stays closed."""
    stored(tmp_path, ["faq", "page", "faq", "page", "page"], sortable=True)
    steadyrank.compile_index(tmp_path)
    with steadyrank.open_index(tmp_path, id_field="id").searcher() as searcher:
        results = searcher.search(Every(), collapse="kind")
        assert sorted(hit["kind"] for hit in results) == ["faq", "page"]
        for leaf, _ in searcher.leaf_searchers() or [(searcher, 0)]:
            assert "kind" not in segment_of(leaf.reader())._columns
