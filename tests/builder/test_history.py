"""What list shows and rollback does, and what a rollback refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from steadyrank_builder.building import BuildSettings, build, update
from steadyrank_builder.cli import main
from steadyrank_builder.failures import LockedError, NoIndexError, RollbackError
from steadyrank_builder.history import generations, rollback
from steadyrank_builder.publishing.locks import build_lock
from steadyrank_builder.verification.verify import verify
from support_builder import ids_of, litter, record, write_records

pytestmark = pytest.mark.whoosh


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Generation 1 has a and b, generation 2 has c."""
    folder = tmp_path / "store.idx"
    for ids in ("ab", "c"):
        build([write_records(tmp_path / "m.jsonl", [record(id_) for id_ in ids])], folder)
    return folder


def test_a_rollback_publishes_the_generation_before(out: Path) -> None:
    """As the next one, with the same segment; twice is forth again."""
    first, second = generations(out)
    assert (first.live, first.rollback, second.live, second.rollback) == (False, True, True, False)
    done = rollback(out)
    assert (done.generation, done.restores, done.left, done.documents) == (3, 1, 2, 2)
    assert done.digest == first.digest
    assert ids_of(out) == ["a", "b"]
    assert verify(out).problems == ()
    assert litter(out, [2, 3]) == []
    assert [each.restores for each in generations(out)] == [0, 1]
    rollback(out)
    assert ids_of(out) == ["c"]
    assert litter(out, [3, 4]) == []


def test_an_open_searcher_sees_a_rollback_as_any_commit(out: Path) -> None:
    """It goes on reading what it has, and the index opened anew has the other.

    (Not by the searcher's own refresh, which on the forks gives replaced documents too.)
    """
    from whoosh.index import open_dir

    index = open_dir(str(out))
    searcher = index.searcher()
    rollback(out)
    assert not searcher.up_to_date()
    assert [fields["id"] for fields in searcher.reader().all_stored_fields()] == ["c"]
    searcher.close()
    with index.refresh().searcher() as fresh:
        assert [fields["id"] for fields in fresh.reader().all_stored_fields()] == ["a", "b"]


def test_updates_go_on_from_what_was_restored(tmp_path: Path, out: Path) -> None:
    """With its own archive of records."""
    rollback(out)
    more = write_records(tmp_path / "n.jsonl", [record("n")])
    update([more], out)
    assert ids_of(out) == ["a", "b", "n"]
    assert verify(out).problems == ()
    assert litter(out, [3, 4]) == []


def test_a_damaged_generation_is_not_restored(out: Path) -> None:
    """Its files are hashed before anything is published."""
    (segment,) = [out / name for name in _files(out, 1) if name.endswith(".seg")]
    segment.write_bytes(segment.read_bytes()[:-1] + b"?")
    with pytest.raises(RollbackError, match=f"{segment.name} has the size it was written with"):
        rollback(out)
    segment.unlink()
    assert [each.rollback for each in generations(out)] == [False, False]
    with pytest.raises(RollbackError, match="is missing"):
        rollback(out)
    assert ids_of(out) == ["c"]
    assert [each.number for each in generations(out)] == [1, 2]


def _files(out: Path, generation: int) -> list[str]:
    from steadyrank_builder.manifest import read_manifest

    return list(read_manifest(out / f"steadyrank-{generation}.json").files)


def test_without_a_generation_before_there_is_no_rollback(tmp_path: Path, out: Path) -> None:
    """A host's commit deletes the ones before it."""
    from whoosh.index import open_dir

    writer = open_dir(str(out)).writer()
    writer.add_document(id="host")
    writer.commit()
    with pytest.raises(RollbackError, match="one generation only"):
        rollback(out)
    with pytest.raises(NoIndexError):
        rollback(tmp_path)
    assert [entry.name for entry in tmp_path.iterdir() if "lock" in entry.name] == []


def test_what_others_wrote_comes_back_unrecorded(tmp_path: Path, out: Path) -> None:
    """A build that replaced it was told to, and can be taken back."""
    from whoosh.index import open_dir

    writer = open_dir(str(out)).writer()
    writer.add_document(id="host")
    writer.commit()
    material = write_records(tmp_path / "m.jsonl", [record("x")])
    build([material], out, BuildSettings(force=True))
    assert [each.documents for each in generations(out)] == [2, 1]
    done = rollback(out)
    assert "written by others" in done.notes[0]
    assert sorted(ids_of(out)) == ["c", "host"]
    (problem,) = verify(out).problems
    assert problem.code == "written-by-others"
    assert f"generation {done.left} to roll back to" in problem.message
    with pytest.raises(Exception, match="written by others"):
        build([material], out)


def test_a_build_at_work_is_named_with_its_age(out: Path) -> None:
    """Also to a rollback."""
    with build_lock(out, 0, "update"), pytest.raises(LockedError, match=r"update for \d+ s since"):
        rollback(out, lock_timeout=0)


def test_the_commands_print_the_same(out: Path) -> None:
    """Sorted JSON; text with the state of each."""
    listed = json.loads(run("list", out, "--json").stdout)
    assert [each["generation"] for each in listed["generations"]] == [1, 2]
    assert [each["live"] for each in listed["generations"]] == [False, True]
    lines = run("list", out).stdout.splitlines()
    assert "rollback" in lines[0]
    assert "live" in lines[1]
    done = run("rollback", out, "--json")
    assert list(json.loads(done.stdout)) == sorted(json.loads(done.stdout))
    assert json.loads(done.stdout)["restores"] == 1
    assert run("rollback", out.parent).exit_code == 2
