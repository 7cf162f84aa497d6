"""What compiling writes, keeps and removes, and what it says."""

from __future__ import annotations

import fcntl
import json
import os
import resource
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from whoosh.filedb.filestore import RamStorage
from whoosh.index import FileIndex, open_dir

import steadyrank
from steadyrank import compiling
from steadyrank.index import NoIndexError
from steadyrank.postings.compiled.writing import CompileError
from steadyrank_builder.cli import main
from support_compiled import everything, rankings, warned, without
from support_layouts import Layout, Record, write

pytestmark = pytest.mark.whoosh


def actions(folder: Path) -> list[str]:
    return [each.action for each in steadyrank.compile_index(folder).segments]


def add(folder: Path, id_: str) -> None:
    writer = open_dir(str(folder)).writer()
    writer.add_document(**Record(id_, "tent", "tent stove", "sale", 3).stored())
    writer.commit(merge=False)


def test_only_new_segments_after_a_commit(grown: Path) -> None:
    """Whoosh's commit leaves the files alone, and one that merges leaves leftovers to remove."""
    assert actions(grown) == ["compiled"] * 3
    before = {path.name: path.stat().st_ino for path in grown.glob("*.arrays")}
    add(grown, "new")
    assert {path.name: path.stat().st_ino for path in grown.glob("*.arrays")} == before
    assert actions(grown) == ["kept"] * 3 + ["compiled"]
    open_dir(str(grown)).optimize()
    assert len(list(grown.glob("*.arrays"))) == 4
    done = steadyrank.compile_index(grown)
    assert [each.action for each in done.segments] == ["compiled"]
    assert len(done.removed) == 4
    assert len(list(grown.glob("*.arrays"))) == 1


def test_deleting_documents_keeps_the_file(grown: Path) -> None:
    """Which are deleted is not in it."""
    steadyrank.compile_index(grown)
    ix = open_dir(str(grown))
    writer = ix.writer()
    writer.delete_by_term("id", "r0003")
    writer.commit(merge=False)
    assert set(actions(grown)) == {"kept"}
    assert warned(grown) == (everything(without(grown)), [])


def test_the_same_segment_gives_the_same_bytes(grown: Path) -> None:
    """Whenever and wherever it is compiled, so that a recorded hash fits again."""
    copy = grown.with_name("copy")
    shutil.copytree(grown, copy)
    contents = []
    for folder in (grown, copy):
        steadyrank.compile_index(folder)
        contents.append({path.name: path.read_bytes() for path in folder.glob("*.arrays")})
    assert contents[0] == contents[1]


def test_a_copy_without_its_times(grown: Path) -> None:
    """It is used as it is; compiling gives it times by which it is known sooner."""
    steadyrank.compile_index(grown)
    copy = grown.with_name("copy")
    copy.mkdir()
    for path in grown.iterdir():
        (copy / path.name).write_bytes(path.read_bytes())
    assert warned(copy) == (everything(without(grown)), [])
    assert set(actions(copy)) == {"kept"}
    for path in copy.glob("*.arrays"):
        segment = copy / f"{path.stem.removeprefix('steadyrank-')}.seg"
        assert path.stat().st_mtime_ns == segment.stat().st_mtime_ns


def test_a_reader_stays_open_while_the_file_is_replaced(grown: Path) -> None:
    """What is mapped stays mapped, also when the segment itself goes."""
    steadyrank.compile_index(grown)
    expected = rankings(grown)
    index = steadyrank.open_index(grown, id_field="id")
    from whoosh.qparser import MultifieldParser

    parser = MultifieldParser(["title", "text"], index.schema)
    with index.searcher() as searcher:
        assert [hit["id"] for hit in searcher.search(parser.parse("tent"))]
        for path in grown.glob("*.arrays"):
            path.unlink()
        assert actions(grown) == ["compiled"] * 3
        open_dir(str(grown)).optimize()
        steadyrank.compile_index(grown)
        from support_compiled import QUESTIONS
        from support_layouts import WORDS

        again = [
            [
                (hit["id"], float(hit.score).hex())
                for hit in searcher.search(parser.parse(question), limit=25)
            ]
            for question in [*QUESTIONS, *WORDS[:5]]
        ]
    assert again == expected == rankings(grown)


def test_a_file_that_comes_later_is_used_by_later_readers(grown: Path) -> None:
    """Of the same process, which has read the segments without it."""
    index = steadyrank.open_index(grown, id_field="id")
    from steadyrank.postings import IndexView

    for compiled in (False, True):
        reader = index.reader()
        view = IndexView(reader)
        assert (view.postings("text", b"tent").coded is not None) is compiled
        steadyrank.compile_index(grown)
    assert {seg._arrays is not None for seg, _ in view.segments} == {True}


def test_leftovers_of_dead_writers(grown: Path) -> None:
    """A draft goes when its writer is dead, and stays while it lives."""
    steadyrank.compile_index(grown)
    dead = grown / f"steadyrank-MAIN_dead.arrays.{'0' * 16}"
    alive = grown / f"steadyrank-MAIN_alive.arrays.{'1' * 16}"
    gone = grown / "steadyrank-MAIN_gone.arrays"
    foreign = grown / "steadyrank-notes.arrays.txt"
    for path in (dead, alive, gone, foreign):
        path.write_bytes(b"x")
    with alive.open("rb") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        assert steadyrank.compile_index(grown).removed == (dead.name, gone.name)
    assert alive.exists()
    assert foreign.exists()


def test_an_empty_index_and_none(tmp_path: Path) -> None:
    write(tmp_path, [], Layout()).close()
    assert steadyrank.compile_index(tmp_path).segments == ()
    with pytest.raises(NoIndexError, match="no Whoosh index"):
        steadyrank.compile_index(tmp_path / "nowhere")


def test_an_index_in_memory_has_no_folder(grown: Path) -> None:
    """It is searched as ever, and a copy of the file in its storage does not matter."""
    steadyrank.compile_index(grown)
    from whoosh.filedb.filestore import copy_to_ram

    memory = copy_to_ram(open_dir(str(grown)).storage).open_index()
    assert isinstance(memory.storage, RamStorage)
    with pytest.raises(CompileError, match="in memory"):
        steadyrank.compile_index(memory)
    with steadyrank.stabilize(memory, id_field="id").searcher() as searcher:
        from whoosh.query import Term

        assert len(searcher.search(Term("text", "tent")))


def test_where_nothing_can_be_written(grown: Path) -> None:
    """A full disk, as this process sees it: a sentence, no draft left, and searching goes on."""
    expected = everything(grown)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        with pytest.raises(CompileError, match="cannot be written"):
            steadyrank.compile_index(grown)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not list(grown.glob("*.arrays*"))
    assert warned(grown) == (expected, [])


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_to(grown: Path) -> None:
    grown.chmod(0o555)
    try:
        with pytest.raises(CompileError, match="cannot be written"):
            steadyrank.compile_index(grown)
    finally:
        grown.chmod(0o755)


def test_a_damaged_segment_is_an_error(grown: Path) -> None:
    """It names the segment, and leaves no file."""
    path = max(grown.glob("*.seg"), key=lambda path: path.stat().st_size)
    content = path.read_bytes().replace(b"W3Bl", b"W3xx")  # how each list begins
    path.write_bytes(content)
    with pytest.raises(CompileError, match="cannot be read") as caught:
        steadyrank.compile_index(grown)
    assert caught.value.segment == path.stem
    assert not list(grown.glob(f"steadyrank-{path.stem}.arrays*"))


def test_the_command(grown: Path) -> None:
    """One line for each segment, or one JSON object."""
    run = CliRunner()
    first = run.invoke(main, ["compile", str(grown)])
    assert first.exit_code == 0, first.output
    lines = first.output.splitlines()
    assert len(lines) == 3
    assert all(line.startswith("compiled ") for line in lines)
    (grown / "steadyrank-MAIN_gone.arrays").touch()
    second = run.invoke(main, ["compile", str(grown), "--json"])
    told = json.loads(second.output)
    assert [each["action"] for each in told["segments"]] == ["kept"] * 3
    assert told["removed"] == ["steadyrank-MAIN_gone.arrays"]
    assert {each["segment_size"] > each["size"] > 0 for each in told["segments"]} == {True}
    assert run.invoke(main, ["compile", str(grown), "--quiet"]).output == ""
    missing = run.invoke(main, ["compile", str(grown / "none")])
    assert missing.exit_code == 2
    assert "no Whoosh index here" in missing.output


def test_a_commit_while_an_index_is_compiled(grown: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It takes the latest generation away as it is opened, or a segment that is done already."""

    class Interrupted(FileIndex):
        attempts = 0

        def _read_toc(self) -> Any:
            self.attempts += 1
            if self.attempts == 1:
                raise FileNotFoundError(self.storage.folder)
            return super()._read_toc()

    opened = open_dir(str(grown))
    done = steadyrank.compile_index(Interrupted(opened.storage, indexname=opened.indexname))
    sizes = [each.segment_size for each in done.segments]
    assert len(sizes) == 3
    listed = compiling.files_of
    monkeypatch.setattr(
        compiling, "files_of", lambda *place: [*listed(*place), "gone a moment ago"]
    )
    assert [each.segment_size for each in steadyrank.compile_index(grown).segments] == sizes
