"""Pinned statistics: what the file keeps, what it refuses, and that other documents cannot move."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whoosh import analysis, fields, index
from whoosh import query as q

import steadyrank
from steadyrank import Statistics
from steadyrank.pinned import FieldStatistics, StatisticsError
from support_layouts import Layout, Record, corpus, schema, write
from support_queries import phrases, prefixes, terms

pytestmark = pytest.mark.whoosh

DATA = Path(__file__).resolve().parents[2] / "../shared/data/icecat"

# Term bytes of every kind: texts, texts that look like an escape, control characters, numbers.
_terms = st.one_of(
    st.text(max_size=8).map(lambda text: text.encode("utf-8", "surrogatepass")),
    st.sampled_from([b"hex:", b"hex:00", b"\x00", b"\n", b'"', b"\\u0041", "\u2028".encode()]),
    st.binary(max_size=9),
)
_counts = st.tuples(st.integers(1, 2**40), st.one_of(st.integers(0, 50), st.floats(0, 1e9)))
_fields = st.builds(
    FieldStatistics,
    st.text(max_size=20).filter(lambda text: text.isprintable()),
    st.integers(0, 2**50),
    st.dictionaries(_terms, _counts, max_size=8).map(
        lambda terms: MappingProxyType(
            {term: (frequency, float(weight)) for term, (frequency, weight) in terms.items()}
        )
    ),
)
statistics = st.builds(
    Statistics,
    st.integers(0, 2**40),
    st.dictionaries(st.text(max_size=6), _fields, max_size=4).map(MappingProxyType),
    st.just("2024-02-29T00:00:00+00:00"),
    st.sampled_from([None, "sha256:00"]),
)


@given(statistics)
def test_what_is_saved_is_loaded(given: Statistics) -> None:
    """Counts, terms of any bytes, day, source and digest survive the file."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pin.json"
        given.save(path)
        loaded = Statistics.load(path)
        assert loaded == given
        assert loaded.digest == given.digest
        assert [child.name for child in Path(folder).iterdir()] == ["pin.json"]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    ix = write(tmp_path_factory.mktemp("small"), corpus(4, 40), Layout(segments=3, leftovers=5))
    yield ix
    ix.close()


def test_the_digest_is_of_the_counts_alone(small: Any, tmp_path: Path) -> None:
    """Another layout of the same documents gives the same digest, another document another."""
    records = corpus(4, 40)
    for name in ("same", "less"):
        (tmp_path / name).mkdir()
    same = write(tmp_path / "same", records, Layout(seed=7, resaved=9))
    less = write(tmp_path / "less", records[1:], Layout())
    pinned = Statistics.pin(small)
    assert Statistics.pin(same).digest == pinned.digest
    assert Statistics.pin(less).digest != pinned.digest
    assert pinned.documents == 40


def test_terms_of_every_kind_of_field_are_counted(tmp_path: Path) -> None:
    """Numbers, texts like "hex:00" and control characters are found again after a round trip."""
    ix = index.create_in(
        str(tmp_path),
        fields.Schema(
            id=fields.ID(stored=True, unique=True),
            code=fields.ID,
            number=fields.NUMERIC(signed=True),
            half=fields.NUMERIC(float),
        ),
    )
    codes = ["hex:00", "hex:zz", "a\x00b", "tab\t", "\u2028", "ä", "\U0001f9e6", '"'] * 2
    with ix.writer() as writer:
        for place, code in enumerate(codes):
            writer.add_document(id=str(place), code=code, number=place % 3 - 1, half=-0.5)
    Statistics.pin(ix).save(tmp_path / "pin.json")
    loaded = Statistics.load(tmp_path / "pin.json")
    for code in codes:
        assert loaded.doc_frequency("code", code.encode()) == 2
    number, half = ix.schema["number"], ix.schema["half"]
    assert loaded.doc_frequency("number", number.to_bytes(-1)) == 6
    assert loaded.doc_frequency("half", half.to_bytes(-0.5)) == 16
    assert loaded.knows("code", b"hex:00")
    assert not loaded.knows("code", b"\x00")


def test_unseen_terms_count_as_the_rarest(small: Any) -> None:
    """A term that was not there when pinned is in one document with weight 1."""
    pinned = Statistics.pin(small)
    assert (pinned.doc_frequency("text", b"zebra"), pinned.term_weight("text", b"zebra")) == (1, 1)
    assert pinned.doc_frequency("id", b"r0001") == 1  # unique fields are not pinned
    assert pinned.field_length("id") == 1


# Refused files.


def _edited(change: Callable[[dict[str, Any]], Any]) -> Callable[[str], str]:
    def edit(text: str) -> str:
        content = json.loads(text)
        change(content)
        return json.dumps(content)

    return edit


REFUSED = {
    "cut off": (lambda text: text[:-20], "cannot be read"),
    "no statistics": (lambda text: '{"kind": "other"}', "no file of statistics"),
    "a list": (lambda text: "[]", "no file of statistics"),
    "newer": (_edited(lambda c: c.update(schema=2)), "pin the index again"),
    "a count by hand": (_edited(lambda c: c["fields"]["text"]["terms"].update(tent=1)), "changed"),
    "a length by hand": (_edited(lambda c: c["fields"]["text"].update(length=1)), "changed"),
    "documents by hand": (_edited(lambda c: c.update(documents=1)), "changed"),
    "a term less": (_edited(lambda c: c["fields"]["text"]["terms"].popitem()), "changed"),
    "an analyzer": (_edited(lambda c: c["fields"]["text"].update(analyzer="x")), "changed"),
    "unseen by hand": (_edited(lambda c: c["unseen"].update(weight=9.0)), "changed"),
    "no documents": (_edited(lambda c: c.pop("documents")), "damaged"),
    "a negative count": (
        _edited(lambda c: c["fields"]["text"]["terms"].update(tent=-1)), "damaged",
    ),
    "not hex": (_edited(lambda c: c["fields"]["text"]["terms"].update({"hex:zz": 1})), "damaged"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_files_that_are_refused(small: Any, tmp_path: Path, name: str) -> None:
    """A damaged, newer, foreign or edited file says what is wrong with it and what to do."""
    change, message = REFUSED[name]
    path = tmp_path / "pin.json"
    Statistics.pin(small).save(path)
    path.write_text(change(path.read_text("utf-8")), "utf-8")
    with pytest.raises(StatisticsError, match=message) as caught:
        steadyrank.stabilize(small, id_field="id", statistics=path)
    assert "pin.json" in str(caught.value)


def test_a_missing_file_is_missing(small: Any, tmp_path: Path) -> None:
    """A path without a file says how to write one."""
    with pytest.raises(StatisticsError, match="does not exist"):
        steadyrank.stabilize(small, id_field="id", statistics=tmp_path / "none.json")


def test_statistics_of_another_schema_are_refused(small: Any, tmp_path: Path) -> None:
    """Another set of fields, or other analysis of one, is refused when the view is made."""
    pinned = Statistics.pin(small)
    more = schema()
    more.add("extra", fields.TEXT)
    stemmed = schema()
    stemmed.remove("text")
    stemmed.add("text", fields.TEXT(analyzer=analysis.StemmingAnalyzer()))
    less = schema()
    less.remove("tag")
    for name, other, message in (
        ("more", more, "lack extra"),
        ("stemmed", stemmed, "field 'text'"),
        ("less", less, "have tag"),
    ):
        (tmp_path / name).mkdir()
        ix = index.create_in(str(tmp_path / name), other)
        with pytest.raises(StatisticsError, match=message):
            steadyrank.stabilize(ix, id_field="id", statistics=pinned)


# Other documents cannot move a score.


def others(count: int, seed: int, *, shared: bool) -> list[Record]:
    """More records; without ``shared`` their words are of no other record."""
    rename = str if shared else lambda text: " ".join(f"x{word}" for word in text.split())
    return [
        replace(
            record,
            id=f"other{number:05}",
            title=rename(record.title),
            text=rename(record.text),
            tag=record.tag if shared else "elsewhere",
        )
        for number, record in enumerate(corpus(seed, count))
    ]


def found(view: Any, query: q.Query) -> list[tuple[str, float]]:
    with view.searcher() as searcher:
        return [(hit["id"], hit.score) for hit in searcher.search(query, limit=None)]


words_only = st.recursive(
    st.one_of(terms, terms, phrases, prefixes),
    lambda children: st.one_of(
        st.builds(q.Or, st.lists(children, min_size=1, max_size=4)),
        st.builds(lambda parts: q.Or(parts, scale=0.7), st.lists(children, min_size=2, max_size=4)),
        st.builds(q.And, st.lists(children, min_size=1, max_size=3)),
        st.builds(q.AndNot, children, children),
        st.builds(q.DisjunctionMax, st.lists(children, min_size=1, max_size=3)),
    ),
    max_leaves=5,
)

FIXED = [
    q.Or([q.Term("text", "tent"), q.Term("title", "stove"), q.Phrase("text", ["tent", "lamp"])]),
    q.And([q.Term("text", "tent"), q.Or([q.Term("text", "boot"), q.Term("tag", "sale")])]),
    q.Or([q.Prefix("text", "t", constantscore=False), q.Term("text", "lamp")], scale=0.9),
    q.DisjunctionMax([q.Term("title", "rope"), q.Term("text", "rope")]),
]


@pytest.mark.parametrize("count", [10, 100, 1000])
def test_documents_that_do_not_match_move_nothing(tmp_path: Path, count: int) -> None:
    """Adding, changing and removing them changes no score bit and no position."""
    records = corpus(9, 40)
    ix = write(tmp_path, records, Layout(segments=2, leftovers=4))
    pinned = Statistics.pin(ix)
    live = steadyrank.stabilize(ix, id_field="id")
    view = steadyrank.stabilize(ix, id_field="id", statistics=pinned)
    before = [found(view, query) for query in FIXED]
    unpinned = [found(live, query) for query in FIXED]
    assert before == unpinned  # pinned on this very corpus
    added = others(count, 3, shared=False)
    _commit(ix, added)
    assert [found(view, query) for query in FIXED] == before
    assert [found(live, query) for query in FIXED] != unpinned, "live statistics do move"
    _commit(ix, [replace(record, text=record.text * 3) for record in added[::2]])
    assert [found(view, query) for query in FIXED] == before
    with ix.writer() as writer:
        for record in added[::3]:
            writer.delete_by_term("id", record.id)
    ix.optimize()
    assert [found(view, query) for query in FIXED] == before


def _commit(ix: Any, records: list[Record]) -> None:
    with ix.writer() as writer:
        for record in records:
            writer.update_document(**record.stored())


@settings(max_examples=12)
@given(
    seed=st.integers(0, 1000),
    queries=st.lists(words_only, min_size=6, max_size=6),
    count=st.integers(1, 60),
)
def test_documents_that_match_move_no_two_others(
    seed: int, queries: list[q.Query], count: int
) -> None:
    """The old documents keep their scores and their order among each other, whoever joins."""
    records = corpus(seed, 30)
    with TemporaryDirectory() as folder:
        ix = write(Path(folder), records, Layout(seed=seed, segments=2))
        pinned = Statistics.pin(ix)
        view = steadyrank.stabilize(ix, id_field="id", statistics=pinned)
        before = [found(view, query) for query in queries]
        _commit(ix, others(count, seed + 1, shared=True))
        for query, old in zip(queries, before, strict=True):
            now = found(view, query)
            assert [pair for pair in now if not pair[0].startswith("other")] == old


@pytest.mark.skipif(not DATA.is_dir(), reason="needs the measured catalogue beside the checkout")
def test_a_real_catalogue_keeps_its_order(tmp_path: Path) -> None:
    """Half of a real catalogue keeps every score and order when the other half joins it."""
    lines = (DATA / "products.jsonl").read_text("utf-8").splitlines()
    products = [json.loads(line) for line in lines]
    questions = (DATA / "queries.txt").read_text("utf-8").splitlines()
    ix = index.create_in(
        str(tmp_path),
        fields.Schema(id=fields.ID(stored=True, unique=True), text=fields.TEXT),
    )

    def add(some: list[dict[str, Any]]) -> None:
        with ix.writer() as writer:
            for product in some:
                words = " ".join(str(value) for value in product.values())
                writer.add_document(id=str(product["id"]), text=words[:400])

    add(products[::2])
    view = steadyrank.stabilize(ix, id_field="id", statistics=Statistics.pin(ix))
    live = steadyrank.stabilize(ix, id_field="id")
    tokens = ix.schema["text"].analyzer
    asked = [
        q.Or([q.Term("text", token.text) for token in tokens(line.split("\t")[-1])])
        for line in questions
    ]
    before = [(found(view, query), found(live, query)) for query in asked]
    old = {str(product["id"]) for product in products[::2]}
    add(products[1::2])
    moved = 0
    for query, (pinned_before, live_before) in zip(asked, before, strict=True):
        assert [pair for pair in found(view, query) if pair[0] in old] == pinned_before
        moved += [pair for pair in found(live, query) if pair[0] in old] != live_before
    assert moved > len(asked) / 2, "without pinning they move"
