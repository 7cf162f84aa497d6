"""``steadyrank evaluate`` at its edges: no verdict, other indexes, options, files written."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from whoosh import fields
from whoosh.index import create_in

from steadyrank_builder.cli import main
from steadyrank_builder.runs import read_run
from support_answers import GUIDANCE, piece, write

pytestmark = pytest.mark.whoosh


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    documents = [
        piece("a", "tent", title="tent"),
        piece("b", "tent"),
        piece("c", "tent"),
        piece("d", "lamp"),
    ]
    return write(tmp_path_factory.mktemp("verdicts") / "i", documents)


@pytest.fixture(scope="module")
def foreign(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An index that nobody of ours wrote: its own fields and ids, ties in reverse order."""
    folder: Path = tmp_path_factory.mktemp("foreign") / "i"
    folder.mkdir()
    schema = fields.Schema(sku=fields.ID(stored=True, unique=True), body=fields.TEXT(stored=True))
    writer = create_in(str(folder), schema).writer()
    for sku, body in (("z", "tent"), ("y", "tent"), ("x", "tent tent"), ("w", "lamp")):
        writer.add_document(sku=sku, body=body)
    writer.commit()
    return folder


def run(folder: Path, golden: Path, *more: str) -> Result:
    return CliRunner().invoke(main, ["evaluate", str(folder), str(golden), *more])


Done = subprocess.CompletedProcess[str]


def inside(folder: Path, golden: Path, *more: str) -> Done:
    done = run(folder, golden, *more)
    return Done([], done.exit_code, done.stdout, done.stderr)


def apart(folder: Path, golden: Path, *more: str) -> Done:
    """In a process of its own, since Whoosh leaves damaged files open."""
    code = "from steadyrank_builder.cli import main; main()"
    command = [sys.executable, "-c", code, "evaluate", str(folder), str(golden), *more]
    return subprocess.run(command, capture_output=True, encoding="utf-8", timeout=120)


def saved(tmp_path: Path, content: Any, name: str = "g.json") -> Path:
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return path


def case(*expected: str, **more: Any) -> dict[str, Any]:
    return {"question": "tent", "mode": "exact", "expected": list(expected), **more}


def damaged(folder: Path, tmp_path: Path, suffix: str) -> Path:
    copy = tmp_path / "damaged"
    shutil.copytree(folder, copy)
    for path in copy.glob(f"*{suffix}"):
        path.write_bytes(b"\0garbage" * 9)
    return copy


@pytest.mark.parametrize("what", ["missing", "empty", ".toc", ".seg", "a file", "golden", "none"])
def test_no_verdict_is_never_a_pass(folder: Path, tmp_path: Path, what: str) -> None:
    """In the exit code, in JSON and in JUnit: no folder, no index, a damaged one, no cases."""
    golden = saved(tmp_path, [] if what == "none" else [case("a", "b", "c")])
    where = folder
    if what == "missing":
        where = tmp_path / "nowhere"
    elif what == "empty":
        where = tmp_path
    elif what == "a file":
        where = golden
    elif what == "golden":
        golden = tmp_path / "nowhere.yaml"
    elif what != "none":
        where = damaged(folder, tmp_path, what)
    junit = tmp_path / "j.xml"
    ask = apart if what.startswith(".") else inside
    done = ask(where, golden, "--json", "--junit", str(junit))
    assert done.returncode == 2, done.stderr
    said = json.loads(done.stdout)
    assert (said["schema"], said["outcome"], said["passed"], said["failed"]) == (
        1, "no-verdict", 0, 0,
    )  # fmt: skip
    assert said["why"]
    assert ElementTree.parse(junit).findall("*/testcase/error") != []
    plain = ask(where, golden)
    assert plain.returncode == 2
    assert "Traceback" not in plain.stderr + done.stderr
    assert "passed: " not in plain.stdout.replace("no-verdict: 0 passed", "")


def test_a_foreign_index_is_searched(foreign: Path, tmp_path: Path) -> None:
    """Its own ids settle ties; what settings have in common with a search may be the case's."""
    golden = saved(
        tmp_path,
        {
            "settings": {"statistics": "live"},
            "cases": [
                case("x", "y", "z"),
                case("y", "z", "x", settings={"statistics": "whoosh", "fields": {"sku": 1.0}}),
                {"question": "nothing at all", "right": []},
            ],
        },
    )
    done = run(foreign, golden, "--id-field", "sku", "--fields", "body", "--json")
    said = json.loads(done.stdout)
    assert [one["passed"] for one in said["cases"]] == [True, False, None]
    assert said["cases"][1]["got"] == ["x", "y", "z"]  # options stand over a case's fields
    assert said["metrics"] == {"unanswerable": 1, "refused": 1.0}
    assert said["cases"][0]["confidence"] is None


def test_what_only_answers_have_is_told_for_a_foreign_index(foreign: Path, tmp_path: Path) -> None:
    """Settings of answers, each with its line; a confidence fails, since a search has none."""
    options = ("--id-field", "sku", "--fields", "body")
    golden = saved(tmp_path, [case("x", settings={"take": {"count": 2}}), case("x", settings=
        {"weighting": "bm25f"})], "g.yaml")  # fmt: skip
    done = run(foreign, golden, *options)
    assert done.exit_code == 2
    assert "line 1: case 1: 'take' is for answers" in done.stderr
    assert "case 2: 'weighting' is for answers" in done.stderr
    header = saved(tmp_path, {"settings": {"weighting": "bm25f"}, "cases": [case("x")]})
    assert "settings: 'weighting' is for answers" in run(foreign, header, *options).stderr
    done = run(foreign, saved(tmp_path, [case("x", confidence="high")]), *options)
    assert done.exit_code == 3
    assert "a search has none" in done.stdout


def test_options_are_laid_over_the_file_and_cases_over_both(folder: Path, tmp_path: Path) -> None:
    """``--gap`` over the file's, a case's over that; a profile over the file's settings."""
    golden = saved(tmp_path, [case("a", "b", "c"), case("a", "b", settings={"gap": 0.25})])
    kept = tmp_path / "run.json"
    assert run(folder, golden, "--gap", "0.5", "--save-run", str(kept)).exit_code == 0
    rankings = read_run(kept).rankings
    assert [ranking.gap for ranking in rankings] == [0.5, 0.25]
    assert [ranking.number for ranking in rankings] == [1, 2]
    assert rankings[0].entries[0].content
    header = saved(tmp_path, {"settings": {"take": {"count": 1}}, "cases": [case("a")]})
    assert run(folder, header, "--profile", "guidance", "--save-run", str(kept)).exit_code == 0
    assert read_run(kept).rankings[0].gap == 0.5  # the profile's
    assert len(read_run(kept).rankings[0].entries) == 1  # the file's, and not the profile's


def test_an_answer_is_as_long_as_its_case_looks(folder: Path, tmp_path: Path) -> None:
    """Longer than the settings say where more ids are expected, and never shorter."""
    one = {"take": {"count": 1}}
    golden = saved(tmp_path, [case("a", "b", "c", settings=one), case("a")])
    kept = tmp_path / "run.json"
    assert run(folder, golden, "--save-run", str(kept)).exit_code == 0
    assert [len(ranking.entries) for ranking in read_run(kept).rankings] == [3, 3]
    assert [ranking.k for ranking in read_run(kept).rankings] == [3, 4]


def test_update_is_only_done_when_asked(folder: Path, tmp_path: Path) -> None:
    """Without it nothing is written; with it the difference is shown and the outcome is new."""
    golden = saved(tmp_path, "- {question: tent, mode: exact, expected: [b, a]}\n", "g.yaml")
    before = golden.read_text("utf-8")
    assert run(folder, golden).exit_code == 3
    assert golden.read_text("utf-8") == before
    done = run(folder, golden, "--update")
    assert done.exit_code == 0, done.output
    assert "-- {question: tent, mode: exact, expected: [b, a]}" in done.stdout
    assert "+- {question: tent, mode: exact, expected: [a, b]}" in done.stdout
    assert golden.read_text("utf-8") == before.replace("[b, a]", "[a, b]")
    again = json.loads(run(folder, golden, "--update", "--json").stdout)
    assert (again["outcome"], again["update"]["changed"]) == ("passed", [])


def test_update_does_not_hide_an_index_that_is_not_the_right_one(
    folder: Path, tmp_path: Path
) -> None:
    """Ids that would stay unknown: nothing is written, and there is no verdict."""
    text = "- {question: tent, mode: exact, expected: [b]}\n- {question: tent, right: [gone]}\n"
    golden = saved(tmp_path, text, "g.yaml")
    done = run(folder, golden, "--update", "--json")
    assert (done.exit_code, golden.read_text("utf-8")) == (2, text)
    said = json.loads(done.stdout)
    assert (said["outcome"], said["unknown"]) == ("no-verdict", ["gone"])
    assert "gone" in said["update"]["error"]


def test_grades_count_in_the_metrics_and_not_in_the_verdict(folder: Path, tmp_path: Path) -> None:
    """With a mode or without; what nobody judged is told as a share."""
    content = [
        case("a", "b", grades={"b": 2}),
        {"question": "tent", "grades": {"a": 0, "c": 1}},
        {"question": "lamp", "right": ["d"]},
    ]
    said = json.loads(run(folder, saved(tmp_path, content), "--json").stdout)
    assert (said["outcome"], said["passed"]) == ("passed", 1)
    metrics = said["metrics"]
    assert (metrics["questions"], metrics["success"], metrics["success_at_1"]) == (3, 1.0, 1 / 3)
    assert metrics["unjudged"] == 3 / 7  # a and c of one, b of two; d is judged


def test_axis_score_sees_routes_and_concepts(folder: Path, tmp_path: Path) -> None:
    """A concept that fires fails the case, its ids being right all the same."""
    concept = {"name": "n", "aliases": ["tent"], "terms": ["tent"]}
    content = [
        case("a", "b", "c", axis="score"),
        case("a", "b", "c", axis="score", settings={"concepts": [concept]}),
        case("a", "b", "c", settings={"concepts": [concept]}),
    ]
    said = json.loads(run(folder, saved(tmp_path, content), "--json").stdout)
    assert [one["passed"] for one in said["cases"]] == [True, False, True]
    assert "the concepts n fired" in said["cases"][1]["why"]


def test_hostile_questions_are_shown_as_text(folder: Path, tmp_path: Path) -> None:
    """No escape sequence and no change of direction reaches a terminal."""
    question = "tent \x1b[2J\N{RIGHT-TO-LEFT OVERRIDE}\ud800 <script>"
    golden = saved(tmp_path, [{**case("b"), "question": question}])
    done = run(folder, golden, "--save-run", str(tmp_path / "r"), "--junit", str(tmp_path / "j"))
    assert done.exit_code == 3
    assert "\x1b" not in done.output
    assert "\N{RIGHT-TO-LEFT OVERRIDE}" not in done.output
    assert read_run(tmp_path / "r").rankings[0].question == question


def test_verbose_says_of_every_case_how_near_it_was(folder: Path, tmp_path: Path) -> None:
    """b and c have one score: the id decides, and a case that depends on it says so."""
    golden = saved(tmp_path, [case("a", "b", "c"), case("a", question="tent")])
    said = run(folder, golden, "--verbose").stdout
    assert "would fail b has the same score as c: the id decided" in said
    assert "passed  2. tent" in said
    brief = run(folder, golden).stdout
    assert "nearest to failing" in brief
    assert "0.0000  1. tent" in brief


def test_the_cases_of_the_guidance_corpus_pass(tmp_path: Path) -> None:
    """In the shape they come in, under the profile; the one on the score's axis included."""
    if not GUIDANCE.is_dir():
        pytest.skip("the guidance corpus is not here")
    built = tmp_path / "i"
    runner = CliRunner()
    sections = str(GUIDANCE / "sections.jsonl")
    assert runner.invoke(main, ["build", sections, "--out", str(built)]).exit_code == 0
    concepts = ("--profile", "guidance", "--concepts", str(GUIDANCE / "concepts.json"))
    done = run(built, GUIDANCE / "golden.json", *concepts, "--json")
    said = json.loads(done.stdout)
    assert (done.exit_code, said["passed"], said["failed"]) == (0, 8, 0)
    assert [one["number"] for one in said["cases"]] == list(range(1, 9))


@pytest.mark.parametrize("question", ["", "  ", "\t\n"])
@pytest.mark.parametrize(
    "case", [{"mode": "excludes", "expected": ["a"]}, {"right": []}], ids=["excludes", "refused"]
)
def test_an_empty_question_is_no_verdict(
    folder: Path, tmp_path: Path, question: str, case: dict[str, Any]
) -> None:
    """It gets nothing, which is just what these two ask for."""
    golden = tmp_path / "golden.json"
    content = {"thresholds": {"refused": 1.0}, "cases": [{"question": question, **case}]}
    golden.write_text(json.dumps(content), encoding="utf-8")
    result = run(folder, golden, "--json")
    assert result.exit_code == 2
    verdict = json.loads(result.stdout)
    assert verdict["outcome"] == "no-verdict"
    assert "question is empty" in verdict["why"]
