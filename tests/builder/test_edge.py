"""What reaches a terminal when a command goes wrong: a line, in which nothing moves the cursor."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from whoosh.fields import STORED, TEXT, Schema
from whoosh.index import create_in

from steadyrank_builder.edge import EdgeGroup

pytestmark = pytest.mark.whoosh

ROOT = Path(__file__).resolve().parents[2]
EVIL = "\x1b[2J\u202eid\x9b"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("edge") / "i"
    folder.mkdir()
    writer = create_in(str(folder), Schema(id=STORED, title=TEXT(stored=True))).writer()
    for identity in (EVIL, EVIL, ""):
        writer.add_document(id=identity, title=f"cup {identity}")
    writer.commit()
    return folder


def command(*arguments: str) -> subprocess.CompletedProcess[bytes]:
    paths = os.pathsep.join(str(ROOT / part) for part in ("plugin", "index_builder"))
    return subprocess.run(
        [sys.executable, "-c", "from steadyrank_builder.cli import main; main()", *arguments],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        check=False,
    )


def shell(line: str, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """``line`` by bash, in which ``"$@"`` is the command with its arguments."""
    paths = os.pathsep.join(str(ROOT / part) for part in ("plugin", "index_builder"))
    code = "from steadyrank_builder.cli import main; main()"
    return subprocess.run(
        ["bash", "-c", line, "bash", sys.executable, "-c", code, *arguments],
        env={**os.environ, "PYTHONPATH": paths},
        capture_output=True,
        check=False,
    )


def golden_file(folder: Path) -> Path:
    golden = folder / "golden.json"
    case = {"question": "cup", "mode": "excludes", "expected": [EVIL], "k": 9}
    golden.write_text(json.dumps({"cases": [case]}), encoding="utf-8")
    return golden


def controls(output: bytes) -> set[str]:
    return {
        char for char in output.decode("utf-8") if char < " " or char in EVIL[:1] + "\u202e\x9b"
    }


def test_an_error_that_quotes_ids_moves_no_cursor(folder: Path, tmp_path: Path) -> None:
    golden = tmp_path / "golden.json"
    case = {"question": "cup", "mode": "rank-one", "expected": [f"no{EVIL}"]}
    golden.write_text(json.dumps({"cases": [case]}), encoding="utf-8")
    done = command("compare", str(folder), str(golden), "--b", "gap=0.5")
    assert done.returncode == 2
    assert b"in no index asked" in done.stderr
    assert controls(done.stderr) <= {"\n"}


def test_a_warning_is_a_line_without_a_place_in_the_code(folder: Path) -> None:
    done = command("search", str(folder), "cup")
    assert done.returncode == 0
    assert done.stderr.startswith(b"Warning: ")
    assert b".py" not in done.stderr
    assert controls(done.stderr) <= {"\n"}


def test_a_closed_stderr_changes_no_verdict(folder: Path, tmp_path: Path) -> None:
    asked = ("evaluate", str(folder), str(golden_file(tmp_path)))
    assert shell('"$@" 2>&-', *asked).returncode == command(*asked).returncode == 3


def test_a_verdict_that_nobody_reads_is_no_pass(folder: Path, tmp_path: Path) -> None:
    asked = ("evaluate", str(folder), str(golden_file(tmp_path)))
    done = shell('"$@" | true; exit "${PIPESTATUS[0]}"', *asked)
    assert done.returncode == 1
    assert b"Traceback" not in done.stderr and b"Exception" not in done.stderr


def test_what_gives_no_verdict_ends_well_unread(folder: Path) -> None:
    done = shell('"$@" 2>/dev/null | true; exit "${PIPESTATUS[0]}"', "search", str(folder), "cup")
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_run_goes_to_a_pipe(folder: Path, tmp_path: Path) -> None:
    asked = ("evaluate", str(folder), str(golden_file(tmp_path)), "--save-run")
    done = shell('"$@" | cat; exit "${PIPESTATUS[0]}"', *asked, "/dev/stdout")
    assert done.returncode == 3
    assert b'"rankings"' in done.stdout


def test_an_interrupt_in_an_error_of_another_kind_is_an_interrupt() -> None:
    @click.command("late")
    def late() -> None:
        try:
            raise KeyboardInterrupt
        except KeyboardInterrupt as error:
            raise RuntimeError("Error calling __set_name__") from error

    result = CliRunner().invoke(EdgeGroup("main", commands={"late": late}), ["late"])
    assert result.exit_code == 130
    assert "Stopped" in result.stderr and "bug" not in result.stderr


@pytest.mark.parametrize("name", ["audit", "churn"])
def test_damaged_files_are_bad_input_and_no_bug(folder: Path, tmp_path: Path, name: str) -> None:
    damaged = tmp_path / "i"
    shutil.copytree(folder, damaged)
    for path in damaged.glob("*.seg"):
        path.write_bytes(path.read_bytes()[:200])
    (tmp_path / "q.txt").write_text("cup\n", encoding="utf-8")
    done = command(name, str(damaged), "--questions", str(tmp_path / "q.txt"))
    assert done.returncode == 2
    assert b"the index cannot be read" in done.stderr and b"bug" not in done.stderr


def test_diff_on_damaged_files_gives_no_verdict(folder: Path, tmp_path: Path) -> None:
    """Either side: exit code 2, with what to do, and no bug of ours."""
    damaged, questions = tmp_path / "i", tmp_path / "q.txt"
    shutil.copytree(folder, damaged)
    for path in damaged.glob("*.seg"):
        path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
    questions.write_text("mug\n", "utf-8")
    for sides in ((damaged, folder), (folder, damaged)):
        done = command("diff", *map(str, sides), "--questions", str(questions))
        assert done.returncode == 2
        assert b"the index cannot be read" in done.stderr and b"bug" not in done.stderr
