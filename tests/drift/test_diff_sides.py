"""What diff is given: indexes, saved runs, questions, and what is missing of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from steadyrank.measure import Run
from steadyrank_builder.cli import main
from steadyrank_builder.drifting import ComparedError, compare_sides
from steadyrank_builder.runs import read_run, write_run
from support_drift import entry, ranking, run, write_index

pytestmark = pytest.mark.whoosh

TEXTS = {
    "a": "copper copper kettle",
    "b": "copper slate",
    "c": "slate tiles for a roof",
    "d": "a kettle",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_index(tmp_path / "base", TEXTS)
    write_index(tmp_path / "fresh", TEXTS | {"e": "copper copper copper"})
    (tmp_path / "questions.txt").write_text("copper\nkettle\n", encoding="utf-8")
    return tmp_path


def diff(folder: Path, base: str, fresh: str, *options: str) -> Result:
    return CliRunner().invoke(main, ["diff", str(folder / base), str(folder / fresh), *options])


def saved(folder: Path, name: str, run: Run) -> str:
    write_run(run, folder / name)
    return name


def ids(drift: dict[str, Any], side: str) -> list[list[str]]:
    return [[one["id"] for one in question[side]["entries"]] for question in drift["questions"]]


def test_two_indexes_need_questions_and_without_any_there_is_no_verdict(folder: Path) -> None:
    result = diff(folder, "base", "fresh", "--json")
    drift = json.loads(result.stdout)
    assert result.exit_code == 2
    assert drift["outcome"] == "no-verdict"
    assert drift["why"] == "nothing says what to ask of two indexes; give --questions FILE"
    assert drift["why"] in result.stderr


@pytest.mark.parametrize("missing", ["base", "fresh"])
def test_a_side_that_is_not_there_is_no_verdict(folder: Path, missing: str) -> None:
    sides = {"base": "base", "fresh": "fresh", missing: "nowhere"}
    questions = str(folder / "questions.txt")
    result = diff(folder, sides["base"], sides["fresh"], "--questions", questions, "--json")
    assert result.exit_code == 2
    assert "nowhere is not there" in json.loads(result.stdout)["why"]


def test_a_folder_without_an_index_and_a_file_that_is_no_run_are_no_verdict(folder: Path) -> None:
    (folder / "empty").mkdir()
    (folder / "other.json").write_text("{}", encoding="utf-8")
    questions = str(folder / "questions.txt")
    for side, why in (("empty", "empty"), ("other.json", "no saved run")):
        result = diff(folder, "base", side, "--questions", questions, "--json")
        assert (result.exit_code, why in json.loads(result.stdout)["why"]) == (2, True)


def test_a_saved_run_gives_the_questions_and_how_long_an_answer_is(folder: Path) -> None:
    questions = str(folder / "questions.txt")
    keep = str(folder / "run.json")
    first = diff(folder, "base", "base", "--questions", questions, "-k", "1", "--save-run", keep)
    assert first.exit_code == 0
    result = diff(folder, "run.json", "fresh", "--json")
    drift = json.loads(result.stdout)
    assert result.exit_code == 3
    # e has copper three times in three words, so that it stands before a.
    assert ids(drift, "base") == [["a"], ["d"]]
    assert ids(drift, "fresh") == [["e"], ["d"]]
    moves = drift["questions"][0]["moves"]
    # The saved run cannot tell that e is new: it is not among what it kept.
    assert [(move["id"], move["reasons"][0]["cause"]) for move in moves] == [
        ("e", "out"),
        ("a", "out"),
    ]


def test_an_index_can_be_asked_which_documents_are_new(folder: Path) -> None:
    questions = str(folder / "questions.txt")
    drift = json.loads(
        diff(folder, "base", "fresh", "--questions", questions, "-k", "1", "--json").stdout
    )
    moves = {move["id"]: move["reasons"][0] for move in drift["questions"][0]["moves"]}
    assert (moves["e"]["cause"], moves["a"]["cause"], moves["a"]["id"]) == ("new", "new", "e")
    back = json.loads(
        diff(folder, "fresh", "base", "--questions", questions, "-k", "1", "--json").stdout
    )
    moves = {move["id"]: move["reasons"][0] for move in back["questions"][0]["moves"]}
    assert (moves["e"]["cause"], moves["a"]["cause"], moves["a"]["id"]) == ("gone", "gone", "e")


def test_a_document_that_was_written_anew_is_told_by_its_content(folder: Path) -> None:
    write_index(folder / "edited", TEXTS | {"b": "copper copper copper slate"})
    questions = str(folder / "questions.txt")
    drift = json.loads(diff(folder, "base", "edited", "--questions", questions, "--json").stdout)
    moved = {move["id"]: move["reasons"][0]["cause"] for move in drift["questions"][0]["moves"]}
    assert moved["b"] == "content"


def test_two_runs_are_compared_by_the_text_of_the_question(folder: Path) -> None:
    """Numbers are places in files, which change; a question may be asked twice."""
    one, two = (entry("a", 3.0), entry("b", 2.0)), (entry("b", 3.0), entry("a", 2.0))
    base = run(
        ranking(*one, number=1, question="old"),
        ranking(*one, number=2, question="both"),
        ranking(*two, number=3, question="both"),
    )
    fresh = run(
        ranking(*one, number=1, question="both"),
        ranking(*one, number=2, question="both"),
        ranking(*one, number=3, question="new"),
    )
    result = diff(folder, saved(folder, "a.json", base), saved(folder, "b.json", fresh), "--json")
    drift = json.loads(result.stdout)
    assert [(one["number"], one["changed"]) for one in drift["questions"]] == [
        (1, []),
        (2, ["order", "first"]),
    ]
    assert drift["only_base"] == [{"number": 1, "question": "old"}]
    assert drift["only_fresh"] == [{"number": 3, "question": "new"}]
    said = diff(folder, "a.json", "b.json").stdout
    assert "not compared, only BASE was asked: 1. old" in said
    assert "not compared, only FRESH was asked: 3. new" in said


def test_runs_without_a_question_in_common_are_no_verdict(folder: Path) -> None:
    base = saved(folder, "a.json", run(ranking(entry("a", 1.0), question="one")))
    fresh = saved(folder, "b.json", run(ranking(entry("a", 1.0), question="two")))
    result = diff(folder, base, fresh)
    assert result.exit_code == 2
    assert result.stdout.startswith("no-verdict: no question was asked on both sides\n")


def test_questions_that_neither_run_was_asked_are_said(folder: Path) -> None:
    name = saved(folder, "a.json", run(ranking(entry("a", 1.0), question="copper")))
    questions = str(folder / "questions.txt")
    result = diff(folder, name, name, "--questions", questions)
    assert result.exit_code == 0
    assert "not compared, no side was asked: 2. kettle" in result.stdout


def test_the_saved_run_is_what_fresh_gave(folder: Path) -> None:
    keep = folder / "run.json"
    questions = str(folder / "questions.txt")
    diff(folder, "base", "fresh", "--questions", questions, "--save-run", str(keep))
    compared = compare_sides(folder / "fresh", keep)
    assert compared.fresh == read_run(keep)
    assert compared.drift.outcome == "none"
    assert compared.base.rankings == compared.fresh.rankings


def test_other_fields_than_last_time_are_other_settings(folder: Path) -> None:
    keep = str(folder / "run.json")
    questions = str(folder / "questions.txt")
    diff(folder, "base", "base", "--questions", questions, "--save-run", keep)
    drift = json.loads(diff(folder, "run.json", "base", "--fields", "text^2", "--json").stdout)
    assert {cause["cause"] for q in drift["questions"] for cause in q["causes"]} == {"settings"}


def test_checks_are_each_looked_at(folder: Path) -> None:
    base = saved(
        folder, "a.json", run(ranking(entry("a", 3.0), entry("b", 2.0), confidence="high"))
    )
    fresh = saved(
        folder, "b.json", run(ranking(entry("a", 3.0), entry("b", 2.0), confidence="low"))
    )
    assert diff(folder, base, fresh).exit_code == 0
    assert diff(folder, base, fresh, "--check", "order", "--check", "set").exit_code == 0
    result = diff(folder, base, fresh, "--check", "first", "--check", "confidence")
    assert result.exit_code == 3
    assert result.stdout.startswith("1 of 1 questions drifted: 1 confidence\n")


def test_text_of_a_run_cannot_steer_a_terminal(folder: Path) -> None:
    evil = "\x1b[31m\u202e\n"
    more = {"question": f"q{evil}"}
    base = run(
        ranking(entry("a", 3.0), entry(f"b{evil}", 2.0), settings=f"1{evil}", **more),
        versions={f"v{evil}": "1"},
    )
    fresh = run(
        ranking(entry(f"b{evil}", 3.0), entry("a", 2.0), confidence=f"x{evil}", **more),
        versions={f"v{evil}": evil},
    )
    result = diff(folder, saved(folder, "a.json", base), saved(folder, "b.json", fresh), "-v")
    assert result.exit_code == 3
    assert not {"\x1b", "\u202e"} & set(result.stdout)
    assert len([line for line in result.stdout.splitlines() if "moved " in line[:12]]) == 2


def test_the_library_raises_and_does_not_print(folder: Path) -> None:
    with pytest.raises(ComparedError, match="questions"):
        compare_sides(folder / "base", folder / "fresh")


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [
        ("entry", "band", [1]),
        ("entry", "band", float("nan")),
        ("entry", "content", None),
        ("entry", "title", 5),
        ("entry", "score", "1.0"),
        ("entry", "document", None),
        ("ranking", "question", 5),
        ("ranking", "number", True),
        ("ranking", "gap", float("inf")),
        ("ranking", "confidence", 1),
        ("origin", "digest", 5),
        ("origin", "versions", "x"),
    ],
)
@pytest.mark.parametrize("side", ["base", "fresh"])
def test_a_run_edited_by_hand_is_no_verdict(
    folder: Path, side: str, part: str, key: str, value: Any
) -> None:
    saved(folder, "good.json", run(ranking(entry("a", 2.0), entry("b", 1.0))))
    content = json.loads((folder / "good.json").read_text("utf-8"))
    parts = {
        "origin": content["origin"],
        "ranking": content["rankings"][0],
        "entry": content["rankings"][0]["entries"][1],
    }
    assert key in parts[part]
    parts[part][key] = value
    (folder / "edited.json").write_text(json.dumps(content), encoding="utf-8")
    sides = ("edited.json", "good.json") if side == "base" else ("good.json", "edited.json")
    result = diff(folder, *sides, "--json")
    assert result.exit_code == 2
    drift = json.loads(result.stdout)
    assert drift["outcome"] == "no-verdict"
    assert "edited.json is no whole run" in drift["why"] and f"{key} cannot be" in drift["why"]


def test_a_file_nested_too_deep_is_no_verdict(folder: Path) -> None:
    (folder / "deep.json").write_text("[" * 100_000, encoding="utf-8")
    result = diff(folder, "deep.json", "fresh", "--json")
    assert result.exit_code == 2
    assert "nested too deep" in json.loads(result.stdout)["why"]
