"""Compiled segments of indexes that are built: published, recorded, verified, mended, swept."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from steadyrank.postings.compiled import layout as plugin_layout
from steadyrank.postings.segment import segment_of
from steadyrank_builder.building import BuildSettings, build, update
from steadyrank_builder.cli import main
from steadyrank_builder.history import generations, rollback
from steadyrank_builder.manifest import read_manifest
from steadyrank_builder.publishing import layout
from steadyrank_builder.recasting import canonicalize
from steadyrank_builder.verification.verify import verify
from support_builder import ids_of, litter, record, write_records
from support_sidecars import damaged, replace

pytestmark = [pytest.mark.whoosh, pytest.mark.own_files]


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def material(folder: Path, ids: str) -> list[Path]:
    return [write_records(folder / "m.jsonl", [record(id_) for id_ in ids])]


@pytest.fixture
def out(tmp_path: Path) -> Path:
    folder = tmp_path / "store.idx"
    build(material(tmp_path, "abc"), folder)
    return folder


def arrays(folder: Path) -> list[Path]:
    return sorted(folder.glob("*.arrays"))


def damage(path: Path) -> bytes:
    import random

    whole = path.read_bytes()
    replace(path, damaged(whole, random.Random(3)))
    assert path.read_bytes() != whole
    return whole


def test_a_build_publishes_it(out: Path) -> None:
    """It is in the record, it fits, and it is what answers."""
    (path,) = arrays(out)
    assert path.name in read_manifest(out / "steadyrank-1.json").files
    assert verify(out).problems == ()
    import steadyrank

    with steadyrank.open_index(out).searcher() as searcher:
        segment = segment_of(searcher.reader())
        assert segment.postings("text", b"mug").coded is not None
    done = steadyrank.compile_index(out)
    assert [each.action for each in done.segments] == ["kept"]


def test_without_it_on_request(tmp_path: Path) -> None:
    """And a build that changes nothing adds it when it is not refused any more."""
    out = tmp_path / "out"
    files = material(tmp_path, "ab")
    done = run("build", *files, "--out", out, "--no-compile", "--quiet")
    assert done.exit_code == 0, done.output
    assert arrays(out) == []
    assert verify(out).problems == ()
    update(files, out, BuildSettings(compile=False))
    assert arrays(out) == []
    report = update(files, out)
    assert not report.published
    assert any("Compiled steadyrank-MAIN_" in note for note in report.notes)
    assert len(arrays(out)) == 1
    assert verify(out).problems == ()


@pytest.mark.parametrize("recorded", [True, False])
@pytest.mark.parametrize("missing", [True, False])
def test_verify_says_what_is_wrong_and_what_mends_it(
    tmp_path: Path, recorded: bool, missing: bool
) -> None:
    """Also of one that was compiled after the build, which nobody misses."""
    out = tmp_path / "out"
    build(material(tmp_path, "abc"), out, BuildSettings(compile=recorded))
    assert run("compile", out).exit_code == 0
    (path,) = arrays(out)
    assert verify(out).problems == ()
    whole = damage(path)
    if missing:
        path.unlink()
    problems = verify(out).problems
    if recorded or not missing:
        (problem,) = problems
        assert problem.code == ("missing-file" if missing else "damaged-file")
        assert problem.file == path.name
        assert f"steadyrank compile {out}" in problem.message
    else:
        assert problems == ()
    assert ids_of(out) == ["a", "b", "c"]
    assert run("compile", out).exit_code == 0
    assert path.read_bytes() == whole
    assert verify(out).problems == ()


@pytest.mark.parametrize("missing", [True, False])
def test_damage_is_in_nobodys_way(out: Path, tmp_path: Path, missing: bool) -> None:
    """Not in a rollback's, which tells of it; a build that changes nothing mends it."""
    files = material(tmp_path, "abc")
    (path,) = arrays(out)
    whole = damage(path)
    if missing:
        path.unlink()
    report = build(files, out)
    assert (report.published, report.generation) == (False, 1)
    assert path.read_bytes() == whole
    damage(path)
    if missing:
        path.unlink()
    build(material(tmp_path, "d"), out, BuildSettings())
    assert [each.rollback for each in generations(out)] == [True, False]
    done = rollback(out)
    assert any(path.name in note and "steadyrank compile" in note for note in done.notes)
    assert ids_of(out) == ["a", "b", "c"]
    assert [problem.file for problem in verify(out).problems] == [path.name]
    assert run("compile", out).exit_code == 0
    assert verify(out).problems == ()


def test_it_goes_with_its_segment(out: Path, tmp_path: Path) -> None:
    """Two generations have theirs, and a rollback its own again."""
    (first,) = arrays(out)
    build(material(tmp_path, "d"), out)
    assert first in arrays(out)
    assert len(arrays(out)) == 2
    rollback(out)
    assert len(arrays(out)) == 2
    build(material(tmp_path, "e"), out)
    assert len(arrays(out)) == 2
    build(material(tmp_path, "f"), out)
    assert first not in arrays(out)
    assert litter(out, [4, 5]) == []


def test_a_sweep_takes_dead_drafts(out: Path, tmp_path: Path) -> None:
    dead = out / f"steadyrank-MAIN_dead.arrays.{'0' * 16}"
    dead.touch()
    build(material(tmp_path, "d"), out)
    assert not dead.exists()


def test_other_sources_of_the_same_documents(out: Path, tmp_path: Path) -> None:
    """The segment stays, and so does what was compiled of it, in the new record."""
    (path,) = arrays(out)
    other = write_records(tmp_path / "other.jsonl", [record(id_) for id_ in "abc"])
    assert build([other], out).generation == 2
    assert arrays(out) == [path]
    assert path.name in read_manifest(out / "steadyrank-2.json").files
    assert verify(out).problems == ()


def test_a_canonical_index_has_it(out: Path, tmp_path: Path) -> None:
    """And gets it again where it was lost."""
    new = tmp_path / "canonical"
    canonicalize(out, id_field="id", out=new)
    (path,) = arrays(new)
    assert path.name in read_manifest(new / "steadyrank-1.json").files
    assert verify(new).problems == ()
    whole = damage(path)
    done = canonicalize(new, id_field="id")
    assert not done.published
    assert path.read_bytes() == whole


def test_a_canonical_index_without_it_on_request(out: Path, tmp_path: Path) -> None:
    new = tmp_path / "canonical"
    given = ("canonicalize", out, "--id-field", "id", "--out", new, "--no-compile", "--quiet")
    assert run(*given).exit_code == 0
    assert run("canonicalize", new, "--id-field", "id", "--no-compile").exit_code == 0
    assert arrays(new) == []
    assert verify(new).problems == ()
    assert run("canonicalize", new, "--id-field", "id").exit_code == 0
    assert len(arrays(new)) == 1


@pytest.mark.filterwarnings("ignore:.* is not used, and searches are slower without it")
def test_the_doctor_tells(out: Path) -> None:
    """As a note: results are the same."""
    damage(arrays(out)[0])
    done = run("doctor", out, "--json")
    told = json.loads(done.stdout)
    (finding,) = [f for f in told["findings"] if f["code"] == "unfit-compiled"]
    assert finding["severity"] == "note"
    assert f"steadyrank compile {out}" in finding["message"]
    assert run("compile", out).exit_code == 0
    assert "unfit-compiled" not in run("doctor", out, "--json").stdout


@pytest.mark.parametrize(
    "name",
    [
        "steadyrank-MAIN_abc.arrays",
        f"steadyrank-MAIN_abc.arrays.{'a' * 16}",
        "MAIN_abc.seg",
        "steadyrank-1.json",
        "steadyrank-MAIN_abc.arrays.x",
    ],
)
def test_builder_and_plugin_know_the_same_names(name: str) -> None:
    """The builder tells them without Whoosh."""
    assert layout.arrays_of(name) == plugin_layout.segment_of_arrays(name)
    assert layout.is_arrays_draft(name) == plugin_layout.is_arrays_draft(name)
