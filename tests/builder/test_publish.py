"""What a publish changes, what it keeps, and what it refuses."""

from __future__ import annotations

import errno
import fcntl
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from steadyrank_builder.building import BuildReport, BuildSettings, Changes, build
from steadyrank_builder.errors import MaterialError
from steadyrank_builder.failures import (
    LockedError,
    ManifestError,
    NothingToBuildError,
    StaleGenerationError,
    TargetError,
)
from steadyrank_builder.publishing import publish as publish_module
from steadyrank_builder.publishing.locks import build_lock, write_lock
from support_builder import ids_of, litter, record, write_records

pytestmark = pytest.mark.whoosh

QUICK = BuildSettings(lock_timeout=0.1)
FORCED = BuildSettings(lock_timeout=0.1, force=True)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "store.idx"


def built(
    tmp_path: Path, out: Path, *ids: str, settings: BuildSettings = QUICK, text: str = "A mug"
) -> BuildReport:
    material = write_records(tmp_path / "m.jsonl", [record(id_, text) for id_ in ids])
    return build([material], out, settings)


def stock_commit(out: Path, id_: str = "host") -> None:
    """A commit by a plain Whoosh writer."""
    from whoosh.index import open_dir

    writer = open_dir(str(out)).writer()
    writer.add_document(id=id_, text="A host's own words")
    writer.commit()


def test_the_first_build_is_generation_one_in_id_order(tmp_path: Path, out: Path) -> None:
    """As a first commit after create_in would be; plain Whoosh opens it."""
    report = built(tmp_path, out, "b", "a", "ä", "áx")
    assert (report.generation, report.published, report.previous) == (1, True, None)
    assert report.changes == Changes(added=4, changed=0, removed=0, unchanged=0)
    assert ids_of(out) == ["a", "b", "áx", "ä"]
    assert litter(out, [1]) == []


def test_unchanged_material_publishes_nothing(tmp_path: Path, out: Path) -> None:
    """Not even a file's time changes."""
    built(tmp_path, out, "a", "b")
    before = {entry.name: entry.stat().st_mtime_ns for entry in out.iterdir()}
    report = built(tmp_path, out, "b", "a")
    assert (report.generation, report.published) == (1, False)
    assert report.changes == Changes(added=0, changed=0, removed=0, unchanged=2)
    assert {entry.name: entry.stat().st_mtime_ns for entry in out.iterdir()} == before


def test_unchanged_material_repairs_a_damaged_index(tmp_path: Path, out: Path) -> None:
    """The same digest is no reason to leave a broken file live."""
    built(tmp_path, out, "a", "b")
    (segment,) = out.glob("*.seg")
    segment.write_bytes(segment.read_bytes()[:-1] + b"?")
    assert built(tmp_path, out, "a", "b").published
    assert ids_of(out) == ["a", "b"]


def test_changes_are_counted_by_id_and_content(tmp_path: Path, out: Path) -> None:
    """Against the generation before."""
    built(tmp_path, out, "a", "b", "c")
    material = write_records(
        tmp_path / "m.jsonl", [record("a", "A mug"), record("b", "other"), record("d"), record("e")]
    )
    report = build([material], out, QUICK)
    assert report.changes == Changes(added=2, changed=1, removed=1, unchanged=1)
    assert (report.generation, report.previous) == (2, 1)


def test_the_previous_generation_stays_until_the_next_publish(tmp_path: Path, out: Path) -> None:
    """Two generations are complete at any time, never three."""
    for number in range(1, 5):
        built(tmp_path, out, "a", text=f"version {number}")
        kept = [number - 1, number] if number > 1 else [1]
        assert sorted(int(p.stem.split("_")[2]) for p in out.glob("*.toc")) == kept
        assert litter(out, kept) == []


def test_an_open_searcher_keeps_reading_and_learns_of_the_new_generation(
    tmp_path: Path, out: Path
) -> None:
    """Across two publishes, the second of which deletes the files it reads."""
    from whoosh.index import open_dir
    from whoosh.query import Term

    built(tmp_path, out, "a", "b")
    index = open_dir(str(out))
    with index.searcher() as searcher:
        assert searcher.up_to_date()
        built(tmp_path, out, "c")
        built(tmp_path, out, "d")
        assert not searcher.up_to_date()
        assert {hit["id"] for hit in searcher.search(Term("text", "mug"))} == {"a", "b"}
    with index.searcher() as searcher:
        assert {hit["id"] for hit in searcher.search(Term("text", "mug"))} == {"d"}


def test_plain_whoosh_writers_go_on_working(tmp_path: Path, out: Path) -> None:
    """On top of our generation; the previous one's files go, as after any commit."""
    built(tmp_path, out, "a")
    built(tmp_path, out, "a", "b")
    stock_commit(out)
    assert sorted(ids_of(out)) == ["a", "b", "host"]
    assert [path.name for path in out.glob("*.toc")] == ["_MAIN_3.toc"]
    assert (out / "steadyrank-2.json").exists()  # Whoosh does not take it for its own


def test_what_others_wrote_is_replaced_only_when_told_to(tmp_path: Path, out: Path) -> None:
    """And stays for a rollback then."""
    built(tmp_path, out, "a")
    stock_commit(out)
    with pytest.raises(StaleGenerationError, match=r"written by others.*--replace") as caught:
        built(tmp_path, out, "b")
    assert caught.value.found == 2
    assert sorted(ids_of(out)) == ["a", "host"]
    report = built(tmp_path, out, "b", settings=FORCED)
    assert (report.generation, report.previous) == (3, None)
    assert "Generation 2 was written by others" in report.notes[0]
    assert ids_of(out) == ["b"]
    assert sorted(path.name for path in out.glob("*.toc")) == ["_MAIN_2.toc", "_MAIN_3.toc"]


def test_an_index_that_was_created_and_never_filled_is_taken_over(
    tmp_path: Path, out: Path
) -> None:
    """Nothing is lost by it."""
    from whoosh.fields import ID, Schema
    from whoosh.index import create_in

    out.mkdir()
    create_in(str(out), Schema(other=ID()))
    assert built(tmp_path, out, "a").generation == 1
    assert ids_of(out) == ["a"]


@pytest.mark.parametrize("force", [False, True])
def test_a_commit_during_the_build_stops_it(
    tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch, force: bool
) -> None:
    """The host's commit is live and stays so, unless the build was told to replace it."""
    built(tmp_path, out, "a")
    real = publish_module.write_lock

    def commit_first(*arguments: Any) -> Any:
        stock_commit(out)
        return real(*arguments)

    monkeypatch.setattr(publish_module, "write_lock", commit_first)
    if force:
        assert built(tmp_path, out, "b", settings=FORCED).generation == 3
        assert ids_of(out) == ["b"]
        return
    with pytest.raises(StaleGenerationError, match=r"was at generation 1 .* is at 2") as caught:
        built(tmp_path, out, "b")
    assert (caught.value.expected, caught.value.found) == (1, 2)
    assert sorted(ids_of(out)) == ["a", "host"]
    assert not list(tmp_path.glob(".store.idx*"))


def test_a_long_record_is_written_before_others_are_locked_out(
    tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A host's writer that comes meanwhile gets Whoosh's lock."""
    real = publish_module.write_manifest
    free = []

    def note(*arguments: Any) -> None:
        with write_lock(out, 0):
            free.append(True)
        real(*arguments)

    monkeypatch.setattr(publish_module, "write_manifest", note)
    built(tmp_path, out, "a")
    assert free == [True]


def test_an_index_made_anew_during_the_build_is_noticed(
    tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """create_in over a live index starts at generation 0 again and can reach the old number."""
    from whoosh.fields import ID, TEXT, Schema
    from whoosh.index import create_in

    built(tmp_path, out, "a")
    real = publish_module.write_lock

    def recreate(*arguments: Any) -> Any:
        create_in(str(out), Schema(id=ID(stored=True), text=TEXT))
        stock_commit(out)
        return real(*arguments)

    monkeypatch.setattr(publish_module, "write_lock", recreate)
    with pytest.raises(StaleGenerationError, match=r"was at generation 1 .* is at 1"):
        built(tmp_path, out, "b")
    assert ids_of(out) == ["host"]


def test_a_writer_at_work_is_waited_for_and_then_named(tmp_path: Path, out: Path) -> None:
    """LockedError, nothing changed, and no folder left beside."""
    from whoosh.index import open_dir

    built(tmp_path, out, "a")
    writer = open_dir(str(out)).writer()
    try:
        with pytest.raises(LockedError, match=r"A Whoosh writer holds .*--lock-timeout"):
            built(tmp_path, out, "b")
        assert not built(tmp_path, out, "a").published  # needs no lock
    finally:
        writer.cancel()
    assert ids_of(out) == ["a"]
    assert not list(tmp_path.glob(".store.idx*"))
    assert built(tmp_path, out, "b").generation == 2


def test_another_build_is_waited_for_and_then_named(tmp_path: Path, out: Path) -> None:
    """By the note that it left in the lock file."""
    with build_lock(out, 0), pytest.raises(LockedError, match="Another build holds") as caught:
        built(tmp_path, out, "b")
    assert f"process {os.getpid()} on " in caught.value.holder
    assert not out.exists()
    assert built(tmp_path, out, "b").published


def test_a_lock_file_without_a_holder_blocks_nobody(tmp_path: Path, out: Path) -> None:
    """A killed build leaves one, of any content."""
    out.mkdir()
    (out / "steadyrank.lock").write_bytes(b"")
    (out / "MAIN_WRITELOCK").write_bytes(b"")
    built(tmp_path, out, "a")
    assert litter(out, [1]) == []


def test_a_lock_file_that_went_away_while_waiting_is_no_lock(
    out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The build waited for removes its file; who has the lock of that file has nothing."""
    real = fcntl.flock
    gone: list[Path] = []

    def flock(descriptor: int, how: int) -> None:
        if not gone:
            gone.append(out / "steadyrank.lock")
            gone[0].unlink()
        real(descriptor, how)

    monkeypatch.setattr(fcntl, "flock", flock)
    with build_lock(out, 0):
        assert gone[0].exists()
        with pytest.raises(LockedError), build_lock(out, 0):
            pass


def test_a_build_that_publishes_nothing_tidies_up_too(tmp_path: Path, out: Path) -> None:
    """What a killed build or writer left, unless a writer is at work right now."""
    from whoosh.index import open_dir

    built(tmp_path, out, "a")
    left = ["MAIN_dead.seg", "_MAIN_2.toc.17.5", "steadyrank-2.json", ".steadyrank-incoming-x"]
    for name in left:
        (out / name).write_bytes(b"x")
    writer = open_dir(str(out)).writer()
    assert not built(tmp_path, out, "a").published
    assert all((out / name).exists() for name in left)
    writer.cancel()
    assert not built(tmp_path, out, "a").published
    assert litter(out, [1]) == []


def test_the_system_names_a_holder_that_left_no_note(out: Path) -> None:
    """Where it lists locks at all."""
    out.mkdir()
    with (out / "MAIN_WRITELOCK").open("wb") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(LockedError) as caught, write_lock(out, 0):
            pass
    if "process unknown" not in caught.value.holder:
        assert f"process {os.getpid()} on " in caught.value.holder


@pytest.mark.parametrize("damage", ["cut", "gone"])
def test_a_generation_without_a_sound_manifest_is_not_ours(
    tmp_path: Path, out: Path, damage: str
) -> None:
    """Told so, and replaced when told to."""
    built(tmp_path, out, "a")
    manifest = out / "steadyrank-1.json"
    if damage == "cut":
        manifest.write_bytes(manifest.read_bytes()[:-9])
    else:
        manifest.unlink()
    with pytest.raises((ManifestError, TargetError), match=r"--replace|--adopt"):
        built(tmp_path, out, "a")
    told = replace(FORCED, adopt=True)
    assert built(tmp_path, out, "a", settings=told).generation == 2


def test_a_folder_of_other_files_is_refused(tmp_path: Path, out: Path) -> None:
    """Named by mistake, it stays as it was."""
    out.mkdir()
    (out / "letter.txt").write_text("dear")
    with pytest.raises(TargetError, match=r"holds no index but other files \(letter.txt\)"):
        built(tmp_path, out, "a")
    assert [entry.name for entry in out.iterdir()] == ["letter.txt"]


def test_a_file_is_no_folder(tmp_path: Path, out: Path) -> None:
    """And is not overwritten."""
    out.write_text("mine")
    with pytest.raises(TargetError, match="is a file"):
        built(tmp_path, out, "a")
    assert out.read_text() == "mine"


def test_a_place_that_cannot_be_written_to_is_told_before_reading(
    tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not after half an hour of it; the sibling folder goes beside the index."""
    monkeypatch.setattr(os, "access", lambda path, _: path != out.parent)
    with pytest.raises(TargetError, match="cannot be written to"):
        built(tmp_path, out, "a")


def test_files_beside_an_index_stay(tmp_path: Path, out: Path) -> None:
    """A deployment may keep a note there."""
    built(tmp_path, out, "a")
    (out / "README").write_text("note")
    built(tmp_path, out, "b")
    assert litter(out, [1, 2]) == ["README"]


def test_a_link_to_the_folder_is_followed(tmp_path: Path, out: Path) -> None:
    """The sibling folder belongs beside the real one, which may be on another file system."""
    (tmp_path / "real").mkdir()
    out.symlink_to(tmp_path / "real", target_is_directory=True)
    built(tmp_path, out, "a")
    assert out.is_symlink()
    assert ids_of(tmp_path / "real") == ["a"]


def test_no_document_publishes_nothing(tmp_path: Path, out: Path) -> None:
    """An export that broke must not empty the live index."""
    built(tmp_path, out, "a")
    with pytest.raises(NothingToBuildError, match=r"no document to index.*1 rejected"):
        built(tmp_path, out)
    assert ids_of(out) == ["a"]


def test_a_failed_first_build_leaves_no_folder(tmp_path: Path, out: Path) -> None:
    """Neither the index's nor the sibling."""
    with pytest.raises(NothingToBuildError):
        built(tmp_path, out)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["m.jsonl"]


def test_index_and_rejects_inside_the_material_are_no_material(tmp_path: Path) -> None:
    """``build . --out ./store.idx --rejects ./rejects.jsonl``, twice."""
    shop = tmp_path / "shop"
    shop.mkdir()
    write_records(shop / "m.jsonl", [record("a"), record("a", "other")])
    settings = BuildSettings(rejects=shop / "rejects.jsonl")
    first = build([shop], shop / "store.idx", settings)
    second = build([shop], shop / "store.idx", settings)
    assert (first.documents, second.documents, second.published) == (1, 1, False)
    assert [account.path for account in second.sources] == [f"{shop}/m.jsonl"]
    assert "rejects.jsonl is the file for rejects" in second.notes[0]


def test_rejects_never_overwrite_material_that_is_named(tmp_path: Path, out: Path) -> None:
    """Mending rejects in place and building from them is one slip from losing them."""
    rejects = write_records(tmp_path / "r.jsonl", [record("a")])
    with pytest.raises(MaterialError, match="would overwrite it"):
        build([rejects], out, BuildSettings(rejects=rejects))
    assert rejects.read_text()


def test_a_mount_point_takes_copies(
    tmp_path: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rename across file systems fails, and the same steps are done with copies."""
    real = Path.rename

    def rename(self: Path, target: Path) -> Path:
        if self.parent != Path(target).parent:
            raise OSError(errno.EXDEV, "Invalid cross-device link")
        return real(self, target)

    monkeypatch.setattr(Path, "rename", rename)
    built(tmp_path, out, "a")
    built(tmp_path, out, "b")
    assert ids_of(out) == ["b"]
    assert litter(out, [1, 2]) == []


def test_the_order_of_the_arguments_changes_nothing(tmp_path: Path) -> None:
    """Same digest, documents, rejects and accounts, whatever order the files are named in."""
    paths = [
        write_records(tmp_path / "c.jsonl", [record("x", "one"), record("y"), record("z")]),
        write_records(tmp_path / "a.jsonl", [record("x", "two"), record("y")]),
        write_records(tmp_path / "b.jsonl", [record("w"), record("w", "again")]),
    ]
    forward = build(paths, tmp_path / "f.idx", QUICK)
    backward = build(paths[::-1], tmp_path / "b.idx", QUICK)
    assert forward.digest == backward.digest
    assert forward.rejects == backward.rejects
    assert forward.sources == backward.sources
    assert ids_of(tmp_path / "f.idx") == ids_of(tmp_path / "b.idx") == ["w", "y", "z"]
