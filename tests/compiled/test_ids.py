"""Ids of compiled segments: the same texts, and the same choice of the lowest of a large tie."""

from __future__ import annotations

import random
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whoosh import fields, index
from whoosh.query import Term

import steadyrank
from steadyrank.errors import IdFieldError
from steadyrank.order import Policy
from steadyrank.postings import Identity, IndexView, by_id
from steadyrank.postings.segment import segment_of
from support_compiled import warned, without
from support_layouts import Layout, corpus, write
from support_sidecars import damaged, replace

pytestmark = pytest.mark.whoosh


def tied(folder: Path, ids: list[list[str | None]], *, sortable: bool, deleted: list[str]) -> None:
    """Documents that tie, in a segment for each list of ids."""
    schema = fields.Schema(
        id=fields.ID(stored=True, sortable=sortable), text=fields.TEXT(stored=True)
    )
    folder.mkdir()
    ix = index.create_in(str(folder), schema)
    for part in ids:
        writer = ix.writer()
        for id_ in part:
            writer.add_document(text="tent", **({} if id_ is None else {"id": id_}))
        writer.commit(merge=False)
    writer = ix.writer()
    for id_ in deleted:
        writer.delete_by_term("id", id_)
    writer.commit(merge=False)
    ix.close()


def found(folder: Path, limit: int) -> tuple[list[str], list[int]]:
    """All ids as texts, and the answer to a search in which all documents tie."""
    ix = steadyrank.open_index(folder, id_field="id")
    with ix.searcher() as searcher:
        hits = [hit.docnum for hit in searcher.search(Term("text", "tent"), limit=limit)]
        view = IndexView(searcher.reader())
        texts = Identity(view, Policy(id_field="id")).texts(view.live_docs())
    return texts, hits


texts = st.text(st.characters(codec="utf-8", exclude_characters="\x00"), min_size=1, max_size=4)


@settings(max_examples=25)
@pytest.mark.filterwarnings("ignore:records (share|have no):steadyrank.SteadyRankWarning")
@given(
    st.lists(st.lists(texts | st.none(), min_size=1, max_size=12), min_size=1, max_size=3),
    st.booleans(),
    st.integers(1, 30),
    st.data(),
)
def test_any_ids(
    ids: list[list[str | None]], sortable: bool, limit: int, data: st.DataObject
) -> None:
    """Of any characters, shared by documents of one segment or several, deleted, or missing."""
    known = sorted({id_ for part in ids for id_ in part if id_ is not None})
    deleted = data.draw(st.lists(st.sampled_from(known), max_size=3)) if known else []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "index"
        tied(folder, ids, sortable=sortable, deleted=deleted)
        plain = found(without(folder), limit)
        steadyrank.compile_index(folder)
        assert found(folder, limit) == plain


@pytest.mark.parametrize("sortable", [False, True])
@pytest.mark.parametrize("shared", [False, True])
def test_the_lowest_of_a_large_tie(tmp_path: Path, sortable: bool, shared: bool) -> None:
    """Without reading the others' ids, unless two of them are the same."""
    chance = random.Random(3)
    numbers = list(range(1200))
    chance.shuffle(numbers)
    ids: list[str | None] = [f"r{number:05}" for number in numbers]
    parts = [ids[:500], ids[500:]]
    if shared:
        parts[1] = [*parts[1], "r00001"]
    folder = tmp_path / "index"
    tied(folder, parts, sortable=sortable, deleted=["r00000", "r00003", "r00777"])
    steadyrank.compile_index(folder)
    ix = steadyrank.open_index(folder, id_field="id")
    with ix.searcher() as searcher:
        view = IndexView(searcher.reader())
        docs = view.live_docs()
        ranked = by_id._by_ranks(view, "id", docs, 10)
        read = sum(len(segment._kept_values("id")) for segment, _ in view.segments)
        if shared:
            assert ranked is None
        else:
            assert ranked is not None
            assert [view.value("id", doc) for doc in ranked.tolist()] == [
                f"r{number:05}" for number in range(13) if number not in (0, 3)
            ][:10]
        assert read <= 22


def test_damaged_ids_are_read_from_the_index(tmp_path: Path) -> None:
    """As what is damaged is anywhere."""
    folder = tmp_path / "index"
    folder.mkdir()
    write(folder, corpus(1, 900), Layout(sortable_id=True)).close()
    steadyrank.compile_index(folder)
    (path,) = folder.glob("*.arrays")
    replace(path, damaged(path.read_bytes(), random.Random(5)))
    import warnings

    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        answer = found(folder, 20)
    assert len(told) == 1
    assert answer == found(without(folder), 20)


def test_which_field_has_ids(tmp_path: Path) -> None:
    """One that is named, else id; another one asked for is compiled anew."""
    folder = tmp_path / "index"
    folder.mkdir()
    write(folder, corpus(1, 30), Layout()).close()

    def compiled(**options: Any) -> tuple[str, str | None]:
        (done,) = steadyrank.compile_index(folder, **options).segments
        reader = index.open_dir(str(folder)).reader()
        view = segment_of(reader)
        view.postings("text", b"tent")
        assert view._arrays is not None
        has = None if view._arrays.ids is None else view._arrays.ids.field
        assert (view.id_ranks("id") is not None) is (has == "id")
        reader.close()
        return done.action, has

    assert compiled() == ("compiled", "id")
    assert compiled(id_field="id") == ("kept", "id")
    assert compiled(id_field="tag") == ("compiled", "tag")
    assert compiled() == ("kept", "tag")
    assert warned(folder) == (warned(without(folder))[0], [])
    with pytest.raises(IdFieldError):
        steadyrank.compile_index(folder, id_field="nowhere")


KINDS: dict[str, tuple[Any, list[Any]]] = {
    "numeric": (fields.NUMERIC(stored=True), [10, 9, 100, -3, 2]),
    "numeric in a column": (fields.NUMERIC(stored=True, sortable=True), [10, 9, 100, -3, 2]),
    "stored only": (fields.STORED, ["b", 7, None, "", 2.5]),
    "with empty ones": (fields.ID(stored=True), ["b", "", "a", "", "c"]),
    "one empty": (fields.ID(stored=True), ["", "b", "a", "c", "d"]),
    "empty ones in a column": (fields.ID(stored=True, sortable=True), ["b", "", None, "a", "c"]),
    "none at all": (fields.ID(stored=True), [None] * 5),
    "none in a column": (fields.ID(stored=True, sortable=True), [None] * 5),
    "only in a column": (fields.ID(sortable=True), ["r2", "r10", "r1", "R1", "é"]),
    "numbers as texts": (fields.ID(stored=True), ["10", "9", "100", "09", "2"]),
}

WAYS: list[dict[str, Any]] = [
    {},
    {"gap": 0.5},
    {"gap": 0.5, "document_field": "page"},
    {"tiebreak": "-rank"},
    {"tiebreak": ("rank", steadyrank.natural("id"))},
    {"tiebreak": steadyrank.natural("page")},
    {"id_field": "page"},
]


@pytest.mark.filterwarnings("ignore:records (share|have no):steadyrank.SteadyRankWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_odd_ids_under_any_policy(tmp_path: Path, kind: str) -> None:
    """Neither what ids are nor what comes before them in the order, and no other id field than
    the one that was compiled, makes another answer.
    """
    field, values = KINDS[kind]
    folder = tmp_path / "index"
    folder.mkdir()
    schema = fields.Schema(
        id=field, page=fields.ID(stored=True), rank=fields.NUMERIC(stored=True), text=fields.TEXT
    )
    ix = index.create_in(str(folder), schema)
    for part in range(3):
        writer = ix.writer()
        for number in range(60):  # in all more than are read before ranks are asked
            value = values[number % len(values)]
            if kind == "one empty" and (number or part):
                value = value or "e"
            if (number >= len(values) or part) and isinstance(value, str) and value:
                value = f"{value}{(number * 7) % 60}-{part}"
            writer.add_document(
                text="tent " * (1 + number % 2),
                page=f"p{(number * 11) % 13}",
                rank=number % 3,
                **({} if value is None else {"id": value}),
            )
        writer.commit(merge=False)
    writer = ix.writer()
    writer.delete_by_term("page", "p5")
    writer.commit(merge=False)
    ix.close()

    def answers(folder: Path) -> list[Any]:
        got = []
        for way in WAYS:
            ix = steadyrank.open_index(folder, **{"id_field": "id", **way})
            with ix.searcher() as searcher:
                for limit in (3, 40, 500):
                    hits = searcher.search(Term("text", "tent"), limit=limit)
                    got.append([(hit.docnum, hit.score.hex()) for hit in hits])
        return got

    plain = answers(without(folder))
    assert len({str(each) for each in plain}) > 6  # the policies do differ
    for id_field in (None, "page", "id"):
        steadyrank.compile_index(folder, id_field=id_field)
        assert answers(folder) == plain
