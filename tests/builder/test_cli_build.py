"""``steadyrank build`` and ``verify`` as programs: what they print, and how they end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from steadyrank_builder.cli import main
from support_builder import cli, environment, ids_of, record, run_cli, write_records

pytestmark = pytest.mark.whoosh


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def material(tmp_path: Path) -> Path:
    """Two good records, one without an id, and a contradiction."""
    records = [record("a"), record("b"), {"kind": "product", "title": "?"}, record("b", "other")]
    return write_records(tmp_path / "m.jsonl", records)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "store.idx"


def test_build_prints_the_agreed_json(material: Path, out: Path) -> None:
    """These keys and no others, sorted, on one line, and nothing else on stdout."""
    result = run("build", material, "--out", out, "--json")
    assert result.exit_code == 0
    assert result.stdout.count("\n") == 1
    printed = json.loads(result.stdout)
    assert list(printed) == sorted(printed)
    digest, seconds = printed.pop("digest"), printed.pop("seconds")
    assert digest.startswith("sha256:")
    assert len(digest) == 71
    assert seconds > 0
    assert printed == {
        "schema": 1,
        "generation": 1,
        "documents": 2,
        "published": True,
        "sources": [
            {
                "path": str(material),
                "format": "jsonl",
                "read": 4,
                "accepted": 2,
                "merged": 0,
                "duplicates": 0,
                "skipped": 0,
                "rejected": 2,
            }
        ],
        "changes": {"added": 2, "changed": 0, "removed": 0, "unchanged": 0},
    }


def test_build_tells_people_what_became_of_the_material(material: Path, out: Path) -> None:
    """One line a source, each reject with its place, the changes, the generation."""
    run("build", material, "--out", out)
    write_records(material, [record("a", "new"), record("c")])
    result = run("build", material, "--out", out, "--max-lost", "50%")
    assert result.exit_code == 0
    lines = result.stdout.splitlines()
    assert lines[0] == f"{material}  jsonl  2 records -> 2 products"
    assert lines[1] == "since generation 1: +1 ~1 -1 =0"
    assert lines[2].startswith("published generation 2: 2 documents, digest sha256:")
    again = run("build", material, "--out", out)
    assert "nothing to publish, generation 2 has the same content: 2 documents" in again.stdout


def test_a_folder_is_one_line(tmp_path: Path, out: Path) -> None:
    """With the number of files, and the reasons of what was skipped."""
    shop = tmp_path / "shop"
    shop.mkdir()
    write_records(shop / "a.jsonl", [record("a")])
    write_records(shop / "b.jsonl", [record("a"), record("b")])
    result = run("build", shop, "--out", out)
    assert result.stdout.splitlines()[0] == (
        f"{shop}/  jsonl  2 files, 3 records -> 2 products, 1 duplicate"
    )


def test_rejects_are_written_to_be_mended_and_read_again(
    material: Path, out: Path, tmp_path: Path
) -> None:
    """Source, lines, code, message and the record; emptied when there are none any more."""
    rejects = tmp_path / "rejects.jsonl"
    result = run("build", material, "--out", out, "--rejects", rejects)
    assert f"rejected 2 -> {rejects}" in result.stdout
    first, second = map(json.loads, rejects.read_text().splitlines())
    assert (first["line"], second["line"]) == (3, 4)
    assert second["code"] == "duplicate-id"
    assert f"{material}:2" in second["message"]
    assert json.loads(second["raw"])["text"] == "other"
    write_records(material, [record("a")])
    run("build", material, "--out", out, "--rejects", rejects)
    assert rejects.read_text() == ""


def test_prefer_and_replace_reach_the_build(tmp_path: Path, out: Path) -> None:
    """The options of the command are those of the library."""
    a = write_records(tmp_path / "a.jsonl", [record("x", "one")])
    b = write_records(tmp_path / "b.jsonl", [record("x", "two")])
    assert run("build", a, b, "--out", out).exit_code == 2  # nothing left to index
    assert run("build", a, b, "--out", out, "--prefer", a).exit_code == 0
    (out / "steadyrank-1.json").unlink()
    assert run("build", a, "--out", out, "--replace").exit_code == 2
    assert run("build", a, "--out", out, "--adopt").exit_code == 0


def test_kind_and_map_reach_the_readers(tmp_path: Path, out: Path) -> None:
    """Generic records under other names."""
    path = tmp_path / "m.jsonl"
    path.write_text('{"id": "x", "name": "Trail mug", "body": "Steel"}\n')
    result = run("build", path, "--out", out, "--kind", "thing", "--map", "title=name,text=body")
    assert result.exit_code == 0, result.output
    assert ids_of(out) == ["x"]
    assert "1 thing" in result.stdout


def test_what_material_says_moves_no_cursor(tmp_path: Path) -> None:
    """Its ids, kinds and names are shown without what a terminal obeys."""
    evil = "a\u202e\x9bb"
    records = [record(evil, kind=evil), record(evil, "other", kind=evil), record("c", kind=evil)]
    material = write_records(tmp_path / f"m{evil}.jsonl", records)
    result = run("build", material, "--out", tmp_path / "o", "--report", tmp_path / "r.json")
    assert "c" in result.stdout and "duplicate-id" in result.stdout
    assert not {"\u202e", "\x9b"} & set(result.output)


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["build"], 2, "Missing argument"),
        (["build", "m.jsonl"], 2, "Missing option '--out'"),
        (["build", "missing.csv", "gone/", "--out", "o"], 2, "missing.csv: no such file"),
        (["build", "m.jsonl", "--out", "o", "--map", "title"], 2, "is not FIELD=COLUMN"),
        (["build", "m.jsonl", "--out", "o", "--map", "a=b"], 2, "cannot map 'a'"),
        (["build", "m.jsonl", "--out", "o", "--encoding", "utf-99"], 2, "unknown text encoding"),
        (["build", "m.jsonl", "--out", "o", "--language", "xx"], 2, "xx"),
        (["build", "m.jsonl", "--out", "o", "--prefer", "z"], 2, "is none of the sources"),
        (["build", "m.jsonl", "--out", "m.jsonl"], 2, "is a file"),
        (["build", "m.jsonl", "--out", "o", "--lock-timeout", "-1"], 2, "--lock-timeout"),
        (["build", "m.jsonl", "--out", "m.jsonl/o"], 2, "is a file"),
        (["verify"], 2, "Missing argument"),
        (["verify", "o"], 2, "holds no index"),
        (["nothing"], 2, "No such command"),
    ],
)
def test_wrong_use_is_one_message_and_a_code(
    material: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], code: int, message: str
) -> None:
    """On stderr, without a traceback, and nothing was made."""
    monkeypatch.chdir(material.parent)
    result = run(*arguments)
    assert result.exit_code == code
    assert message in result.stderr
    assert "Traceback" not in result.output
    assert result.stdout == ""
    assert [entry.name for entry in material.parent.iterdir()] == ["m.jsonl"]


def test_verify_ends_with_3_when_something_is_wrong(material: Path, out: Path) -> None:
    """And says so in JSON as well."""
    run("build", material, "--out", out)
    sound = run("verify", out, "--json")
    assert sound.exit_code == 0
    printed = json.loads(sound.stdout)
    assert (printed["sound"], printed["problems"], printed["documents"]) == (True, [], 2)
    assert run("verify", out, "--digest", printed["digest"]).exit_code == 0
    assert run("verify", out, "--digest", "sha256:0").exit_code == 3
    assert run("verify", out, "--seal", "sha256:0").exit_code == 3
    (segment,) = out.glob("*.seg")
    segment.write_bytes(segment.read_bytes()[:-1])
    broken = run("verify", out, "--json")
    assert broken.exit_code == 3
    (problem,) = json.loads(broken.stdout)["problems"]
    assert (problem["code"], problem["file"]) == ("damaged-file", segment.name)
    assert "is not sound" in run("verify", out).stdout


def test_help_and_version_import_no_parser_and_no_whoosh() -> None:
    """``steadyrank --help`` is for people who wait."""
    code = (
        "import sys\n"
        "from steadyrank_builder.cli import main\n"
        "try: main(['--help'])\n"
        "except SystemExit: pass\n"
        "heavy = {'lxml', 'selectolax', 'markdown_it', 'yaml', 'whoosh', 'numpy', 'pydantic'}\n"
        "print(sorted(heavy & set(sys.modules)), file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment(), capture_output=True, text=True, check=True
    )
    assert "build" in done.stdout
    assert "verify" in done.stdout
    assert done.stderr == "[]\n"


def test_a_closed_pipe_ends_quietly(material: Path, out: Path) -> None:
    """``steadyrank build ... | head -0``."""
    process = subprocess.Popen(
        cli("build", material, "--out", out, "--json"),
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    process.stdout.close()
    assert process.stderr is not None
    errors = process.stderr.read()
    process.stderr.close()
    assert (process.wait(timeout=30), errors) == (0, "")
    assert ids_of(out) == ["a", "b"]


def test_progress_and_notes_stay_off_a_pipe(material: Path, out: Path) -> None:
    """Nothing on stderr where nobody watches; with --quiet nothing on stdout either."""
    done = run_cli("build", material, "--out", out, "--json")
    assert (done.returncode, done.stderr) == (0, "")
    done = run_cli("build", material, "--out", out, "--quiet")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.mark.parametrize(
    ("done", "total", "seconds", "shown"),
    [
        (0, 100, 0.0, "write 0 of 100"),
        (1_200, None, 2.0, "write 1 200, 600/s"),
        (1_000, 4_000, 10.0, "write 1 000 of 4 000, 100/s, 30 s left"),
        (100, 30_000, 50.0, "write 100 of 30 000, 2/s, 4 h 9 min left"),
        (4_000, 4_000, 10.0, "write 4 000 of 4 000, 400/s"),
    ],
)
def test_progress_has_rate_and_time_left(
    done: int, total: int | None, seconds: float, shown: str
) -> None:
    """As far as they are known."""
    from steadyrank_builder.commands.progress import pace

    assert pace("write", done, total, seconds) == shown
