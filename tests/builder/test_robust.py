"""Full disks, odd material, odd folders: the live index stays, the message says what to do."""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from steadyrank_builder.building import BuildSettings, build, update
from steadyrank_builder.errors import MaterialError
from steadyrank_builder.failures import LockedError, TargetError
from steadyrank_builder.publishing.locks import build_lock
from steadyrank_builder.verification.verify import verify
from support_builder import (
    cli,
    environment,
    ids_of,
    litter,
    reads_everything,
    record,
    run_cli,
    write_records,
)

pytestmark = pytest.mark.whoosh


def limited(size: int, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """The command in a process whose files can have ``size`` bytes: a disk that is full then."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return subprocess.run(
        cli(*arguments),
        env={**environment(), "PYTHONDONTWRITEBYTECODE": "1"},
        preexec_fn=limit,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("command", ["build", "update", "canonicalize"])
def test_a_full_disk_leaves_the_live_index(tmp_path: Path, command: str) -> None:
    """Wherever it is met: in temporary files, in the segment, in the archive, in the manifest."""
    out = tmp_path / "store.idx"
    material = write_records(tmp_path / "m.jsonl", [record("a")])
    if command == "canonicalize":
        _foreign(out, 40)
        options: tuple[str | Path, ...] = (out, "--id-field", "id")
        before = sorted(ids_of(out))
    else:
        build([material], out)
        before = ["a"]
        write_records(
            material, [record("a"), *(record(f"n{n:03}", f"x{n} " * 40) for n in range(99))]
        )
        options = (material, "--out", out)
    names = sorted(entry.name for entry in out.iterdir())
    failed = 0
    for size in (200, 9_000, 20_000, 30_000):
        done = limited(size, command, *options)
        if done.returncode == 0:
            break
        failed += 1
        assert done.returncode == 1, done.stderr
        assert done.stderr.startswith("Error: ")
        assert "Traceback" not in done.stderr
        assert "bug" not in done.stderr, done.stderr
        assert "Make room beside the index" in done.stderr
        assert sorted(ids_of(out)) == before
        assert sorted({*names, "MAIN_WRITELOCK"}) == sorted(
            {*(entry.name for entry in out.iterdir()), "MAIN_WRITELOCK"}
        )
        assert not list(tmp_path.glob(".store.idx*"))
    assert failed >= 2
    assert limited(10_000_000, command, *options).returncode == 0
    assert verify(out).problems == ()


def _foreign(folder: Path, count: int) -> None:
    from whoosh.fields import ID, TEXT, Schema
    from whoosh.index import create_in

    folder.mkdir()
    index = create_in(str(folder), Schema(id=ID(stored=True), text=TEXT(stored=True)))
    for part in range(2):
        writer = index.writer()
        for number in range(part, count, 2):
            text = " ".join(f"w{number}x{word}" for word in range(40))
            writer.add_document(id=f"{number:03}", text=text)
        writer.commit(merge=False)


def test_a_loop_of_links_ends(tmp_path: Path) -> None:
    """Each file is read once, by whichever way it is reached."""
    shop = tmp_path / "shop"
    (shop / "deep").mkdir(parents=True)
    write_records(shop / "m.jsonl", [record("a")])
    (shop / "deep" / "up").symlink_to(shop, target_is_directory=True)
    (shop / "again.jsonl").symlink_to(shop / "m.jsonl")
    report = build([shop], tmp_path / "out")
    assert (report.documents, len(report.sources)) == (1, 1)
    assert not update([shop], tmp_path / "out").published


def test_a_source_that_vanishes_while_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A build tells it as a reject, an update keeps its documents."""
    from steadyrank_builder.intake import reading

    shop, out = tmp_path / "shop", tmp_path / "out"
    shop.mkdir()
    write_records(shop / "a.jsonl", [record("a")])
    write_records(shop / "b.jsonl", [record("b")])
    build([shop], out)
    real = reading.open_source

    def gone(source: object, options: object) -> object:
        (shop / "b.jsonl").unlink(missing_ok=True)
        return real(source, options)  # type: ignore[arg-type]

    write_records(shop / "a.jsonl", [record("a", "new")])
    write_records(shop / "b.jsonl", [record("b", "new")])
    monkeypatch.setattr(reading, "open_source", gone)
    report = update([shop], out)
    assert [Path(name).name for name in report.unread] == ["b.jsonl"]
    assert report.rejects[0].code == "unreadable"
    assert ids_of(out) == ["a", "b"]
    report = build([shop], out)
    assert ids_of(out) == ["a"]


@pytest.mark.skipif(reads_everything(), reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    """Named, it is an error; in a folder, a reject, and an update keeps its documents."""
    shop, out = tmp_path / "shop", tmp_path / "out"
    shop.mkdir()
    path = write_records(shop / "a.jsonl", [record("a")])
    write_records(shop / "b.jsonl", [record("b")])
    build([shop], out)
    path.chmod(0)
    with pytest.raises(MaterialError, match="permission denied"):
        update([path], out)
    assert update([shop], out).unread == (str(path),)
    assert ids_of(out) == ["a", "b"]


@pytest.mark.skipif(reads_everything(), reason="root may read everything")
@pytest.mark.parametrize("mode", [0o000, 0o444])
def test_a_folder_that_may_not_be_read(tmp_path: Path, mode: int) -> None:
    """Inside of the material it is told as an error, and nothing of it counts as gone."""
    shop, out = tmp_path / "shop", tmp_path / "out"
    (shop / "deep").mkdir(parents=True)
    write_records(shop / "a.jsonl", [record("a")])
    write_records(shop / "deep" / "b.jsonl", [record("b")])
    build([shop], out)
    (shop / "deep").chmod(mode)
    try:
        for work in (build, update):
            with pytest.raises(MaterialError, match="deep: permission denied"):
                work([shop], out)
    finally:
        (shop / "deep").chmod(0o700)
    assert ids_of(out) == ["a", "b"]


@pytest.mark.skipif(reads_everything(), reason="root may write everywhere")
def test_an_index_that_cannot_be_made_is_told_first(tmp_path: Path) -> None:
    """Also where more than one folder would have to be made."""
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o500)
    with pytest.raises(TargetError, match="closed cannot be written to"):
        build([tmp_path / "none.jsonl"], closed / "deep" / "out")


def test_an_index_in_a_file_is_told_first(tmp_path: Path) -> None:
    file = write_records(tmp_path / "a.jsonl", [record("a")])
    for out in (file / "out", file / "deep" / "out"):
        with pytest.raises(TargetError, match="jsonl is a file"):
            build([file], out)


@pytest.mark.parametrize("option", ["--rejects", "--report"])
def test_a_file_that_cannot_be_written_is_told_first(tmp_path: Path, option: str) -> None:
    """Before anything is published."""
    material = write_records(tmp_path / "a.jsonl", [record("a")])
    done = run_cli("build", material, "--out", tmp_path / "out", option, tmp_path / "no" / "file")
    assert done.returncode == 2
    assert f"{option} {tmp_path / 'no' / 'file'}: there is no folder" in done.stderr
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("option", ["rejects", "report"])
def test_material_in_a_folder_is_not_written_over(tmp_path: Path, option: str) -> None:
    """What a build wrote before is, every time."""
    shop, out = tmp_path / "shop", tmp_path / "out"
    shop.mkdir()
    path = write_records(shop / "a.jsonl", [record("a")])
    write_records(shop / "b.jsonl", [record("b"), {"id": "bad"}])
    whole = path.read_bytes()
    with pytest.raises(MaterialError, match=r"a.jsonl: is material, and .* would overwrite it"):
        build([shop], out, BuildSettings(**{option: path}))  # type: ignore[arg-type]
    assert path.read_bytes() == whole
    for _ in range(2):
        report = build([shop], out, BuildSettings(**{option: shop / "o.jsonl"}))  # type: ignore[arg-type]
        assert report.documents == 2


def test_a_lock_ends_with_its_process(tmp_path: Path) -> None:
    """Killed, it leaves a lock file that blocks nobody; at work, it is named with host and age."""
    out = tmp_path / "out"
    material = write_records(tmp_path / "m.jsonl", [record("a")])
    code = (
        "import sys, time; from pathlib import Path;"
        "from steadyrank_builder.publishing.locks import build_lock\n"
        "with build_lock(Path(sys.argv[1]), 0): print('held', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, str(out)],
        env=environment(), stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    with pytest.raises(LockedError, match=rf"process {process.pid} on .*, build for \d+ s since"):
        build([material], out, BuildSettings(lock_timeout=0))
    process.kill()
    process.wait()
    process.stdout.close()
    assert (out / "steadyrank.lock").exists()
    build([material], out, BuildSettings(lock_timeout=0))
    assert litter(out, [1]) == []


def test_an_old_lock_tells_its_age(tmp_path: Path) -> None:
    """In minutes and hours once it is that old."""
    import json

    out = tmp_path / "out"
    with build_lock(out, 0):
        path = out / "steadyrank.lock"
        note = json.loads(path.read_bytes())
        path.write_text(json.dumps({**note, "since": "2020-01-01T00:00:00+00:00"}))
        with pytest.raises(LockedError, match=r"for \d+ h \d+ min since 2020"), build_lock(out, 0):
            pass
    shutil.rmtree(out, ignore_errors=True)


def test_rejects_in_great_number_are_written_and_counted(tmp_path: Path) -> None:
    """All of them in the file, a hundred in the report."""
    material = write_records(tmp_path / "m.jsonl", [record("a"), *({"n": n} for n in range(500))])
    settings = BuildSettings(rejects=tmp_path / "r.jsonl")
    report = build([material], tmp_path / "out", settings)
    assert (report.rejected, len(report.rejects)) == (500, 100)
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 500
