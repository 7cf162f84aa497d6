"""A power cut at any moment of a publish leaves a generation that verifies, the old or the new.

Every change of a name is recorded, and replayed with every prefix, and with every choice of what
had reached the disk that the syncs leave open.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from steadyrank.compiling import compile_index
from steadyrank_builder.building import BuildSettings, build, update
from steadyrank_builder.history import rollback
from steadyrank_builder.publishing import durable
from steadyrank_builder.publishing import publish as publishing
from steadyrank_builder.recasting import canonicalize
from steadyrank_builder.verification.verify import verify
from support_builder import ids_of, record, write_records
from support_disk import Name, after_power_cuts, recorded

pytestmark = pytest.mark.whoosh


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """Two generations, of a and of b."""
    folder = tmp_path / "store.idx"
    for id_ in "ab":
        build([write_records(tmp_path / "m.jsonl", [record(id_)])], folder)
    return folder


def a_build(folder: Path) -> None:
    build([write_records(folder.parent / "m.jsonl", [record("c"), record("d")])], folder)


def an_update(folder: Path) -> None:
    update([write_records(folder.parent / "n.jsonl", [record("c"), record("d")])], folder)


def of_sources_only(folder: Path) -> None:
    """The same documents from elsewhere: the segment stays, record and archive change."""
    build([write_records(folder.parent / "n.jsonl", [record("b")])], folder)


COMMANDS: dict[str, tuple[Callable[[Path], object], list[str]]] = {
    "build": (a_build, ["c", "d"]),
    "update": (an_update, ["b", "c", "d"]),
    "sources": (of_sources_only, ["b"]),
    "rollback": (rollback, ["a"]),
}


def states_after(
    folder: Path,
    work: Callable[[Path], object],
    *,
    least: int = 5,
    theirs: bool = False,
    until_wrong: bool = False,
) -> dict[str, int]:
    """How often each outcome was found: the ids of a sound index, or what is wrong with it.

    ``least`` is how many names the work changes at least, ``theirs`` says that others wrote what
    was there before.
    """
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    steps = recorded(folder, lambda: work(folder))
    assert sum(isinstance(step, Name) for step in steps) >= least
    found: dict[str, int] = {}
    place = folder.with_name("after")
    for made, state in after_power_cuts(before, steps):
        place.mkdir()
        for name, content in state.items():
            (place / name).write_bytes(content)
        problems = verify(place).problems
        if theirs and [problem.code for problem in problems] == ["written-by-others"]:
            problems, outcome = (), f"of others: {','.join(ids_of(place))}"
        else:
            outcome = f"{problems[0].code} after {made}" if problems else ",".join(ids_of(place))
        found[outcome] = found.get(outcome, 0) + 1
        shutil.rmtree(place)
        if problems and until_wrong:
            break
    return found


@pytest.mark.parametrize("command", COMMANDS)
def test_a_power_cut_leaves_the_old_or_the_new(out: Path, command: str) -> None:
    """Both are found, and many times, which is what gives the test its meaning."""
    work, ids = COMMANDS[command]
    found = states_after(out, work)
    assert set(found) == {"b", ",".join(ids)}
    assert sum(found.values()) >= 15
    assert ids_of(out) == ids


def test_a_power_cut_while_another_index_is_put_in_order(tmp_path: Path) -> None:
    """With a compiled file beside each of its segments."""
    from whoosh.fields import ID, Schema
    from whoosh.index import create_in

    folder = tmp_path / "theirs"
    folder.mkdir()
    index = create_in(str(folder), Schema(id=ID(stored=True)))
    for id_ in "ba":
        writer = index.writer()
        writer.add_document(id=id_)
        writer.commit(merge=False)
    compile_index(folder)
    found = states_after(folder, lambda place: canonicalize(place, id_field="id"), theirs=True)
    assert set(found) == {"of others: b,a", "a,b"}
    assert len(list(folder.glob("*.arrays"))) == 3


@pytest.mark.parametrize("way", ["compile", "update"])
def test_a_power_cut_while_the_live_index_is_compiled(tmp_path: Path, way: str) -> None:
    """What is there is sound with the compiled file and without it."""
    out = tmp_path / "store.idx"
    material = write_records(tmp_path / "m.jsonl", [record("b")])
    build([material], out, BuildSettings(compile=False))
    work = compile_index if way == "compile" else lambda place: update([material], place)
    found = states_after(out, work, least=2)
    assert set(found) == {"b"}
    assert len(list(out.glob("*.arrays"))) == 1


@pytest.mark.parametrize("forgotten", ["folder", "files", "order"])
def test_a_publish_that_forgets_a_step_is_found_out(
    out: Path, monkeypatch: pytest.MonkeyPatch, forgotten: str
) -> None:
    """The model can fail: without the sync of the folder, that of the files, or the order."""
    if forgotten == "folder":
        monkeypatch.setattr(publishing, "sync_folder", lambda _: None)
    elif forgotten == "files":
        from steadyrank_builder.building import staging

        for module in (publishing, staging):
            monkeypatch.setattr(module, "sync_file", lambda _: None)
    else:
        real, waiting = durable.move_in, []

        def toc_first(source: Path, target: Path) -> None:
            if target.name.endswith(".toc"):
                real(source, target)
                for each in waiting:
                    real(*each)
            else:
                waiting.append((source, target))

        monkeypatch.setattr(publishing, "move_in", toc_first)
    found = states_after(out, a_build, until_wrong=True)
    assert not set(found) <= {"b", "c,d"}
