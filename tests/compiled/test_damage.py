"""A compiled file that is damaged, cut off, of another segment or of another version.

It never raises and never changes a result; it is warned of once, and compiling mends it.
"""

from __future__ import annotations

import os
import random
import shutil
import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from whoosh import index
from whoosh.query import Every

import steadyrank
from steadyrank.postings import IndexView
from steadyrank.postings.compiled import origin
from steadyrank.postings.compiled.checked import CheckedFile, UnfitError
from steadyrank.postings.compiled.layout import BLOCK, TAIL_SIZE, VERSION
from steadyrank.postings.compiled.opening import open_arrays
from support_compiled import everything, warned, without
from support_layouts import Layout, corpus, schema, write
from support_sidecars import damaged, head_of, renamed, replace, with_head

pytestmark = pytest.mark.whoosh


@pytest.fixture
def compiled(grown: Path) -> list[Path]:
    """The compiled files of an index."""
    steadyrank.compile_index(grown)
    return sorted(grown.glob("*.arrays"))


def test_one_bit_anywhere(grown: Path, compiled: list[Path]) -> None:
    """At fifty places of a file, some of them in each part. Reading all of it finds each."""
    expected = everything(without(grown))
    path = compiled[0]
    content = path.read_bytes()
    _, end, start = head_of(content)
    parts = [(0, end), (end, start), (start, len(content) - TAIL_SIZE)]
    parts.append((len(content) - TAIL_SIZE, len(content)))
    chance = random.Random(11)
    told = 0
    for number in range(48):
        changed = bytearray(content)
        changed[chance.randrange(*parts[number % 4])] ^= 1 << chance.randrange(8)
        replace(path, bytes(changed))
        with pytest.raises(UnfitError):
            CheckedFile(str(path)).check_all()
        found, messages = warned(grown)
        assert found == expected
        told += len(messages)
        assert all(path.name in message for message in messages)
    assert told == 48  # once each, and not for each term
    replace(path, content)
    assert warned(grown) == (expected, [])


def test_cut_off_anywhere(grown: Path, compiled: list[Path]) -> None:
    """At the borders of the parts, beside them, and between."""
    expected = everything(without(grown))
    path = compiled[-1]
    content = path.read_bytes()
    _, end, start = head_of(content)
    borders = [0, 1, end, start, len(content) - TAIL_SIZE, len(content)]
    for size in {place + step for place in borders for step in (-1, 0, 1)} | {end // 2, 8192}:
        if not 0 <= size < len(content):
            continue
        replace(path, content[:size])
        found, messages = warned(grown)
        assert found == expected
        assert len(messages) == 1
    replace(path, content + b"x")  # and one that has grown
    found, messages = warned(grown)
    assert (found, len(messages)) == (expected, 1)


def other_segment(path: Path, others: list[Path]) -> None:
    shutil.copy2(others[1], path)


def renamed_segment(path: Path, others: list[Path]) -> None:
    replace(path, renamed(others[1].read_bytes(), path.stem.removeprefix("steadyrank-")))


def newer_version(path: Path, _: list[Path]) -> None:
    content = path.read_bytes()
    replace(path, with_head(content, head_of(content)[0], version=VERSION + 1))


def headless(path: Path, _: list[Path]) -> None:
    replace(path, with_head(path.read_bytes(), {}))


def everywhere(path: Path, _: list[Path]) -> None:
    replace(path, damaged(path.read_bytes(), random.Random(1)))


def folder_instead(path: Path, _: list[Path]) -> None:
    path.unlink()
    path.mkdir()


def pipe_instead(path: Path, _: list[Path]) -> None:
    path.unlink()
    os.mkfifo(path)


def another_kind(path: Path, _: list[Path]) -> None:
    replace(path, os.urandom(20_000))


KINDS: list[Callable[[Path, list[Path]], None]] = [
    other_segment, renamed_segment, newer_version, headless, everywhere, folder_instead,
    pipe_instead, another_kind,
]  # fmt: skip


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_a_file_that_does_not_fit(
    grown: Path, compiled: list[Path], kind: Callable[[Path, list[Path]], None]
) -> None:
    """It is named once, with what to do; doing that mends it."""
    expected = everything(without(grown))
    kind(compiled[0], compiled)
    found, messages = warned(grown)
    assert found == expected
    assert len(messages) == 1
    assert str(compiled[0]) in messages[0]
    assert f"steadyrank compile {grown}" in messages[0]
    if kind is folder_instead:
        compiled[0].rmdir()
    done = steadyrank.compile_index(grown)
    assert [each.action for each in done.segments].count("compiled") == 1
    assert warned(grown) == (expected, [])


def test_cut_off_as_it_is_opened(compiled: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look at its size and the map."""
    look = os.fstat

    def cut(descriptor: int) -> os.stat_result:
        found = look(descriptor)
        os.truncate(compiled[0], 100)
        return found

    monkeypatch.setattr(os, "fstat", cut)
    with pytest.raises(UnfitError, match="too early"):
        CheckedFile(str(compiled[0]))


def test_a_missing_file_is_no_matter(grown: Path, compiled: list[Path]) -> None:
    """And the others are used."""
    expected = everything(without(grown))
    compiled[1].unlink()
    assert warned(grown) == (expected, [])


def test_places_outside_of_the_file(grown: Path, compiled: list[Path]) -> None:
    """Sums that fit a head that is wrong all the same."""
    expected = everything(without(grown))
    content = compiled[0].read_bytes()
    head = head_of(content)[0]
    head["fields"]["text"]["table"][0] = 1 << 40
    replace(compiled[0], with_head(content, head))
    found, messages = warned(grown)
    assert (found, len(messages)) == (expected, 1)


def test_damage_that_comes_while_it_is_open(tmp_path: Path) -> None:
    """Pages that were not used yet change under an open reader: it finds out at their first use."""
    write(tmp_path, corpus(3, 1500), Layout()).close()
    steadyrank.compile_index(tmp_path)
    (path,) = tmp_path.glob("*.arrays")
    expected = everything(without(tmp_path))
    ix = index.open_dir(str(tmp_path))
    reader = ix.reader()
    view = IndexView(reader)
    ((segment, _),) = view.segments
    assert view.postings("text", b"tent").coded is not None
    assert segment._arrays is not None
    unused = [n for n, unchecked in enumerate(segment._arrays._file._unchecked) if unchecked]
    assert len(unused) >= 3
    with path.open("r+b") as stream:  # the same file, as a failing disk has it
        for block in unused:
            stream.seek(block * BLOCK + 5)
            before = stream.read(1)
            stream.seek(-1, os.SEEK_CUR)
            stream.write(bytes([before[0] ^ 4]))
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for field, term in reader.all_terms():
            postings = view.postings(field, bytes(term))
            docs, weights, frequency, _ = expected[f"{field}:{bytes(term)!r}"]
            assert (postings.docs.tolist(), postings.weights.tolist()) == (docs, weights)
            assert view.doc_frequency(field, bytes(term)) == frequency
    assert len(told) == 1
    reader.close()


def test_another_index_in_its_place(tmp_path: Path) -> None:
    """A host that seeds its random numbers gives two indexes segments of the same names."""
    texts = []
    for seed in (1, 2):
        for path in tmp_path.iterdir():
            if path.suffix != ".arrays":
                path.unlink()
        random.seed(5)
        write(tmp_path, corpus(seed, 40), Layout(seed=1)).close()
        texts.append(everything(without(tmp_path)))
        found, messages = warned(tmp_path)
        assert found == texts[-1]
        assert len(messages) == (seed == 2)
        steadyrank.compile_index(tmp_path)
    assert texts[0] != texts[1]
    assert len(list(tmp_path.glob("*.arrays"))) == 1  # of one name, then


def test_other_content_of_the_same_size(tmp_path: Path) -> None:
    """In large files too, in the middle and with the same ends, unless the time is the same too."""
    path = tmp_path / "MAIN_x.seg"
    content = bytearray(random.Random(1).randbytes(3 << 20))
    path.write_bytes(content)
    known = origin.origin_of(str(tmp_path), "MAIN_x")
    changed = origin.changed_ns(str(tmp_path), "MAIN_x")
    for middle in (True, False):
        content[1 << 20 if middle else -1] ^= 1
        path.write_bytes(content)
        os.utime(path, ns=(changed, changed))
        assert origin.is_origin(str(tmp_path), "MAIN_x", known, changed) is middle
        assert not origin.is_origin(str(tmp_path), "MAIN_x", known, None)
        os.utime(path, ns=(changed, changed + 1))
        assert not origin.is_origin(str(tmp_path), "MAIN_x", known, changed)
        content[1 << 20 if middle else -1] ^= 1
    path.write_bytes(content)  # a copy that kept no times
    assert origin.is_origin(str(tmp_path), "MAIN_x", known, changed)
    (tmp_path / "MAIN_x.trm").touch()
    assert not origin.is_origin(str(tmp_path), "MAIN_x", known, changed)


def test_separate_files_count_as_well(tmp_path: Path) -> None:
    """A segment that is not packed into one file."""
    ix = index.create_in(str(tmp_path), schema())
    writer = ix.writer(compound=False)
    for record in corpus(1, 30):
        writer.add_document(**record.stored())
    writer.commit()
    ix.close()
    expected = everything(without(tmp_path))
    assert len(steadyrank.compile_index(tmp_path).segments) == 1
    assert warned(tmp_path) == (expected, [])
    (postings,) = tmp_path.glob("*.pst")
    content = bytearray(postings.read_bytes())
    content[-1] ^= 1
    (arrays,) = tmp_path.glob("*.arrays")
    postings.write_bytes(content)
    segment = arrays.stem.removeprefix("steadyrank-")
    known = head_of(arrays.read_bytes())[0]["origin"]
    assert not origin.is_origin(str(tmp_path), segment, known, None)


def test_a_segment_that_a_commit_took_away_is_none_that_changed(
    grown: Path, compiled: list[Path]
) -> None:
    """Readers that are open search on; there is nothing to compile, so nothing is said."""
    with steadyrank.open_index(grown).searcher() as searcher:
        expected = [(hit["id"], hit.score) for hit in searcher.search(Every("text"), limit=None)]
    with (
        warnings.catch_warnings(),
        steadyrank.open_index(grown).searcher() as searcher,
    ):
        warnings.simplefilter("error")
        for path in compiled:
            segment = path.stem.removeprefix("steadyrank-")
            for file in grown.glob(f"{segment}.*"):
                file.unlink()
            assert open_arrays(str(grown), segment) is None
        found = [(hit["id"], hit.score) for hit in searcher.search(Every("text"), limit=None)]
    assert found == expected


def test_a_segment_whose_files_go_one_by_one_is_none_that_changed(tmp_path: Path) -> None:
    """Only files that were not there are a change."""
    for name in ("SEG_1.a", "SEG_1.b"):
        (tmp_path / name).write_bytes(name.encode())
    made_of = origin.origin_of(str(tmp_path), "SEG_1")
    assert origin.is_origin(str(tmp_path), "SEG_1", made_of, None)
    (tmp_path / "SEG_1.c").write_bytes(b"more")
    assert not origin.is_origin(str(tmp_path), "SEG_1", made_of, None)
    for name in ("SEG_1.c", "SEG_1.b", "SEG_1.a"):
        (tmp_path / name).unlink()
        if name != "SEG_1.c":
            with pytest.raises(FileNotFoundError):
                origin.is_origin(str(tmp_path), "SEG_1", made_of, None)
