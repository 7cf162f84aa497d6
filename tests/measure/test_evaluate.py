"""``steadyrank evaluate``: exit codes and text from one rule."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from steadyrank_builder.cli import main
from steadyrank_builder.evaluation.measures import means, measured
from support_answers import piece, write

pytestmark = pytest.mark.whoosh


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    documents = [
        piece("a", "tent", title="tent"),
        piece("b", "tent"),
        piece("c", "tent", heading="c"),
        piece("d", "lamp", heading="Lamp"),
    ]
    return write(tmp_path_factory.mktemp("evaluate") / "i", documents)


def run(folder: Path, tmp_path: Path, content: Any, *more: str) -> Result:
    golden = tmp_path / "golden.json"
    golden.write_text(content if isinstance(content, str) else json.dumps(content), "utf-8")
    return CliRunner().invoke(main, ["evaluate", str(folder), str(golden), *more])


def case(*expected: str, **more: Any) -> dict[str, Any]:
    return {"question": "tent", "mode": "exact", "expected": list(expected), **more}


def test_the_exit_code_says_what_the_outcome_says(folder: Path, tmp_path: Path) -> None:
    """0 passed, 3 failed, 2 no verdict; in JSON and in words."""
    for content, code, outcome in (
        ([case("a", "b", "c")], 0, "passed"),
        ([case("a", "c", "b")], 3, "failed"),
        ([], 2, "no-verdict"),
        ([case("a", "nobody")], 2, "no-verdict"),
        ([{"question": "tent", "right": ["a"]}], 2, "no-verdict"),
        (
            {"cases": [{"question": "tent", "right": ["a"]}], "thresholds": {"success": 1}},
            0,
            "passed",
        ),
        (
            {"cases": [{"question": "tent", "right": ["d"]}], "thresholds": {"success": 1}},
            3,
            "failed",
        ),
    ):
        done = run(folder, tmp_path, content, "--json")
        assert (done.exit_code, json.loads(done.stdout)["outcome"]) == (code, outcome), content
        said = run(folder, tmp_path, content)
        assert said.exit_code == code
        assert said.stdout.splitlines()[-1].startswith(f"{outcome}: ")


def test_unknown_ids_are_named(folder: Path, tmp_path: Path) -> None:
    """Also those that a case excludes or calls right."""
    content = [
        case("a", "b", "c"),
        {"question": "tent", "mode": "excludes", "expected": ["gone"]},
        {"question": "tent", "right": ["moved"]},
    ]
    done = run(folder, tmp_path, content, "--json")
    assert done.exit_code == 2
    assert json.loads(done.stdout)["unknown"] == ["gone", "moved"]
    assert "unknown id: gone" in run(folder, tmp_path, content).stdout


def test_cases_have_settings_of_their_own(folder: Path, tmp_path: Path) -> None:
    """A case without titles beside one with them; the file's settings are the base."""
    content = {
        "settings": {"fields": {"title": 1.0, "text": 1.0}},
        "cases": [
            case("a", "b", "c"),
            case("b", "c", settings={"fetch": {"unlimited": True}, "fields": {"heading": 1.0}}),
        ],
    }
    done = run(folder, tmp_path, content, "--json")
    verdicts = [entry["passed"] for entry in json.loads(done.stdout)["cases"]]
    assert (done.exit_code, verdicts) == (3, [True, False])


def test_settings_may_lie_in_a_file_beside(folder: Path, tmp_path: Path) -> None:
    """Relative to the golden file; ``--settings`` stands in for them."""
    (tmp_path / "own.toml").write_text("weighting = 'keyword-points'\n", "utf-8")
    content = {"settings": "own.toml", "cases": [case("a", "b", "c")]}
    assert run(folder, tmp_path, content).exit_code == 0
    (tmp_path / "own.toml").write_text("wieghting = 'keyword-points'\n", "utf-8")
    done = run(folder, tmp_path, content)
    assert done.exit_code == 2
    assert "did you mean 'weighting'" in done.stderr


def test_faults_in_the_settings_of_all_cases_are_listed_at_once(
    folder: Path, tmp_path: Path
) -> None:
    """Before any question is asked."""
    content = [case("a", settings={"gapp": 1}), case("a", settings={"gap": -1})]
    done = run(folder, tmp_path, content)
    assert (done.exit_code, done.stdout) == (2, "")
    assert "case 1: unknown setting 'gapp'" in done.stderr
    assert "case 2: gap:" in done.stderr


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("g.json", "{", "not JSON"),
        ("g.yaml", "cases: [", "not YAML"),
        ("g.jsonl", '{\n{"question": 1}\n[', "line 1"),
        ("g.yaml", "", "a list of cases"),
    ],
)
def test_files_that_cannot_be_read(
    folder: Path, tmp_path: Path, name: str, content: str, said: str
) -> None:
    """Exit code 2 and the reason; of JSON lines all that are broken."""
    (tmp_path / name).write_text(content, "utf-8")
    done = CliRunner().invoke(main, ["evaluate", str(folder), str(tmp_path / name)])
    assert (done.exit_code, done.stdout) == (2, "")
    assert said in done.stderr
    if name == "g.jsonl":
        assert "line 3" in done.stderr


def test_an_index_that_is_none_is_no_verdict(tmp_path: Path) -> None:
    """Exit code 2."""
    assert run(tmp_path, tmp_path, [case("a")]).exit_code == 2


def test_without_ir_measures_the_metrics_say_why(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cases are judged all the same; the extra is named."""
    monkeypatch.setitem(sys.modules, "ir_measures", None)
    found = means({"1": {"a": 1}}, {"1": ["a"]}, 4)
    assert found == {"measures": "not computed: pip install 'steadyrank[evaluate]'"}
    assert means({}, {}, 4) == {}


def test_measures_by_hand() -> None:
    """nDCG@2, RR, P@2 and R@2 of three questions; one got nothing, none is lost."""
    pytest.importorskip("ir_measures")
    qrels = {"1": {"a": 1}, "2": {"a": 1, "b": 1, "z": 1}, "3": {"a": 1}}
    runs = {"1": ["x", "a"], "2": ["b", "a"]}
    values = measured(qrels, runs, 2)
    assert values["nDCG@2"]["1"] == pytest.approx(0.6309297535714575)  # 1 / log2(3)
    assert values["nDCG@2"]["2"] == pytest.approx(1.0)
    assert values["RR"] == {"1": 0.5, "2": 1.0, "3": 0.0}
    assert values["P@2"] == {"1": 0.5, "2": 1.0, "3": 0.0}
    assert values["R@2"]["2"] == pytest.approx(2 / 3)
    assert means(qrels, runs, 2)["RR"] == pytest.approx(0.5)
