"""With compiled files and without: the same postings, numbers, rankings and score bits."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whoosh import fields, index

import steadyrank
from steadyrank.postings.compiled.bodies import BodyWriter
from steadyrank.postings.compiled.checked import CheckedFile
from steadyrank.postings.compiled.dictionary import Dictionary, PageWriter
from steadyrank.postings.compiled.layout import STEP_SHIFT
from steadyrank.postings.compiled.lists import FieldLists, codes_of, docs_of
from steadyrank.postings.segment import segment_of
from support_compiled import everything, without
from support_layouts import Layout, corpus, write

pytestmark = pytest.mark.whoosh

layouts = st.builds(
    Layout,
    seed=st.integers(0, 99),
    segments=st.integers(1, 4),
    leftovers=st.integers(0, 12),
    resaved=st.integers(0, 6),
    optimized=st.booleans(),
    sortable_id=st.booleans(),
)


@settings(max_examples=25)
@given(layouts, st.integers(0, 99), st.integers(0, 50))
def test_any_index(layout: Layout, seed: int, size: int) -> None:
    """Whatever its segments and deletions."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "index"
        folder.mkdir()
        write(folder, corpus(seed, size), layout).close()
        plain = everything(without(folder))
        done = steadyrank.compile_index(folder)
        assert len(done.segments) == len(list(folder.glob("*.arrays")))
        assert bool(done.segments) == bool(size or layout.leftovers)
        assert everything(folder) == plain


words = st.lists(
    st.sampled_from(["a1", "ß", "naïve", "𝒳y", "z" * 300, "\x00b", "e\u0301"]), max_size=6
)
odd = st.fixed_dictionaries(
    {},
    optional={
        "text": words.map(" ".join),
        "plain": words.map(" ".join),
        "bare": words.map(" ".join),
        "number": st.integers(-5, 5),
        "_text_boost": st.sampled_from([0.3, 2.5, 1e4, 1.0]),
    },
)


@settings(max_examples=40)
@given(st.lists(st.lists(odd, max_size=8), min_size=1, max_size=3), st.data())
def test_odd_fields(parts: list[list[dict[str, Any]]], data: st.DataObject) -> None:
    """Boosts, fields without lengths or positions, numbers, terms of any bytes, documents with
    nothing in them.
    """
    from whoosh.analysis import SpaceSeparatedTokenizer

    schema = fields.Schema(
        id=fields.ID(stored=True, unique=True),
        text=fields.TEXT(SpaceSeparatedTokenizer(), field_boost=1.3),
        plain=fields.TEXT(SpaceSeparatedTokenizer(), phrase=False),
        bare=fields.KEYWORD(),
        number=fields.NUMERIC(signed=True),
        title=fields.TEXT(),
    )
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "index"
        folder.mkdir()
        ix = index.create_in(str(folder), schema)
        ids = []
        for part, documents in enumerate(parts):
            writer = ix.writer()
            for number, document in enumerate(documents):
                ids.append(f"{part}-{number}")
                writer.add_document(id=ids[-1], **document)
            writer.commit(merge=False)
        if ids:
            writer = ix.writer()
            for gone in data.draw(st.lists(st.sampled_from(ids), max_size=4)):
                writer.delete_by_term("id", gone)
            writer.commit(merge=False)
        ix.close()
        names = tuple(schema.names())
        plain = everything(without(folder), names)
        steadyrank.compile_index(folder)
        assert everything(folder, names) == plain


def test_a_compiled_file_is_what_answers(grown: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoosh's lists are not decoded at all: the tests above compare what they mean to."""
    from steadyrank.postings import blocks, decode

    expected = everything(grown)
    steadyrank.compile_index(grown)

    def never(*_: Any) -> Any:
        raise AssertionError("a list was decoded")

    monkeypatch.setattr(decode, "read_blocks", never)
    monkeypatch.setattr(blocks, "read_blocks", never)
    assert everything(grown) == expected


def test_a_segment_is_opened_once_for_all_its_readers(grown: Path) -> None:
    """They share the mapped pages and what was looked up."""
    steadyrank.compile_index(grown)
    index = steadyrank.open_index(grown, id_field="id")
    with index.searcher() as one, index.searcher() as two:
        leaves = [
            [segment_of(leaf) for leaf, _ in searcher.reader().leaf_readers()]
            for searcher in (one, two)
        ]
        for first, second in zip(*leaves, strict=True):
            assert first.postings("text", b"tent").coded is not None
            assert second.postings("text", b"tent").coded is not None
            assert first._arrays is second._arrays is not None


@pytest.mark.parametrize("distinct", [3, 300, 70_000])
def test_lists_of_every_width(tmp_path: Path, distinct: int) -> None:
    """More kinds of postings than one or two bytes can tell apart, and longer steps."""
    chance = random.Random(distinct)
    size = 90_000
    lengths = np.array([chance.randrange(5) for _ in range(size)], np.uint8)
    weights = np.array([number + 1 for number in range(distinct)], np.float32).tolist()
    lists: dict[bytes, tuple[list[int], list[float]]] = {}
    for number in range(600):  # more than two pages of the dictionary
        docs = sorted(chance.sample(range(size), chance.choice([1, 1, 2, 40])))
        lists[f"t{number:05}".encode()] = (docs, [chance.choice(weights) for _ in docs])
    lists[b"zz"] = (list(range(size)), [weights[number % distinct] for number in range(size)])
    path = tmp_path / "file"
    with path.open("wb") as stream:
        bodies = BodyWriter(stream)
        pages = PageWriter(bodies.write)
        writer = FieldLists(7, lengths, size, bodies, pages)
        for term, (docs, own) in lists.items():
            steps = np.diff(docs, prepend=0).tolist()
            writer.add(term, steps, own, docs[-1])
        field = writer.finish()
        bodies.finish({"dictionary": pages.finish(), "field": field})
    file = CheckedFile(str(path))
    dictionary = Dictionary(file, file.head["dictionary"])
    place, count = file.head["field"]["table"]
    table = file.array("<f4", place, count), file.array("<u1", place + 4 * count, count)
    widths, steps = set(), set()
    for term, (docs, own) in lists.items():
        entry = dictionary.find(b"\x00\x07" + term)
        assert entry is not None
        codes = codes_of(file, entry)
        widths.add(codes.itemsize)
        steps.add(entry[1] >> STEP_SHIFT)
        assert codes.flags.aligned
        for kind in (np.int32, np.int64):
            assert docs_of(file, entry, kind).dtype == kind
            assert docs_of(file, entry, kind).tolist() == docs
        assert table[0][codes].tolist() == own
        assert table[1][codes].tolist() == lengths[docs].tolist()
    assert max(widths) == {3: 1, 300: 2, 70_000: 4}[distinct]
    assert steps == {0, 1, 2}
    for absent in (b"\x00\x06zz", b"\x00\x07", b"\x00\x07t00000a", b"\x00\x07zzz", b"\x01"):
        assert dictionary.find(absent) is None
