"""Expectations rewritten in place: only what was asked for, and nothing around it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyrank.measure import GoldenError, evaluated
from steadyrank_builder.evaluation import Update, UpdateError, read_golden, update_of
from support_measure import run_of_answers

BEFORE = """\
# The shop's questions.
k: 4   # as many as an answer has
cases:
  # Bags first.
  - {question: one, mode: exact, expected: [a, b]}   # flow
  - question: two
    mode: exact
    expected:      # by hand
      - a          # the old one
      # b came with the spring catalogue
      - "b"
      - c
    confidence: high

  - question: three
    mode: required-set
    expected: [
      a,  # first
      b,  # second
    ]
  - question: four
    mode: rank-one
    expected:
    - a
  - question: five   # passes
    mode: exact
    expected: [b]
"""

AFTER = """\
# The shop's questions.
k: 4   # as many as an answer has
cases:
  # Bags first.
  - {question: one, mode: exact, expected: [b, c]}   # flow
  - question: two
    mode: exact
    expected:      # by hand
      # b came with the spring catalogue
      - "b"
      - c
      - a          # the old one
    confidence: high

  - question: three
    mode: required-set
    expected: [
      b,  # first
      c,  # second
    ]
  - question: four
    mode: rank-one
    expected:
    - b
  - question: five   # passes
    mode: exact
    expected: [b]
"""


def update(path: Path, text: str, *got: str, unknown: tuple[str, ...] = ()) -> Update:
    """The update of a file whose questions all got these ids."""
    path.write_bytes(text.encode("utf-8"))
    golden = read_golden(path)
    run = run_of_answers(golden, {case.number: got for case in golden.cases})
    return update_of(path, golden, evaluated(golden, run, unknown))


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\N{ZERO WIDTH NO-BREAK SPACE}"])
def test_yaml_keeps_its_comments_and_its_layout(tmp_path: Path, newline: str, mark: str) -> None:
    """By hand, line by line; comments go with the ids that they stand beside."""
    path = tmp_path / "g.yaml"
    done = update(path, mark + BEFORE.replace("\n", newline), "b", "c", "a", "d")
    assert done.after == AFTER.replace("\n", newline)
    assert done.changed == (1, 2, 3, 4)
    assert path.read_bytes().decode("utf-8") == mark + BEFORE.replace("\n", newline)
    done.write()
    assert path.read_bytes().decode("utf-8") == mark + AFTER.replace("\n", newline)
    assert read_golden(path) == done.golden
    minus = [line for line in done.diff.splitlines() if line.startswith("-")]
    assert "-  - {question: one, mode: exact, expected: [a, b]}   # flow" in minus
    assert len(minus) == 6  # the file's name, the flow list, three ids that moved or went, rank-one


JSON = """\
{"cases": [
  {"question": "one", "mode": "exact", "expected": ["a"], "settings": {"gap": 0.50}},
  {"question": "two",
   "mode": "required-set", "k": 3,
   "expected": [
     "a"
   ]}
]}
"""


def test_comments_above_an_id_that_goes_stay(tmp_path: Path) -> None:
    """A note may be about more than the line below it; what stands beside an id goes with it."""
    text = (
        "- question: x\n  mode: required-set\n  expected:\n"
        "    - a\n    # spring\n    - b  # gone\n    # last\n    - c\n"
    )
    done = update(tmp_path / "g.yaml", text, "d", "a", "c", "z")
    assert done.after == (
        "- question: x\n  mode: required-set\n  expected:\n"
        "    # spring\n    - d\n    - a\n    # last\n    - c\n"
    )


def test_json_keeps_all_but_the_lists(tmp_path: Path) -> None:
    """Numbers as they are written, and a list over lines stays one."""
    done = update(tmp_path / "g.json", JSON, "b", 'c"', "d", "e")
    assert done.after == JSON.replace('["a"]', '["b"]').replace(
        '     "a"\n', '     "b",\n     "c\\"",\n     "d"\n'
    )


def test_jsonl(tmp_path: Path) -> None:
    """Each line by itself; lines that pass stay as they are."""
    lines = [
        '{"question": "one", "mode": "rank-one", "expected": ["a"]}',
        "",
        '{"question":"two","mode":"rank-one","expected":["b"]}',
    ]
    done = update(tmp_path / "g.jsonl", "\n".join(lines), "b", "c")
    assert done.after.split("\n") == [lines[0].replace('"a"', '"b"'), *lines[1:]]


def test_what_a_person_has_to_decide_is_left(tmp_path: Path) -> None:
    """What contains and excludes ask for, an answer of nothing, a level of confidence."""
    text = (
        "- {question: one, mode: contains, expected: [z]}\n"
        "- {question: two, mode: excludes, expected: [b]}\n"
        "- {question: three, mode: rank-one, expected: [b], confidence: low}\n"
    )
    done = update(tmp_path / "g.yaml", text, "b", "c")
    assert (done.changed, done.diff, done.after) == ((), "", text)
    assert [line.split(":")[0] for line in done.left] == ["1. one", "2. two", "3. three"]
    nothing = update(tmp_path / "g.yaml", "- {question: x, mode: exact, expected: [a]}\n")
    assert (nothing.changed, len(nothing.left)) == ((), 1)


def test_unknown_ids_may_only_be_those_that_are_rewritten(tmp_path: Path) -> None:
    """An id that is gone from an expectation is what an update is for; elsewhere it is not."""
    path = tmp_path / "g.yaml"
    one = "- {question: one, mode: exact, expected: [gone]}\n"
    assert "[b]" in update(path, one, "b", unknown=("gone",)).after
    for more in (
        "- {question: two, right: [moved]}\n",
        "- {question: two, mode: excludes, expected: [moved]}\n",
        "- {question: two, right: [b], grades: {moved: 2}}\n",
    ):
        with pytest.raises(UpdateError, match="moved"):
            update(path, one + more, "b", unknown=("gone", "moved"))
    with pytest.raises(UpdateError, match="no cases"):
        update(path, "[]", "b")


def test_a_file_that_changed_meanwhile_is_not_written(tmp_path: Path) -> None:
    """Somebody saved it while the questions were asked."""
    path = tmp_path / "g.yaml"
    done = update(path, "- {question: x, mode: exact, expected: [a]}\n", "b")
    path.write_text("- {question: y, mode: exact, expected: [a]}\n", "utf-8")
    with pytest.raises(UpdateError, match="changed meanwhile"):
        done.write()
    assert "question: y" in path.read_text("utf-8")


def test_what_cannot_be_edited_is_told_and_left(tmp_path: Path) -> None:
    """A line separator moves every line that YAML counts."""
    path = tmp_path / "g.yaml"
    text = "- question: 'a\N{LINE SEPARATOR} b'\n  mode: exact\n  expected:\n    - a\n    - b\n"
    try:
        done = update(path, text, "b", "a")
    except UpdateError as error:
        assert "by hand" in str(error)
    else:
        assert [case.expected for case in done.golden.cases] == [("b", "a")]


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    """The file behind a link is replaced, whole, and no draft stays behind."""
    target, link = tmp_path / "real.yaml", tmp_path / "g.yaml"
    target.write_text("- {question: x, mode: exact, expected: [a]}\n", "utf-8")
    target.chmod(0o640)
    link.symlink_to(target)
    update(link, target.read_text("utf-8"), "b").write()
    assert link.is_symlink()
    assert "[b]" in target.read_text("utf-8")
    assert target.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["g.yaml", "real.yaml"]


IDS = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=["Cs"]), min_size=1, max_size=8)
    | st.sampled_from(["yes", "1", "- a", "a: b", "a #b", "'", '"', "[", "~", "2020-01-01", "*a"]),
    min_size=1,
    max_size=4,
    unique=True,
)


@given(IDS, IDS, st.sampled_from(["yaml", "json", "jsonl", "block"]))
def test_any_ids_come_back_as_they_were(
    tmp_path_factory: pytest.TempPathFactory, old: list[str], new: list[str], form: str
) -> None:
    """Whatever YAML would make of them, in every format and layout."""
    import json

    path = tmp_path_factory.mktemp("u") / ("g.yaml" if form == "block" else f"g.{form}")
    listed = json.dumps(old)
    text = f'{{"question": "x", "mode": "required-set", "k": 9, "expected": {listed}}}'
    if form in ("yaml", "json"):
        text = f"[{text}]"
    elif form == "block":
        items = "".join(f"  - {json.dumps(id)}  # {n}\n" for n, id in enumerate(old))
        text = f"- question: x\n  mode: required-set\n  k: 9\n  expected:\n{items}"
    path.write_text(text, "utf-8")
    try:
        read_golden(path)
    except GoldenError:  # YAML cannot say some characters that JSON can
        assert path.suffix == ".yaml"
        return
    done = update(path, text, *new)
    assert set(done.golden.cases[0].expected) == set(new)
    done.write()
    assert read_golden(path) == done.golden
