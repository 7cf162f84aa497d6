"""Broken golden files: every fault at once, each with its line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from steadyrank.measure import Golden, GoldenError
from steadyrank_builder.evaluation import read_golden
from steadyrank_builder.evaluation.json_places import parse_json
from steadyrank_builder.evaluation.parsed import UnreadableError


@pytest.fixture(params=["libyaml", "plain"], autouse=True)
def loader(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """With PyYAML's parser in C, and with the one that is there without it."""
    if request.param == "plain":
        monkeypatch.delattr(yaml, "CSafeLoader")
    elif not hasattr(yaml, "CSafeLoader"):
        pytest.skip("PyYAML has no libyaml here")


YAML = """\
version: 2
kk: 4
thresholds:
  succes: 0.9
  refused: high
cases:
  - question: one
    mode: exat
    expected: [a]
  - question: yes
    right: [a, 1]
    right: [b]
  - intent: two
    mode: contains
    k: 1
    expected:
      - a
      - b
      - a
    expectd: []
  - question: three
    grades: {a: x}
    settings: [gap]
  - just text
"""

FAULTS = [
    "line 1: version 2 is not known; this reads version 1",
    "line 2: unknown key 'kk'; did you mean 'k'?",
    "line 4: thresholds: unknown key 'succes'; did you mean 'success'?",
    "line 5: thresholds: refused is a share from 0 to 1, not 'high'",
    "line 8: case 1: mode 'exat' is not known; did you mean 'exact'?",
    "line 10: case 2: question is a text, not True: put it in quotes",
    "line 11: case 2: right is a list of ids, and 1 is no text: put it in quotes",
    "line 12: key 'right' stands here again (first on line 11)",
    "line 15: case 3: k 1 is less than the 3 ids that contains expects",
    "line 16: case 3: expected names a more than once",
    "line 20: case 3: unknown key 'expectd'; did you mean 'expected'?",
    "line 22: case 4: grades: that of a is a whole number, not 'x'",
    "line 23: case 4: settings of a case are a mapping, not ['gap']",
    "line 24: case 5: it is 'just text', not a mapping",
]


def faults(path: Path, text: str) -> list[str]:
    path.write_bytes(text.encode("utf-8"))
    with pytest.raises(GoldenError) as caught:
        read_golden(path)
    assert str(path) in str(caught.value)
    return list(caught.value.faults)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_yaml(tmp_path: Path, newline: str) -> None:
    """All of them, in the order of lines, with either line end."""
    assert faults(tmp_path / "g.yaml", YAML.replace("\n", newline)) == FAULTS


JSON = """\
{
  "thresholds": {"success": 2},
  "cases": [
    {"question": "one", "mode": "exat",
     "expected": ["a"]},
    {"question": "two",
     "right": ["a"],
     "right": ["b"]},
    3
  ]
}
"""


def test_json(tmp_path: Path) -> None:
    """Keys said twice included, which plain JSON readers do not see."""
    assert faults(tmp_path / "g.json", JSON) == [
        "line 2: thresholds: success is a share from 0 to 1, not 2",
        "line 4: case 1: mode 'exat' is not known; did you mean 'exact'?",
        "line 8: key 'right' stands here again (first on line 7)",
        "line 9: case 3: it is 3, not a mapping",
    ]


def test_jsonl(tmp_path: Path) -> None:
    """Lines that are no JSON do not hide the faults of others, nor move their numbers."""
    text = '{"question": "one", "rigth": []}\n\n{"question": \n{"question": "x", "right": "a"}\n'
    assert faults(tmp_path / "g.jsonl", text) == [
        "line 1: case 1: unknown key 'rigth'; did you mean 'right'?",
        "line 1: case 1: it has neither a mode with expected ids nor right ids ([] for none) "
        "nor grades",
        "line 3: not JSON: Expecting value (column 14)",
        "line 4: case 3: right is a list of ids, not 'a'",
    ]


@pytest.mark.parametrize(
    ("name", "text", "line", "said"),
    [
        ("g.yaml", "cases:\n\t- question: a\n", 2, "a tab; YAML indents with spaces"),
        ("g.yaml", "cases:\n  - question: 'a\n", 3, "not YAML"),
        ("g.yaml", "cases: []\n---\ncases: []\n", 2, "not YAML"),
        ("g.yaml", "cases:\n  - question: !!python/name:os.system a\n    right: []\n", 2, "quotes"),
        ("g.yaml", "cases:\n  - question: 2020-99-99\n    right: []\n", 2, "quotes"),
        ("g.yaml", "? [a]\n: 1\ncases: []\n", 1, "a key is a word"),
        ("g.yaml", "cases: !!set {a}\n", 1, "tag"),
        ("g.json", '{\n "cases": [1,]\n}', 2, "nothing follows the comma"),
        ("g.json", '{\n "cases": [NaN]\n}', 2, "NaN is no number of JSON"),
        ("g.json", '{"cases": []}\n x', 2, "something follows"),
        ("g.json", '{"cases": [\n{"question": 1 2}]}', 2, "a comma or } should stand here"),
        ("g.json", "{\n'cases': []}", 2, "a key in double quotes"),
        ("g.json", '{\n"cases" []}', 2, "a colon"),
        ("g.json", '["a\nb"]', 1, "control character"),
    ],
)
def test_syntax_errors_have_their_line(
    tmp_path: Path, name: str, text: str, line: int, said: str
) -> None:
    """And nothing that YAML could run is run."""
    found = faults(tmp_path / name, text)
    assert any(one.startswith(f"line {line}: ") and said in one for one in found), found


def test_aliases_are_refused_and_not_multiplied(tmp_path: Path) -> None:
    """A billion values in nine lines; each use is told, with the line of what it repeats."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 10)]
    found = faults(tmp_path / "g.yaml", "\n".join([*lines, "cases: *a9"]))
    assert "an alias for what line 10 says; write it out" in " ".join(found)
    merged = "x: &x {mode: exact}\ncases:\n  - question: q\n    <<: *x\n    expected: [a]\n"
    assert any("merges" in one for one in faults(tmp_path / "g.yaml", merged))


@pytest.mark.parametrize("name", ["g.yaml", "g.json", "g.jsonl"])
def test_hostile_nesting_is_an_error_and_no_crash(tmp_path: Path, name: str) -> None:
    """A hundred thousand brackets, and blocks."""
    assert "nest" in " ".join(faults(tmp_path / name, "[" * 100_000 + "]" * 100_000))
    if name == "g.yaml":
        deep = "\n".join(" " * n + "a:" for n in range(200))
        assert "nested" in " ".join(faults(tmp_path / name, deep))


def test_brackets_in_texts_are_no_nesting(tmp_path: Path) -> None:
    """Sixty questions with a bracket that nothing closes."""
    path = tmp_path / "g.yaml"
    path.write_text(
        "cases:\n" + "".join(f"- question: a [{n}\n  right: []\n" for n in range(60)), "utf-8"
    )
    assert len(read_golden(path).cases) == 60


def test_files_that_are_no_text(tmp_path: Path) -> None:
    """Other encodings, and files that are not there; a byte order mark is no part of the text."""
    path = tmp_path / "g.yaml"
    path.write_bytes(b"cases: \xff")
    with pytest.raises(GoldenError, match="not UTF-8"):
        read_golden(path)
    with pytest.raises(GoldenError, match="No such file"):
        read_golden(tmp_path / "none.yaml")
    path.write_bytes(b"\xef\xbb\xbfcases:\n- {question: q, right: []}\n")
    assert read_golden(path).cases[0].line == 2


def cases_of(path: Path, text: str) -> Golden:
    path.write_text(text, "utf-8")
    return read_golden(path)


def test_the_three_formats_say_the_same(tmp_path: Path) -> None:
    """The same cases with the same numbers; lines are each file's own."""
    cases = [
        {"question": "a b", "mode": "exact", "expected": ["x", "y"], "settings": {"gap": 0.5}},
        {"intent": "c", "right": [], "rankingAxis": "faq"},
        {"question": "é", "grades": {"x": 2, "y": 0}, "k": 3, "confidence": "low"},
    ]
    written = json.dumps(cases, indent=1)
    one = cases_of(tmp_path / "g.json", written)
    two = cases_of(tmp_path / "g.yaml", written)  # JSON is YAML too
    three = cases_of(tmp_path / "g.jsonl", "\n".join(map(json.dumps, cases)))
    assert one == two == three
    assert [case.number for case in one.cases] == [1, 2, 3]
    assert [case.line for case in one.cases] == [case.line for case in two.cases] == [2, 13, 18]
    assert [case.line for case in three.cases] == [1, 2, 3]
    assert one.cases[2].right == ("x",)


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=12,
)


@given(VALUES, st.sampled_from([None, 1, "\t"]), st.booleans())
def test_any_json_is_read_as_the_standard_library_reads_it(
    value: object, indent: int | str | None, escaped: bool
) -> None:
    """And every span is the text of its part."""
    if value in (float("inf"), float("-inf")) or "Infinity" in json.dumps(value):
        return
    text = json.dumps(value, indent=indent, ensure_ascii=escaped)
    parsed = parse_json(text)
    assert parsed.content == value
    for place, (start, end) in parsed.spans.items():
        if None in place:  # a key
            continue
        part = value
        for key in place:
            part = part[key]  # type: ignore[index]
        assert json.loads(text[start:end]) == part
        assert parsed.lines[place] <= text.count("\n", 0, start) + 1


@given(st.text(alphabet='{}[]",: \n1a\\tfn', max_size=14))
def test_what_the_standard_library_refuses_is_refused(text: str) -> None:
    """And nothing else, but for a key said twice, which is told."""
    try:
        expected = json.loads(text, object_pairs_hook=lambda pairs: dict(reversed(pairs)))
    except ValueError:
        with pytest.raises(UnreadableError):
            parse_json(text)
    else:
        assert parse_json(text).content == expected


QRELS = """\
# query, id and grade
1 0 a 2
1 0 b -1
how much\tc d\t1
"""


def test_judgments_come_from_a_file_beside(tmp_path: Path) -> None:
    """As TREC writes them, by number; or with tabs, by question, ids with spaces included."""
    (tmp_path / "q.txt").write_text(QRELS, "utf-8")
    text = (
        "qrels: q.txt\ncases:\n- question: x\n  grades: {b: 1}\n- question: how  much\n"
        "- {question: y, right: [z]}\n"
    )
    golden = cases_of(tmp_path / "g.yaml", text)
    assert [dict(case.grades) for case in golden.cases] == [{"a": 2, "b": 1}, {"c d": 1}, {}]
    assert [case.right for case in golden.cases] == [("a", "b"), ("c d",), ("z",)]
    assert golden.cases[0].named == ("a", "b")


def test_broken_judgments_are_told_with_the_rest(tmp_path: Path) -> None:
    """With their own lines."""
    (tmp_path / "q.txt").write_text("1 0 a x\n1 a\n7 0 a 1\n1 0 b 1\n1 0 b 2\n", "utf-8")
    text = "kk: 1\nqrels: q.txt\ncases:\n- question: x\n"
    assert faults(tmp_path / "g.yaml", text) == [
        "line 1: unknown key 'kk'; did you mean 'k'?",
        "line 2: qrels: q.txt line 1: the grade is a whole number, not 'x'",
        "line 2: qrels: q.txt line 2: neither query, 0, id and grade with spaces between, nor "
        "query, id and grade with tabs between",
        "line 2: q.txt line 3: no case has the question or the number '7'",
        "line 2: q.txt line 5: b is judged twice for 1",
    ]
    (tmp_path / "q.txt").unlink()
    assert any("No such file" in one for one in faults(tmp_path / "g.yaml", text))
