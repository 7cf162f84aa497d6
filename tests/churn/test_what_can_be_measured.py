"""Indexes that cannot be written again, documents to add, and documents made of words."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from whoosh.analysis import StandardAnalyzer
from whoosh.fields import DATETIME, ID, KEYWORD, NUMERIC, STORED, TEXT
from whoosh.index import create_in, open_dir

from steadyrank import Statistics, StatisticsError
from steadyrank.index import NoIndexError
from steadyrank.measure import Churn
from steadyrank_builder.churning import (
    AddedError,
    ChurnError,
    Plan,
    measure_churn,
    orderings_of,
    ranker,
    read_added,
)
from steadyrank_builder.churning.corpus import Corpus
from steadyrank_builder.churning.resampled import resampled
from steadyrank_builder.runs import Way
from support_churn import QUESTIONS, records, schema, written

pytestmark = pytest.mark.whoosh

SMALL = Plan(k=2, gaps=(0.5,), counts=(4,), draws=1)
WAY = Way(id_field="id")


def groups(churn: Churn) -> set[str]:
    return {one.group for one in churn.perturbations}


def test_a_field_that_is_not_stored_leaves_the_requests(tmp_path: Path) -> None:
    folder = written(tmp_path / "live", records(20), schema(text=TEXT))
    churn = measure_churn(folder, QUESTIONS, WAY, SMALL)
    assert groups(churn) == {"request"}
    [skipped] = churn.skipped
    assert "does not store text" in skipped
    assert churn.tests == () and churn.best is None and churn.verdict == ()
    # A field that is not searched may be missing.
    way = Way(id_field="id", fields={"title": 1.0})
    assert groups(measure_churn(folder, QUESTIONS, way, SMALL)) == {"layout", "request", "corpus"}


def test_an_index_of_other_values_than_it_stores_is_not_passed_off_as_itself(
    tmp_path: Path,
) -> None:
    documents = records(20)
    for document in documents[:3]:
        document["_stored_text"] = "something else"
    folder = written(tmp_path / "live", documents)
    churn = measure_churn(folder, QUESTIONS, WAY, SMALL)
    assert groups(churn) == {"request"}
    assert "other matches or scores" in churn.skipped[0]


def test_an_index_of_another_layout_is_itself(tmp_path: Path) -> None:
    """Segments and leftovers of the live index are no difference."""
    folder = written(tmp_path / "live", records(20))
    writer = open_dir(str(folder)).writer()
    writer.delete_document(3)
    writer.add_document(id="new", title="tent", text="lamp", price=3)
    writer.commit(merge=False)
    churn = measure_churn(folder, QUESTIONS, WAY, SMALL)
    assert churn.skipped == () and churn.documents == 20


def test_records_without_ids_are_told_apart_by_what_they_store(tmp_path: Path) -> None:
    documents = [*records(20), *records(3)]  # three are there twice
    for document in documents:
        del document["id"]
    folder = written(tmp_path / "live", documents, schema(id=STORED))
    churn = measure_churn(folder, QUESTIONS, Way(no_id=True), SMALL)
    assert churn.skipped == ()
    for one in churn.perturbations:
        assert churn.cell("pinned", one.name).order.changed == 0
        if one.group == "layout":
            assert churn.cell("score, then id", one.name).order.changed == 0


def test_questions_that_raise_are_left_out_and_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = written(tmp_path / "live", records(12))

    def parsed(text: str, *others: Any) -> Any:
        if text == "bad":
            raise RuntimeError("no such thing")
        return whole(text, *others)

    whole = ranker.parsed
    monkeypatch.setattr(ranker, "parsed", parsed)
    questions = [(1, "tent"), (2, "bad"), (5, "mug lamp")]
    churn = measure_churn(folder, questions, Way(id_field="id", syntax="whoosh"), SMALL)
    assert churn.skipped == ("question 2 ('bad'): RuntimeError: no such thing",)
    assert churn.questions == 2 and set(churn.texts) == {1, 5}
    # In a query language the order of words may mean something.
    assert [one.name for one in churn.perturbations[:2]] == ["limit", "terms"]
    with pytest.raises(ChurnError, match="no question could be asked; question 2"):
        measure_churn(folder, questions[1:2], WAY, SMALL)


def test_an_empty_index_and_no_index_are_errors(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    create_in(str(tmp_path / "empty"), schema())
    with pytest.raises(ChurnError, match="no documents"):
        measure_churn(tmp_path / "empty", QUESTIONS, WAY, SMALL)
    with pytest.raises(NoIndexError):
        measure_churn(tmp_path / "nothing", QUESTIONS, WAY, SMALL)


def test_more_than_there_are_is_not_removed(tmp_path: Path) -> None:
    folder = written(tmp_path / "live", records(5))
    plan = Plan(k=2, gaps=(0.5,), counts=(2, 5, 9), draws=1, groups=("corpus",))
    churn = measure_churn(folder, QUESTIONS, WAY, plan)
    assert [one.name for one in churn.perturbations] == [
        "2 added", "5 added", "9 added", "2 removed",
    ]  # fmt: skip
    assert [line.split(":")[0] for line in churn.skipped] == ["5 removed", "9 removed"]


def test_counts_are_shares_of_the_corpus_where_none_are_given() -> None:
    assert Plan().counts_for(1417) == [71, 283]
    assert Plan().counts_for(3) == [1]
    assert Plan(counts=(9, 3, 9)).counts_for(1417) == [3, 9]


def test_a_pinned_file_is_used_and_must_fit(tmp_path: Path) -> None:
    folder = written(tmp_path / "live", records(12))
    Statistics.pin(open_dir(str(folder))).save(tmp_path / "pinned.json")
    plan = Plan(k=2, gaps=(0.5,), counts=(3,), draws=1, statistics=str(tmp_path / "pinned.json"))
    churn = measure_churn(folder, QUESTIONS, WAY, plan)
    assert churn.cell("pinned", "3 added").pairs.changed == 0  # type: ignore[union-attr]
    # Those of other documents, which give other scores: both ways of asking use them.
    Statistics.pin(open_dir(str(written(tmp_path / "few", records(9, seed=8))))).save(
        tmp_path / "pinned.json"
    )
    other_pin = measure_churn(folder, QUESTIONS, WAY, plan)
    for name in ("limit", "terms"):
        assert other_pin.cell("pinned", name).order.changed == 0
    other = written(tmp_path / "other", [], schema(more=KEYWORD))
    Statistics.pin(open_dir(str(other))).save(tmp_path / "pinned.json")
    with pytest.raises(StatisticsError, match="do not fit"):
        measure_churn(folder, QUESTIONS, WAY, plan)


def test_orderings_have_names_of_their_own() -> None:
    names = [ordering.name for ordering in orderings_of([0.5, 0.1, 0.5, 0.0])]
    assert names == [
        "stock Whoosh", "score, then id", "gap 0.1", "gap 0.5", "gap 0.1, select=score",
        "gap 0.5, select=score", "pinned", "pinned, gap 0.1", "pinned, gap 0.5",
    ]  # fmt: skip
    near = [ordering.name for ordering in orderings_of([1, 1.0000001])]
    assert near[2:4] == ["gap 1", "gap 1.0000001"] and len(set(near)) == len(near)


# Documents to add.


@pytest.fixture
def live(tmp_path: Path) -> Path:
    return written(tmp_path / "live", records(20))


def test_documents_come_from_a_file_or_an_index(live: Path, tmp_path: Path) -> None:
    more = records(6, seed=9, prefix="q")
    file = tmp_path / "more.jsonl"
    file.write_text("\n".join(json.dumps(one) for one in more) + "\n\n", "utf-8")
    assert read_added(file, live, WAY) == more
    (tmp_path / "more.json").write_text(json.dumps(more), "utf-8")
    assert read_added(tmp_path / "more.json", live, WAY) == more
    assert read_added(written(tmp_path / "more", more), live, WAY) == more

    plan = Plan(k=2, gaps=(0.5,), counts=(), draws=3, added=more, groups=("corpus",))
    churn = measure_churn(live, QUESTIONS, WAY, plan)
    draws = {one.name: one.draws for one in churn.perturbations}
    # All six are the same six in every draw.
    assert draws == {"6 added": 1, "1 removed": 3, "4 removed": 3}
    plan = Plan(k=2, gaps=(0.5,), counts=(2, 7), draws=3, added=more, groups=("corpus",))
    churn = measure_churn(live, QUESTIONS, WAY, plan)
    draws = {one.name: one.draws for one in churn.perturbations}
    assert draws == {"2 added": 3, "2 removed": 3, "7 removed": 3}
    assert churn.skipped == ("7 added: there are only 6 documents to add",)


def test_all_that_is_wrong_with_documents_is_said_at_once(live: Path, tmp_path: Path) -> None:
    file = tmp_path / "more.jsonl"
    taken = records(20)[0]["id"]
    lines: list[Any] = [
        {"id": "a", "titel": "tent"}, {"title": "no id"}, {"id": "a"}, {"id": taken}, 7,
    ]  # fmt: skip
    file.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    with pytest.raises(AddedError) as caught:
        read_added(file, live, WAY)
    assert caught.value.faults == (
        "line 1: the index has no field 'titel'; did you mean 'title'?",
        "line 2 has no id",
        "line 3 has the id 'a' of line 1",
        f"line 4 has the id {taken!r} of a document of the index",
        "line 5 is no object with fields",
    )


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", b"{\n[", "line 1 is not JSON.*line 2 is not JSON"),
        ("a.json", b"{", "not JSON"),
        ("a.json", b"{}", "not a list"),
        ("a.jsonl", b"\n\n", "no document"),
        ("a.jsonl", b"\xff", "not UTF-8"),
        (None, b"", "No such file"),
    ],
)
def test_files_that_are_no_documents(
    live: Path, tmp_path: Path, name: str | None, content: bytes, message: str
) -> None:
    file = tmp_path / (name or "missing.jsonl")
    if name:
        file.write_bytes(content)
    with pytest.raises(AddedError, match=message):
        read_added(file, live, WAY)


def test_a_value_that_the_index_does_not_take_is_an_error_that_says_so(live: Path) -> None:
    wrong = [{"id": "x", "price": "not a number"}]
    bad = Plan(k=2, gaps=(0.5,), draws=1, groups=("corpus",), added=wrong)
    with pytest.raises(ChurnError, match="a document to add cannot be written"):
        measure_churn(live, QUESTIONS, WAY, bad)


def test_a_list_of_texts_is_read_as_a_text(tmp_path: Path) -> None:
    """Whoosh would take its elements for finished terms."""
    kind = schema(tags=TEXT(stored=True), raw=STORED)
    folder = written(tmp_path / "live", records(3), kind)
    file = tmp_path / "more.json"
    file.write_text(json.dumps([{"id": "x", "tags": ["Big Tent", "b"], "raw": ["a"]}]), "utf-8")
    assert read_added(file, folder, WAY) == [{"id": "x", "tags": "Big Tent\nb", "raw": ["a"]}]


# Documents made of words.


def test_made_documents_are_bags_of_the_corpus_words() -> None:
    kind = schema(kind=ID(stored=True))
    documents = [{**one, "kind": "k", "id": one["id"]} for one in records(30)]
    made = resampled(Corpus(kind, tuple(documents)), 40, random.Random(1), ["id"])
    assert made == resampled(Corpus(kind, tuple(documents)), 40, random.Random(1), ["id"])
    ids = [one["id"] for one in made]
    assert len(set(ids)) == 40 and not {one["id"] for one in documents} & set(ids)
    for field in ("title", "text"):
        words = {word for one in documents for word in one[field].split()}
        lengths = {len(one[field].split()) for one in documents}
        assert {word for one in made for word in one[field].split()} <= words
        assert {len(one[field].split()) for one in made} <= lengths
    # What is no text is a document's as it is.
    assert {one["kind"] for one in made} == {"k"}
    assert {one["price"] for one in made} <= {one["price"] for one in documents}
    # They are no copies.
    assert not {one["text"] for one in made if len(one["text"].split()) > 6} & {
        one["text"] for one in documents
    }


def test_texts_of_all_kinds_can_be_drawn_from() -> None:
    """Lists, missing and empty values, and documents with nothing in them."""
    kind = schema(title=TEXT(StandardAnalyzer(), stored=True))
    documents = ({"id": "a", "title": ["x", "y"]}, {"id": "b", "title": ""}, {"id": "c"})
    made = resampled(Corpus(kind, documents), 20, random.Random(1), ["id"])
    assert {str(one.get("title")) for one in made} <= {"['x', 'y']", "", "None"}


@pytest.mark.parametrize(
    ("kind", "value"),
    [
        (NUMERIC(int, stored=True, unique=True), lambda number: number - 3),
        (NUMERIC(int, bits=8, stored=True), lambda number: 100 + number),
        (NUMERIC(float, stored=True), lambda number: number / 2),
        (DATETIME(stored=True), lambda number: datetime(2024, 1, 1 + number)),
    ],
    ids=["numbers", "narrow", "floats", "moments"],
)
def test_documents_are_made_for_ids_that_are_no_texts(
    kind: Any, value: Callable[[int], Any], tmp_path: Path
) -> None:
    documents = [document | {"id": value(number)} for number, document in enumerate(records(20))]
    folder = written(tmp_path / "live", documents, schema(id=kind))
    churn = measure_churn(folder, QUESTIONS, WAY, SMALL)
    assert groups(churn) == {"layout", "request", "corpus"}
    corpus = Corpus(schema(id=kind), tuple(documents))
    made = [one["id"] for one in resampled(corpus, 5, random.Random(1), ["id"])]
    assert len({*made, *(document["id"] for document in documents)}) == 25
