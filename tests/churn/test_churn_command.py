"""The command, its text and its JSON."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from steadyrank_builder.cli import main
from support_churn import QUESTIONS, records, written

pytestmark = pytest.mark.whoosh


@pytest.fixture
def live(tmp_path: Path) -> Path:
    lines = [text for _, text in QUESTIONS]
    (tmp_path / "questions.txt").write_text("\n".join(lines) + "\n", "utf-8")
    return written(tmp_path / "live", records(30))


def churn(live: Path, *options: str) -> Result:
    questions = str(live.parent / "questions.txt")
    arguments = ["churn", str(live), "--questions", questions, "--id-field", "id", *options]
    return CliRunner().invoke(main, arguments)


QUICK = ["--draws", "1", "--gaps", "0.5", "--counts", "5", "-k", "2"]


def test_the_text_has_every_ordering_and_says_what_it_stands_on(live: Path) -> None:
    result = churn(live, *QUICK)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert lines[0] == "12 questions, the first 2 of each; 30 documents; seed 1"
    assert "0 of 12 still allows 22.1%" in lines[1]
    assert lines[2] == "1 of the questions find nothing, and so cannot change"
    for name in ("stock Whoosh", "score, then id", "gap 0.5", "pinned", "pinned, gap 0.5"):
        assert len([line for line in lines if line.startswith(f"{name} ")]) == 4
    [row] = [line for line in lines if line.startswith("pinned  ") and "none of" in line][:1]
    assert row.split()[:4] == ["pinned", "0", "%", "[0-24]"]
    assert "no gap is shown to help (n=12)" in lines
    assert max(map(len, lines)) <= 110


def test_json_is_the_record(live: Path) -> None:
    result = churn(live, *QUICK, "--json", "--only", "corpus")
    assert result.exit_code == 0, result.output
    content = json.loads(result.stdout)
    assert content["schema"] == 1
    assert (content["questions"], content["k"], content["documents"]) == (12, 2, 30)
    assert [one["name"] for one in content["perturbations"]] == ["5 added", "5 removed"]
    assert len(content["cells"]) == 2 * len(content["orderings"])
    cell = content["cells"][0]
    assert set(cell) == {"ordering", "perturbation", "order", "set", "first", "pairs", "moved"}
    assert set(cell["order"]) == {"changed", "trials", "share", "interval"}
    assert content["texts"]["12"] == "kayak"
    assert content["best"] is None and content["verdict"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--gaps", "0.1,x"], "'x': give numbers above 0"),
        (["--gaps", "0"], "give numbers above 0"),
        (["--gaps", "inf"], "give numbers above 0"),
        (["--counts", "60,-3"], "'-3': give numbers of documents"),
        (["--no-id"], "do not go together"),
        (["--add", "nowhere.jsonl"], "nowhere.jsonl: No such file"),
        (["--fields", "nothing"], "no field 'nothing'"),
        (["--pinned", "nowhere.json"], "nowhere.json does not exist"),
    ],
)
def test_wrong_input_is_exit_2(live: Path, options: list[str], message: str) -> None:
    result = churn(live, *options)
    assert result.exit_code == 2, result.output
    assert message in result.stderr


def test_no_questions_is_exit_2(live: Path) -> None:
    (live.parent / "questions.txt").write_text("\n# none\n", "utf-8")
    result = churn(live)
    assert result.exit_code == 2 and "no question" in result.stderr


def test_what_could_not_be_measured_is_said(live: Path) -> None:
    result = churn(live, *QUICK, "--counts", "30", "--only", "corpus")
    assert "not measured: 30 removed: the index has 30 documents" in result.stdout
