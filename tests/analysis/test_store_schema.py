"""The schema keeps what a document is made of, exactly."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from whoosh import index
from whoosh.query import Phrase, Term

from steadyrank.analysis import LanguageError, StoreAnalyzer
from steadyrank.schema import DEFAULT_WEIGHTS, STORED_FIELDS, TEXT_FIELDS, store_schema, tags_text

pytestmark = pytest.mark.whoosh

IDS = [
    "a",
    "a\0",
    "\0",
    "a\0b",
    " a ",
    "A",
    "page:x#y",
    "é",
    "e\u0301",
    "\uffff",
    "\U0001f455",
    "\U0010ffff",
    "n" * 255,
    "n" * 256,
    "n" * 65_535,
    "n" * 65_536,
    "é" * 40_000,
]


@pytest.mark.parametrize("ids", [IDS, ["", "b"]], ids=["all", "empty"])
def test_ids_are_kept_exactly_in_column_store_and_terms(ids: list[str], tmp_path: Path) -> None:
    """NUL at the end, characters beyond the BMP, 80,000 bytes: nothing is cut or merged."""
    store = index.create_in(tmp_path, store_schema())
    writer = store.writer()
    for id_ in ids:
        writer.add_document(id=id_, document=id_, kind=id_)
    writer.commit()
    with index.open_dir(tmp_path).searcher() as searcher:
        reader = searcher.reader()
        for name in ("id", "document", "kind"):
            column = reader.column_reader(name)
            assert [column[number] for number in range(len(ids))] == ids
            assert [reader.stored_fields(number)[name] for number in range(len(ids))] == ids
            for number, id_ in enumerate(ids):
                assert list(Term(name, id_).docs(searcher)) == [number]


def test_an_id_replaces_only_itself(tmp_path: Path) -> None:
    store = index.create_in(tmp_path, store_schema())
    with store.writer() as writer:
        writer.add_document(id="a", title="old")
        writer.add_document(id="a\0", title="other")
    with store.writer() as writer:
        writer.update_document(id="a", title="new")
    with store.searcher() as searcher:
        found = sorted((hit["id"], hit["title"]) for hit in searcher.documents())
    assert found == [("a", "new"), ("a\0", "other")]


def test_fields() -> None:
    schema = store_schema("de")
    assert set(schema.names()) == {
        "id",
        "document",
        "kind",
        "language",
        *TEXT_FIELDS,
        *STORED_FIELDS,
    }
    assert set(schema.stored_names()) == set(schema.names())
    assert tuple(DEFAULT_WEIGHTS) == TEXT_FIELDS
    for name in TEXT_FIELDS:
        assert schema[name].analyzer == StoreAnalyzer("de")
        assert schema[name].supports("positions") and not schema[name].supports("characters")
    assert [name for name in schema.names() if not schema[name].indexed] == sorted(STORED_FIELDS)
    assert [name for name in schema.names() if schema[name].unique] == ["id"]
    with pytest.raises(LanguageError):
        store_schema("klingon")


def test_a_document_comes_back_as_it_was(tmp_path: Path) -> None:
    document = {
        "id": "product:a",
        "document": "product:a",
        "kind": "product",
        "language": "en",
        "title": "Rain-Jacket",
        "heading": "",
        "text": "Größe M\nund L",
        "tags": tags_text(["sale", "new in"]),
        "url": "https://shop.com/a?b=1",
        "attributes": json.dumps({"price": "10.00"}),
        "links": "[]",
    }
    store = index.create_in(tmp_path, store_schema())
    with store.writer() as writer:
        writer.add_document(**document)
    with index.open_dir(tmp_path).searcher() as searcher:
        assert dict(searcher.document(id="product:a")) == document
        assert len(searcher.search(Term("tags", "new"))) == 1
        assert len(searcher.search(Phrase("text", ["m", "und"]))) == 1
