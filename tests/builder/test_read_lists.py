"""FAQ entries and generic records, whatever container they come in."""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import pytest

from steadyrank_builder.document import Document, Link
from steadyrank_builder.errors import ReadOptionError
from steadyrank_builder.formats import ReadOptions
from support_reading import read

YAML = """# counter
- id: returns
  question: May I return it?
  answer: >-
    Yes, within
    60 days.
  tags: [returns, fees]
  season: 007

- question: Do you ship to NO?
  answer: NO
  language: en
  url: /help#ship
- question: Empty?
  answer: ~
- just text
- question: Twice?
  answer: a
  answer: b
"""


def test_a_yaml_list_keeps_text_as_written_and_knows_its_lines(tmp_path: Path) -> None:
    got = read(tmp_path, "faq.yaml", YAML)
    assert got.format == "faq-yaml"
    assert got.documents == [
        Document(
            id="faq:returns",
            kind="faq",
            title="May I return it?",
            text="Yes, within 60 days.",
            tags=("returns", "fees"),
            attributes={"season": "007"},
        ),
        Document(
            id="faq:do-you-ship-to-no",
            kind="faq",
            title="Do you ship to NO?",
            text="NO",
            language="en",
            url="/help#ship",
        ),
    ]
    assert [(each.origin.line, each.origin.end_line) for each in got.accepted] == [
        (2, 8),
        (10, 13),
    ]
    assert got.rejects == [
        ("empty-field", 14, 15, 1),
        ("record-shape", 16, 16, 1),
        ("duplicate-key", 17, 19, 1),
    ]


def test_a_list_under_faq_is_a_list(tmp_path: Path) -> None:
    yaml = read(tmp_path, "a.yml", "faq:\n  - question: Q\n    answer: A\n")
    as_json = read(tmp_path, "a.json", '{"v": [1], "faq": [\n {"question": "Q", "answer": "A"}]}')
    assert (yaml.format, yaml.ids) == ("faq-yaml", ["faq:q"])
    assert (as_json.format, as_json.ids) == ("faq-json", ["faq:q"])
    assert as_json.accepted[0].origin.line == 2


def test_broken_yaml_is_one_reject_with_its_line(tmp_path: Path) -> None:
    got = read(tmp_path, "a.yaml", "- question: Q\n  answer: [a\n- question: R\n")
    ((code, line, _, records),) = got.rejects
    assert (code, records) == ("yaml", 1)
    assert line >= 2


def test_aliases_are_read_and_bombs_are_not(tmp_path: Path) -> None:
    levels = "".join(
        f"  {'abcdefghi'[n]}: &{'abcdefghi'[n]} [{', '.join(['*' + 'abcdefghi'[n - 1]] * 9)}]\n"
        for n in range(1, 9)
    )
    bomb = f"- question: Q\n  answer: A\n  a: &a [x]\n{levels}"
    good = "- question: R\n  answer: A\n  x: &x [1]\n  y: *x\n- question: S\n  answer: &s [*s]\n"
    started = time.perf_counter()
    got = read(tmp_path, "a.yaml", bomb + good)
    assert time.perf_counter() - started < 5
    assert got.ids == ["faq:r"]
    assert got.documents[0].attributes == {"x": ("1",), "y": ("1",)}
    assert [code for code, *_ in got.rejects] == ["too-deep", "too-deep"]


JSONL = r"""{"id": "faq:a", "question": "Q &amp; <b>A</b>?", "answer": "<p>One</p><p>Two</p>"}

{"question": "B", "answer": "b"
{"question": "C", "answer": "c", "n": NaN}
{"question": "D", "answer": "d", "answer": "e"}
{"question": "E", "answer": ""}
{"question": "???", "answer": "f"}
{"question": "G", "answer": "g", "id": "\u0000"}
{"question": "H", "answer": "\ud800"}
{"question": "I", "answer": "i", "n": 1e999}
{"question": "J", "answer": "j", "id": " cafe\u0301 "}
[1]
{"question": "K"}
{"id": "  ", "question": "L", "answer": "l", "list": [{"deep": 1.5}]}
"""


def test_every_line_of_jsonl_is_a_record_or_a_reject_with_line_and_column(tmp_path: Path) -> None:
    got = read(tmp_path, "faq.jsonl", JSONL)
    assert got.format == "faq-jsonl"
    assert got.ids == ["faq:a", "faq:caf\u00e9", "faq:l"]
    assert got.documents[0].title == "Q & A?"
    assert got.documents[0].text == "One\nTwo"
    assert got.documents[2].attributes == {"list": ({"deep": 1.5},)}
    assert got.rejects == [
        ("json", 3, 3, 1),
        ("bad-value", 4, 4, 1),
        ("duplicate-key", 5, 5, 1),
        ("empty-field", 6, 6, 1),
        ("empty-id", 7, 7, 1),
        ("bad-id", 8, 8, 1),
        ("bad-value", 9, 9, 1),
        ("bad-value", 10, 10, 1),
        ("record-shape", 12, 12, 1),
        ("missing-field", 13, 13, 1),
    ]
    assert got.records == 13


def test_the_column_of_a_json_fault_is_told(tmp_path: Path) -> None:
    good = '{"question": "Q", "answer": "A"}\n'
    got = read(tmp_path, "faq.jsonl", good + '{"question": "Q", "answer"}\n')
    # The fault is the brace at character 27, where a colon is due.
    assert "(line 2, column 27)" in got.message


def test_an_faq_table(tmp_path: Path) -> None:
    got = read(
        tmp_path,
        "faq.csv",
        'Question;Answer;Tags;Team\nHow?;"So;\nand so";a, b;x\nWhy?;;;\n',
        language="en",
    )
    (entry,) = got.documents
    assert got.format == "faq-csv"
    assert (entry.id, entry.text, entry.tags) == ("faq:how", "So;\nand so", ("a", "b"))
    assert (entry.language, entry.attributes) == ("en", {"Team": "x"})
    assert got.rejects == [("empty-field", 4, 4, 1)]


RECORD: dict[str, Any] = {
    "id": " Terms ",
    "kind": "policy",
    "title": "Terms",
    "text": "Text with <b>tags</b>",
    "document": "legal",
    "section": "a",
    "level": 2,
    "heading": "H",
    "url": "https://x.example/t",
    "language": "en",
    "tags": ["x", "y"],
    "links": ["a#b", {"targetSlug": "s", "targetSection": "t", "relation": "next"}],
    "weight": 1.5,
}


def test_a_generic_record_is_taken_as_it_is(tmp_path: Path) -> None:
    expected = Document(
        id="Terms",
        kind="policy",
        title="Terms",
        text="Text with <b>tags</b>",
        document="legal",
        heading="H",
        url="https://x.example/t",
        tags=("x", "y"),
        language="en",
        links=(Link("a#b"), Link("s#t", "next")),
        attributes={"section": "a", "level": 2, "weight": 1.5},
    )
    line = json.dumps(RECORD)
    assert read(tmp_path, "a.jsonl", line).documents == [expected]
    assert read(tmp_path, "a.json", f"[{line}]").documents == [expected]
    assert read(tmp_path, "b.json", f"[{line}]").format == "json"
    assert read(tmp_path, "c.json", f"{line}\n{line}\n").format == "jsonl"


def test_a_generic_table_with_mapped_columns_and_a_kind_from_outside(tmp_path: Path) -> None:
    got = read(
        tmp_path,
        "a.csv",
        "No,Name,Description,Level,Links,Colour\n007,T,x,2,a#b c,red\n,T,x,,,\n8,,,,,\n",
        mapping={"id": "no", "title": "Name", "text": "Description"},
        kind="part",
    )
    assert got.documents == [
        Document(
            id="007",
            kind="part",
            title="T",
            text="x",
            links=(Link("a#b"), Link("c")),
            attributes={"Colour": "red", "level": 2},
        )
    ]
    assert got.rejects == [("empty-id", 3, 3, 1), ("empty-field", 4, 4, 1)]


def test_ids_that_differ_by_case_are_two_and_by_unicode_form_are_one(tmp_path: Path) -> None:
    lines = [
        {"id": id_, "title": "t", "text": "x", "kind": "k"}
        for id_ in ("A", "a", "caf\u00e9", "cafe\u0301", 7)
    ]
    got = read(tmp_path, "a.jsonl", "\n".join(map(json.dumps, lines)))
    assert got.ids == ["A", "a", "caf\u00e9", "caf\u00e9", "7"]


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"id": None}, "empty-id"),
        ({"id": " \ufeff"}, "empty-id"),
        ({"id": True}, "field-type"),
        ({"id": 1.5}, "field-type"),
        ({"id": "a\0b"}, "bad-id"),
        ({"id": "\ud800"}, "bad-value"),
        ({"kind": ""}, "missing-kind"),
        ({"title": {"a": 1}}, "field-type"),
        ({"title": "", "text": None, "heading": ""}, "empty-field"),
        ({"tags": {"a": 1}}, "field-type"),
        ({"links": 5}, "field-type"),
        ({"links": [[]]}, "field-type"),
        ({"links": [""]}, "bad-link"),
        ({"extra": float("nan")}, "bad-value"),
    ],
)
def test_what_a_generic_record_cannot_be(tmp_path: Path, change: dict[str, Any], code: str) -> None:
    got = read(tmp_path, "a.jsonl", json.dumps(RECORD | change))
    assert got.rejects == [(code, 1, 1, 1)]


def test_a_record_without_an_id_is_told_how_to_map_one(tmp_path: Path) -> None:
    lines = [RECORD, {key: value for key, value in RECORD.items() if key != "id"}]
    got = read(tmp_path, "a.jsonl", "\n".join(map(json.dumps, lines)))
    assert got.rejects == [("missing-id", 2, 2, 1)]
    assert "--map id=NAME" in got.message


def test_a_record_may_lack_its_text_but_not_every_record(tmp_path: Path) -> None:
    bare = {key: value for key, value in RECORD.items() if key != "text"} | {"id": "b"}
    lines = [RECORD, bare]
    got = read(tmp_path, "a.jsonl", "\n".join(map(json.dumps, lines)))
    assert [(each.id, each.text) for each in got.documents][1] == ("b", "")
    none = read(tmp_path, "b.jsonl", json.dumps(bare), format="jsonl")
    assert none.rejects == [("missing-field", 1, 1, 1)]
    assert "--map text=NAME" in none.message


def test_a_broken_json_array_is_one_reject_and_nothing_of_it_is_read(tmp_path: Path) -> None:
    got = read(tmp_path, "a.json", '[{"question": "Q", "answer": "A"},\n {"question": }]')
    assert got.rejects == [("json", 2, 2, 1)]
    assert "column 15" in got.message


def test_elements_of_a_json_array_fail_one_by_one(tmp_path: Path) -> None:
    got = read(
        tmp_path,
        "a.json",
        '[\n{"question": "Q",\n "answer": "A"}, {"question": "R", "question": "S"},\n'
        '{"question": "T", "answer": "U", "n": Infinity}, 5\n]',
    )
    assert [(each.origin.line, each.origin.end_line) for each in got.accepted] == [(2, 3)]
    assert got.rejects == [
        ("duplicate-key", 3, 3, 1),
        ("bad-value", 4, 4, 1),
        ("record-shape", 4, 4, 1),
    ]


def test_endless_nesting_is_a_reject(tmp_path: Path) -> None:
    deep = "[" * 100_000
    assert [code for code, *_ in read(tmp_path, "a.json", deep).rejects] == ["too-deep"]
    assert [code for code, *_ in read(tmp_path, "a.yaml", deep).rejects] == ["too-deep"]
    line = '{"question": "Q", "answer": ' + deep
    assert [code for code, *_ in read(tmp_path, "a.jsonl", line).rejects] == ["too-deep"]


def test_an_unknown_or_doubled_mapping_is_a_wrong_option() -> None:
    with pytest.raises(ReadOptionError, match="nmae"):
        ReadOptions(mapping={"nmae": "Title"})
    with pytest.raises(ReadOptionError, match="more than one field"):
        ReadOptions(mapping={"title": "Name", "text": "name"})
