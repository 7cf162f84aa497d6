"""Limits stop a publish, a check changes nothing, and both say what would happen."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from steadyrank_builder.building import BuildSettings, Limit, build, check, update
from steadyrank_builder.cli import main
from steadyrank_builder.failures import GuardError, LimitError, TargetError
from support_builder import ids_of, reads_everything, record, write_records

pytestmark = pytest.mark.whoosh

TEN = [record(f"{number}") for number in range(10)]


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "store.idx"
    build([write_records(tmp_path / "m.jsonl", TEN)], folder)
    return folder


@pytest.mark.parametrize(
    ("text", "part", "whole", "over"),
    [
        ("10%", 1, 10, False),  # just as much is allowed
        ("10%", 2, 19, True),
        ("0%", 0, 10, False),
        ("0%", 1, 10, True),
        ("33.4%", 1, 3, False),
        ("100%", 10, 10, False),
        ("10%", 0, 0, False),
        ("3", 3, 3, False),
        ("3", 4, 1000, True),
        (" 5 % ", 1, 10, True),
    ],
)
def test_a_limit_allows_just_as_much(text: str, part: int, whole: int, over: bool) -> None:
    """A share of the whole, or a number."""
    assert Limit.parse(text).exceeded(part, whole) is over


@pytest.mark.parametrize("text", ["", "%", "x", "-1", "101%", "1.5", "nan", "inf", "1e400%"])
def test_what_is_no_limit_is_an_error(text: str) -> None:
    """The message shows both forms."""
    with pytest.raises(LimitError, match="as in 25, or a share as in 10%"):
        Limit.parse(text)


@pytest.mark.parametrize("command", ["build", "update"])
def test_a_loss_beyond_the_limit_publishes_nothing(tmp_path: Path, out: Path, command: str) -> None:
    """Exit code 3; the message says what to pass, and that goes through."""
    before = sorted(entry.name for entry in out.iterdir())
    material = write_records(tmp_path / "m.jsonl", TEN[2:])
    result = run(command, material, "--out", out)
    assert result.exit_code == 3
    assert "2 of 10 live documents (20.0 %) would vanish" in result.stderr
    assert "--max-lost 20%" in result.stderr
    assert "published nothing" in result.stdout
    assert sorted(entry.name for entry in out.iterdir()) == before
    printed = json.loads(run(command, material, "--out", out, "--json").stdout)
    assert (printed["published"], printed["generation"]) == (False, 1)
    assert printed["guards"][0]["guard"] == "max-lost"
    assert run(command, material, "--out", out, "--max-lost", "20%").exit_code == 0
    assert len(ids_of(out)) == 8


def test_a_tenth_may_vanish_by_default(tmp_path: Path, out: Path) -> None:
    """On the command line; programs say what they want."""
    material = write_records(tmp_path / "m.jsonl", TEN[1:])
    assert run("build", material, "--out", out).exit_code == 0
    build([write_records(tmp_path / "m.jsonl", TEN[:1])], out)
    with pytest.raises(GuardError) as caught:
        write_records(tmp_path / "m.jsonl", [record("new")])
        build([material], out, BuildSettings(max_lost=Limit(0, percent=False)))
    assert caught.value.report.changes.removed == 1


def test_rejects_beyond_the_limit_publish_nothing(tmp_path: Path, out: Path) -> None:
    """As a share of the records read, or as a number."""
    material = write_records(tmp_path / "m.jsonl", [*TEN, {"id": "x"}, {"id": "y"}])
    for limit, code in (("1", 3), ("2", 0), ("16%", 3), ("17%", 0)):
        result = run("build", material, "--out", out, "--max-rejects", limit)
        assert result.exit_code == code, limit
        if code:
            assert "--max-rejects" in result.stderr
    assert run("build", material, "--out", out, "--max-rejects", "lots").exit_code == 2


def test_a_check_tells_the_same_and_changes_nothing(tmp_path: Path, out: Path) -> None:
    """Not even a lock file or a folder; in a place where nothing can be written too."""
    material = write_records(tmp_path / "m.jsonl", [*TEN[:9], record("new"), record("0", "other")])
    before = {entry.name: entry.stat().st_mtime_ns for entry in out.iterdir()}
    report = check([material], out)
    assert {entry.name: entry.stat().st_mtime_ns for entry in out.iterdir()} == before
    assert (report.dry, report.published, report.generation) == (True, False, 1)
    new = check([material], tmp_path / "none.idx")
    assert not (tmp_path / "none.idx").exists()
    done = build([material], out)
    for name in ("documents", "digest", "changes", "rejected", "rejects", "renamed", "sources"):
        assert getattr(report, name) == getattr(done, name), name
    assert (new.digest, new.previous) == (done.digest, None)


def test_a_check_ends_with_3_where_it_finds_something(tmp_path: Path, out: Path) -> None:
    """A reject or a limit; and with 0 else."""
    material = write_records(tmp_path / "m.jsonl", [*TEN, record("x")])
    result = run("check", material, "--out", out)
    assert result.exit_code == 0
    assert "would publish: 11 documents" in result.stdout
    write_records(material, [*TEN, {"id": "bad"}])
    assert run("check", material, "--out", out).exit_code == 3
    write_records(material, TEN[5:])
    result = run("check", material, "--out", out)
    assert result.exit_code == 3
    assert "would stop: 5 of 10" in result.stdout
    assert ids_of(out) == [str(number) for number in range(10)]


def test_a_check_of_an_update_keeps_what_it_would_keep(tmp_path: Path, out: Path) -> None:
    """--forget belongs to it alone."""
    more = write_records(tmp_path / "more.jsonl", [record("n")])
    printed = json.loads(run("check", more, "--out", out, "--update", "--json").stdout)
    assert printed["changes"] == {"added": 1, "changed": 0, "removed": 0, "unchanged": 10}
    assert len(printed["kept"]) == 1
    assert run("check", more, "--out", out, "--forget", "m.jsonl").exit_code == 2


def test_an_index_of_somebody_else_is_adopted_only_when_told_to(tmp_path: Path) -> None:
    """--replace is for one's own index that a host wrote to."""
    from whoosh.fields import ID, Schema
    from whoosh.index import create_in

    folder = tmp_path / "theirs"
    folder.mkdir()
    writer = create_in(str(folder), Schema(id=ID(stored=True))).writer()
    writer.add_document(id="theirs")
    writer.commit()
    material = write_records(tmp_path / "m.jsonl", [record("a")])
    for command in ("build", "update", "check"):
        result = run(command, material, "--out", folder, "--replace")
        assert result.exit_code == 2
        assert "--adopt" in result.stderr
    assert ids_of(folder) == ["theirs"]
    assert run("build", material, "--out", folder, "--adopt").exit_code == 0
    assert ids_of(folder) == ["a"]
    assert run("rollback", folder).exit_code == 0
    assert ids_of(folder) == ["theirs"]


def test_another_version_writes_anew_and_says_so(
    tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also when the documents are the same: what another tool's files do is its own affair."""
    from steadyrank_builder.building import staging, switching

    made = {**staging.made_with(), "whoosh_version": "9.9"}
    for module in (staging, switching):
        monkeypatch.setattr(module, "made_with", lambda: made)
    report = update([tmp_path / "m.jsonl"], out)
    assert report.published
    assert any("all of it is written anew" in sentence for sentence in report.notes)
    assert not update([tmp_path / "m.jsonl"], out).published


@pytest.mark.skipif(reads_everything(), reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to_is_told_first(tmp_path: Path, out: Path) -> None:
    """Before anything is read."""
    out.chmod(0o500)
    try:
        with pytest.raises(TargetError, match="cannot be written to"):
            build([tmp_path / "m.jsonl"], out)
        assert check([tmp_path / "m.jsonl"], out).documents == 10
    finally:
        out.chmod(0o700)
