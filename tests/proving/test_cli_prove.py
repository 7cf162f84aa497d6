"""``--prove`` on the command line: options, exit codes, and a text that many cases fit in."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from steadyrank_builder.cli import main
from steadyrank_builder.commands.prove_text import proof_lines, ranges
from steadyrank_builder.proving import MUTATIONS, Proof, Tried
from support_proving import CASES, NUMBERS, written

pytestmark = pytest.mark.whoosh


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    return written(tmp_path_factory.mktemp("prove"))


def evaluate(folder: Path, golden: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["evaluate", str(folder), str(golden), *options])


def statuses(done: Result) -> dict[str, Any]:
    return {one["name"]: one for one in json.loads(done.stdout)["mutations"]}


def test_statistics_need_a_later_index(made: tuple[Path, Path, Path]) -> None:
    """Without one it is said; with one the case that pins them notices."""
    index, later, golden = made
    without = statuses(evaluate(index, golden, "--prove", "--json"))["statistics-live"]
    assert without["status"] == "not-applicable"
    assert "later index" in without["why"]
    done = evaluate(index, golden, "--prove", "--fresh", str(later), "--json")
    assert done.exit_code == 0, done.output
    assert statuses(done)["statistics-live"]["noticed_by"] == [NUMBERS["statistics-live"]]


def test_cases_that_fail_on_the_later_index_are_named(
    made: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    """They can notice nothing there."""
    index, _, golden = made
    from support_answers import write
    from support_proving import DOCUMENTS

    smaller = write(tmp_path / "smaller", [d for d in DOCUMENTS if d["id"] != "drift:b"])
    done = evaluate(index, golden, "--prove", "--fresh", str(smaller))
    assert f"fail on the later index with nothing wrong: {len(CASES)}" in done.stdout


def test_no_verdict_is_not_proved(made: tuple[Path, Path, Path], tmp_path: Path) -> None:
    """Exit code 2, and nothing that looks like a proof."""
    golden = tmp_path / "golden.json"
    golden.write_text(json.dumps([{"question": "a", "mode": "exact", "expected": ["gone"]}]))
    done = evaluate(made[0], golden, "--prove", "--json")
    assert done.exit_code == 2
    assert "mutations" not in json.loads(done.stdout)
    assert "nothing was proved" in done.stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--fresh", "x"], "--fresh is for --prove"),
        (["--material", "x"], "--material is for --rebuild"),
        (["--prove", "--update"], "prove and rebuild after it"),
        (["--rebuild", "0"], "not in the range"),
    ],
)
def test_options_that_do_not_go_together(
    options: list[str], said: str, made: tuple[Path, Path, Path]
) -> None:
    done = evaluate(made[0], made[2], *options)
    assert done.exit_code == 2
    assert said in done.stderr


def test_a_failing_case_is_a_failed_evaluation_and_notices_nothing(
    made: tuple[Path, Path, Path], tmp_path: Path
) -> None:
    """What is left is proved all the same, and the exit code is 3."""
    content = json.loads(made[2].read_text("utf-8"))
    content["cases"][0]["expected"] = ["tie:b", "tie:a"]
    golden = made[2].with_name("failing.json")
    golden.write_text(json.dumps(content), "utf-8")
    done = evaluate(made[0], golden, "--prove")
    assert done.exit_code == 3
    assert "fail anyway, and can notice nothing: 1" in done.stdout
    assert "tie-break-reversed: the tie-break is unguarded" in done.stdout


def test_ranges() -> None:
    """Consecutive numbers together."""
    assert ranges([1, 2, 3, 7, 9, 10]) == "1-3, 7, 9-10"
    assert ranges([]) == ""


def test_the_matrix_stays_readable_with_many_cases() -> None:
    """Counts stand in a column, and no line is longer than a hundred characters."""
    every_third = tuple(range(1, 400, 3))
    tried = tuple(Tried(mutation, "noticed", every_third) for mutation in MUTATIONS)
    lines = list(proof_lines(Proof((), (), tried)))
    assert max(map(len, lines)) <= 100
    heads = [line for line in lines if " notice  " in line]
    assert len(heads) == len(MUTATIONS)
    assert {line.index(" notice") for line in heads} == {heads[0].index(" notice")}
    assert all(f"{len(every_third)} notice" in line for line in heads)
