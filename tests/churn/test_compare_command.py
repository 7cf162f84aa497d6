"""The command compare, on the sample store and on an index of another's."""

from __future__ import annotations

import json
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest
import yaml
from click.testing import CliRunner, Result
from whoosh.index import open_dir

from steadyrank.answering import SettingsError
from steadyrank.measure.comparing import values_of
from steadyrank_builder.building import BuildSettings, build
from steadyrank_builder.cli import main
from steadyrank_builder.comparing import given_settings
from steadyrank_builder.evaluation import ask_golden, evaluate_file
from support_churn import records, written

pytestmark = pytest.mark.whoosh

SAMPLE = Path(__file__).resolve().parents[2] / "sample_corpus"
GOLDEN = SAMPLE / "golden.yaml"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("compare") / "store"
    build([SAMPLE / "store"], folder, BuildSettings())
    return folder


@pytest.fixture(scope="module")
def few(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every second of the sample's questions."""
    cases = yaml.safe_load(GOLDEN.read_text("utf-8"))["cases"]
    file = tmp_path_factory.mktemp("few") / "few.json"
    file.write_text(json.dumps({"k": 4, "cases": cases[::2]}), "utf-8")
    return file


def compare(*arguments: object) -> Result:
    return CliRunner().invoke(main, ["compare", *map(str, arguments)])


def test_means_are_those_of_evaluate(store: Path) -> None:
    result = compare(store, GOLDEN, "--b", "gap=0.5", "--json")
    assert result.exit_code == 0, result.output
    content = json.loads(result.stdout)
    [comparison] = content["comparisons"]
    found = {one["measure"]: one for one in comparison["measures"]}
    expected = evaluate_file(store, GOLDEN)
    assert found["success@4"]["n"] == expected.metrics["questions"]
    assert found["success@4"]["a"] == pytest.approx(expected.metrics["success"])
    assert found["refused"]["a"] == pytest.approx(expected.metrics["refused"])
    assert found["passed"]["a"] == expected.passed / (expected.passed + expected.failed)
    assert comparison["answers"]["n"] == len(expected.cases)
    assert comparison["answers"]["order"] > 0, "a gap changes some answers"
    assert content["schema"] == 1
    assert [side["settings"] for side in content["sides"]] == ["the golden file's", "gap=0.5"]
    assert ("nDCG@4" in found) == (find_spec("ir_measures") is not None)
    assert bool(content["notes"]) == (find_spec("ir_measures") is None)


def test_equal_settings_differ_in_nothing(store: Path) -> None:
    result = compare(store, GOLDEN, "--b", "gap=0", "--check")
    assert result.exit_code == 0
    assert "0 of 132 answers differ" in result.stdout
    assert "0 of 132 still allows up to 2.2%" in result.stdout
    assert "Questions that differ" not in result.stdout


def test_what_is_shown_to_be_worse_is_exit_3_only_when_asked(store: Path, few: Path) -> None:
    worse = ["--b", "fields={tags=1.0}"]
    result = compare(store, few, *worse)
    assert result.exit_code == 0 and "B against A: worse, success@4" in result.stdout
    assert compare(store, few, *worse, "--check").exit_code == 3
    better = ["--a", "fields={tags=1.0}", "--b", "gap=0", "--check"]
    result = compare(store, few, *better)
    assert result.exit_code == 0 and "B against A: better, success@4" in result.stdout


def test_two_settings_on_two_indexes_are_four_sides(store: Path, few: Path, tmp_path: Path) -> None:
    """The new index lost a page that cases name."""
    material = tmp_path / "material"
    shutil.copytree(SAMPLE / "store", material)
    for page in material.rglob("*.md"):
        page.unlink()
    build([material], tmp_path / "new", BuildSettings())
    new = tmp_path / "new"
    tags = "fields={tags=1.0}"
    result = compare(store, few, "--b", tags, "--b-index", new, "--json", "--check")
    assert result.exit_code == 3, result.output[-2000:]
    content = json.loads(result.stdout)
    names = ["A on the old index", "B on the old index", "A on the new index", "B on the new index"]
    assert [side["name"] for side in content["sides"]] == names
    assert [side["documents"] for side in content["sides"]][1:3] != [232, 232]
    assert [(one["a"], one["b"]) for one in content["comparisons"]] == [
        (names[0], names[3]), (names[0], names[1]), (names[0], names[2]), (names[2], names[3]),
    ]  # fmt: skip
    assert any("does not have" in note for note in content["notes"])
    merging = [line for line in content["verdict"] if "first means" in line]
    assert [line.split(" first")[0] for line in merging] == ["the settings", "the index"]
    assert "B on the old index for a while: worse" in merging[0]
    assert "A on the new index for a while:" in merging[1]


def test_one_setting_on_two_indexes(store: Path, few: Path) -> None:
    result = compare(store, few, "--b-index", store, "--json")
    assert result.exit_code == 0, result.output
    content = json.loads(result.stdout)
    [comparison] = content["comparisons"]
    assert (comparison["a"], comparison["b"]) == ("A on the old index", "A on the new index")
    assert comparison["answers"]["order"] == 0 and comparison["questions"] == []


def test_an_index_of_another_s_is_searched(tmp_path: Path) -> None:
    folder = written(tmp_path / "live", records(30))
    with open_dir(str(folder)).searcher() as searcher:
        first = next(fields["id"] for _, fields in searcher.reader().iter_docs())
    golden = tmp_path / "golden.json"
    cases = [{"question": "tent lamp", "right": [first]}, {"question": "mug", "right": [first]}]
    golden.write_text(json.dumps(cases), "utf-8")
    options = ["--id-field", "id", "--b", "gap=0.5", "--b", "select=score", "--json"]
    result = compare(folder, golden, *options)
    assert result.exit_code == 0, result.output
    assert json.loads(result.stdout)["sides"][1]["settings"] == "gap=0.5, select=score"
    asked = ask_golden(folder, golden)
    values = values_of(asked.golden, asked.run)
    measure = json.loads(result.stdout)["comparisons"][0]["measures"][1]
    assert measure["measure"] == "RR@4"
    assert measure["a"] == pytest.approx(sum(values["RR@4"].values()) / 2)


@pytest.mark.parametrize(
    ("content", "options", "message"),
    [
        ("cases: []", ["--b", "gap=1"], "no cases"),
        ("- {question: tent, right: [nobody]}", ["--b", "gap=1"], "in no index asked: nobody"),
        ("- {question: tent, right: []}", [], "give settings to compare with --b"),
        ("- {question: tent, right: []}", ["--b", "nowhere.toml"], "nowhere.toml"),
        ("- {question: tent, right: []}", ["--b", "gapp=1"], "gapp"),
        ("- {question: tent, right: []}", ["--b", "a b=1"], "no setting"),
        ("- {question: tent, right: []}", ["--b-index", "nowhere"], "nowhere: no Whoosh index"),
        ("- {question: tent, righ: []}", ["--b", "gap=1"], "righ"),
    ],
)
def test_wrong_input_is_exit_2(
    store: Path, tmp_path: Path, content: str, options: list[str], message: str
) -> None:
    golden = tmp_path / "golden.yaml"
    golden.write_text(content + "\n", "utf-8")
    result = compare(store, golden, *options)
    assert result.exit_code == 2, result.output
    assert message in result.stderr


def test_settings_are_files_values_or_both(tmp_path: Path) -> None:
    file = tmp_path / "a.toml"
    file.write_text("gap = 0.5\n", "utf-8")
    given = given_settings([str(file), "take.count=8", "take.unit='x'", "select=score"])
    assert given.settings is not None and given.settings.gap == 0.5
    assert given.values == {"take": {"count": 8, "unit": "x"}, "select": "score"}
    assert given_settings([]).settings is None
    with pytest.raises(SettingsError, match="one file"):
        given_settings([str(file), str(file)])
    odd = tmp_path / "gap=1.toml"  # a file may be called as it likes
    odd.write_text("gap = 1.0\n", "utf-8")
    assert given_settings([str(odd)]).settings is not None
