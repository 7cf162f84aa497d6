"""What a check is told to write costs nothing that it reads, and is known before it begins."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from steadyrank_builder.cli import main
from steadyrank_builder.runs import write_whole
from support_drift import write_index

pytestmark = pytest.mark.whoosh


@pytest.fixture
def place(tmp_path: Path) -> Path:
    write_index(tmp_path / "i", {"a": "copper kettle", "b": "slate"})
    cases = [{"question": "copper", "mode": "rank-one", "expected": ["a"]}]
    (tmp_path / "g.jsonl").write_text(json.dumps(cases[0]) + "\n", encoding="utf-8")
    (tmp_path / "q.txt").write_text("copper\n", encoding="utf-8")
    return tmp_path


def command(place: Path, *arguments: str) -> Result:
    known = {"i", "g.jsonl", "q.txt", "g", "out", "nowhere/out", "i/out"}
    found = [str(place / one) if one in known else one for one in arguments]
    return CliRunner().invoke(main, found)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("evaluate i g.jsonl --save-run g.jsonl", "this file is read"),
        ("evaluate i g.jsonl --junit g.jsonl", "this file is read"),
        ("evaluate i g.jsonl --trec-run g", "this file is read"),
        ("evaluate i g.jsonl --html i/out", "inside of an index"),
        ("evaluate i g.jsonl --save-run out --html out", "--save-run is written to this file"),
        ("evaluate i g.jsonl --junit nowhere/out", "there is no folder"),
        ("diff i i --questions q.txt --save-run q.txt", "this file is read"),
        ("diff i i --questions q.txt --html i/out", "inside of an index"),
        ("diff i i --questions q.txt --html nowhere/out", "there is no folder"),
        ("churn i --questions q.txt --html q.txt", "this file is read"),
        ("audit i --questions q.txt --html q.txt", "this file is read"),
        ("evaluate i g.jsonl --no-id --id-field id", "do not go together"),
    ],
)
def test_a_file_that_cannot_be_written_is_said_first(
    place: Path, arguments: str, said: str
) -> None:
    before = {path: path.read_bytes() for path in place.rglob("*") if path.is_file()}
    result = command(place, *arguments.split())
    assert result.exit_code == 2
    assert said in " ".join(result.stderr.split())
    assert result.stdout == ""
    assert {path: path.read_bytes() for path in place.rglob("*") if path.is_file()} == before


def test_a_run_may_take_the_place_of_the_one_it_was_held_against(place: Path) -> None:
    run = place / "run.json"
    assert (
        command(place, "diff", "i", "i", "--questions", "q.txt", "--save-run", "out").exit_code == 0
    )
    (place / "out").rename(run)
    before = run.read_bytes()
    assert command(place, "diff", str(run), "i", "--save-run", str(run)).exit_code == 0
    assert run.read_bytes() == before


def test_an_error_names_the_file_that_was_given(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as raised:
        write_whole(tmp_path / "nowhere" / "out", "text")
    assert raised.value.filename == str(tmp_path / "nowhere" / "out")


def test_a_folder_without_an_index_is_no_index_to_write_into(tmp_path: Path) -> None:
    (tmp_path / "g.json").write_text('{"cases": []}', encoding="utf-8")
    junit = tmp_path / "j.xml"
    done = CliRunner().invoke(
        main, ["evaluate", str(tmp_path), str(tmp_path / "g.json"), "--junit", str(junit)]
    )
    assert done.exit_code == 2
    assert "no Whoosh index here" in done.stderr and junit.exists()
