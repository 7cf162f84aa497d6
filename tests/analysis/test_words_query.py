"""A shopper's words are words, in any schema."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from whoosh import index
from whoosh.analysis import RegexTokenizer, StopFilter
from whoosh.fields import (
    BOOLEAN,
    DATETIME,
    ID,
    KEYWORD,
    NGRAM,
    NUMERIC,
    STORED,
    TEXT,
    FieldType,
    Schema,
)
from whoosh.formats import Existence
from whoosh.query import NullQuery, Or, Term

from steadyrank.errors import PolicyError
from steadyrank.schema import DEFAULT_WEIGHTS, store_schema
from steadyrank.words import words_query

pytestmark = pytest.mark.whoosh

STORE = store_schema()


class Unanalysed(FieldType):
    """A field with a format and no analyzer."""

    def __init__(self) -> None:
        self.format = Existence()


FOREIGN = Schema(
    body=TEXT(analyzer=RegexTokenizer()),
    stopped=TEXT(analyzer=RegexTokenizer() | StopFilter()),
    sku=ID(),
    words=KEYWORD(lowercase=True, commas=True),
    grams=NGRAM(minsize=2, maxsize=2),
    price=NUMERIC(),
    day=DATETIME(),
    sold=BOOLEAN(),
    raw=Unanalysed(),
    note=STORED(),
)
FOREIGN.add("attr_*", TEXT(analyzer=RegexTokenizer()), glob=True)
SEARCHABLE = {name: 1.0 for name in FOREIGN.names() if name != "note"}


def terms(
    text: str, fields: dict[str, float], schema: Schema = FOREIGN
) -> list[tuple[str, object]]:
    query = words_query(text, schema, fields)
    if query is NullQuery or query == NullQuery:
        return []
    assert type(query) is Or
    assert all(type(child) is Term for child in query.subqueries)
    return [(child.fieldname, child.text) for child in query.subqueries]


def test_terms_by_field_in_order_of_first_occurrence_with_the_weights() -> None:
    query = words_query("Red jackets red tent", STORE, {"text": 1, "title": 3.5})
    assert query == Or(
        [
            Term("text", "red", boost=1.0),
            Term("text", "jacket", boost=1.0),
            Term("text", "tent", boost=1.0),
            Term("title", "red", boost=3.5),
            Term("title", "jacket", boost=3.5),
            Term("title", "tent", boost=3.5),
        ]
    )
    assert [child.boost for child in query.subqueries] == [1.0, 1.0, 1.0, 3.5, 3.5, 3.5]
    assert type(query.subqueries[0].boost) is float


def test_both_spellings_are_in_the_query() -> None:
    assert [text for _, text in terms("Schlüssel", {"text": 1.0}, STORE)] == [
        "schlussel",
        "schluessel",
    ]


@pytest.mark.parametrize("text", ["", "  ", "*", ":", '""', "()[]", "?", "\ud800", "\0"])
def test_no_words_give_the_null_query(text: str) -> None:
    assert words_query(text, STORE, DEFAULT_WEIGHTS) == NullQuery


@pytest.mark.parametrize(
    "text", ["red AND (blue OR", "title:red*", '"red blue"~3', "red^2", "NOT red"]
)
def test_syntax_is_words(text: str) -> None:
    assert ("text", "red") in terms(text, {"text": 1.0}, STORE)


@given(st.text())
def test_no_text_raises_in_any_kind_of_field(text: str) -> None:
    for field, term in terms(text, SEARCHABLE):
        assert field in SEARCHABLE and term
    terms(text, dict(DEFAULT_WEIGHTS), STORE)


def test_foreign_fields_use_their_own_analyzer() -> None:
    assert terms("The Red tent", {"body": 1.0}) == [("body", w) for w in ("The", "Red", "tent")]
    assert terms("the red", {"stopped": 1.0}) == [("stopped", "red")]
    assert terms("The Red", {"sku": 1.0}) == [("sku", "The Red")]
    assert terms("\ud800", {"sku": 1.0}) == []  # no index can hold it
    assert terms("Sale, New in", {"words": 1.0}) == [("words", "sale"), ("words", "new in")]
    assert terms("abc", {"grams": 1.0}) == [("grams", "ab"), ("grams", "bc")]
    assert terms("red", {"attr_colour": 1.0}) == [("attr_colour", "red")]


def test_values_are_one_exact_term_or_none() -> None:
    assert terms("red tent", dict.fromkeys(("price", "day", "sold"), 1.0)) == []
    assert terms(" 42 ", {"price": 1.0}) == [("price", NUMERIC().to_bytes(42))]
    assert terms("2024", {"day": 1.0})[0][1] == DATETIME().to_bytes(datetime(2024, 1, 1))
    assert terms("Yes", {"sold": 1.0}) == [("sold", b"t")]
    assert terms("no", {"sold": 1.0}) == [("sold", b"f")]
    assert terms(" Red tent ", {"raw": 1.0}) == [("raw", b"Red tent")]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({}, "no fields"),
        ({"colour": 1.0}, r"no field 'colour' in the index: it has .*body"),
        ({"note": 1.0}, "'note' is stored but not indexed"),
        ({"body": 0.0}, "above 0"),
        ({"body": float("nan")}, "finite"),
        ({"body": float("inf")}, "finite"),
        ({"body": -1.0}, "above 0"),
    ],
)
def test_wrong_fields_are_refused(fields: dict[str, float], message: str) -> None:
    with pytest.raises(PolicyError, match=message):
        words_query("red", FOREIGN, fields)


def test_ten_thousand_words_find_their_document(tmp_path: Path) -> None:
    store = index.create_in(tmp_path, store_schema())
    with store.writer() as writer:
        writer.add_document(id="a", title="word9999")
        writer.add_document(id="b", title="something else")
    query = words_query(" ".join(f"word{n}" for n in range(10_000)), store.schema, DEFAULT_WEIGHTS)
    # Each is word, a number, and the whole; "word" is one term.
    assert len(query.subqueries) == 4 * (1 + 10_000 + 10_000)
    with store.searcher() as searcher:
        assert [hit["id"] for hit in searcher.search(query)] == ["a"]


def test_importing_steadyrank_does_not_import_whoosh() -> None:
    """These modules need whoosh; the package must not need them."""
    code = "import sys, steadyrank; print('whoosh' in sys.modules)"
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, check=True
    )
    assert run.stdout.strip() == "False"
