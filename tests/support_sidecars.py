"""Compiled files of every sort beside the segments that tests open.

STEADYRANK_SIDECARS=fitting, corrupted or foreign gives each segment on disk such a file before it
is read for the first time, so that any test can be run with it. Results must be the same.
"""

from __future__ import annotations

import json
import os
import random
import tempfile
import zlib
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

VARIABLE = "STEADYRANK_SIDECARS"
SORTS = ("fitting", "corrupted", "foreign")

# The field whose values a file has as those of few kinds; tests have another than stores.
KIND = "tag"

# How many segments got a file, for tests that ask whether any did.
given = 0


def install(sort: str, *, told: bool = True) -> None:
    """From now on a segment that is opened gets a file of this sort, once.

    Unless they are to be ``told``, there are no warnings about it.
    """
    from steadyrank.postings import kept
    from steadyrank.postings.compiled import opening
    from steadyrank.postings.compiled.writing import CompileError

    if sort not in SORTS:
        raise ValueError(f"{VARIABLE}={sort}: one of {', '.join(SORTS)}")
    if not told:
        opening.warn = kept.warn = lambda *_: None
    look = kept.Kept.arrays
    seen: set[Any] = set()

    def arrays(self: Any, reader: Any) -> Any:
        global given
        place = kept.place_of(reader)
        files = kept.files_of(reader)
        if place is not None and files is not None and files not in seen:
            seen.add(files)
            with suppress(CompileError):  # a writer has deleted the segment meanwhile
                give(sort, reader, Path(place[0]))
                given += 1
        return look(self, reader)

    kept.Kept.arrays = arrays  # type: ignore[method-assign]


def give(sort: str, reader: Any, folder: Path) -> Path:
    """Writes a file of this sort for a leaf reader's segment."""
    from steadyrank.postings.compiled.layout import arrays_name
    from steadyrank.postings.compiled.writing import write_arrays
    from steadyrank.postings.segment import Segment

    path = folder / arrays_name(str(reader.segment().segment_id()))
    if sort == "foreign":
        replace(path, renamed(another(), str(reader.segment().segment_id())))
        return path
    values = Segment(reader)
    write_arrays(reader, folder, values.source("id"), values.source(KIND))
    if sort == "corrupted":
        replace(path, damaged(path.read_bytes(), random.Random(path.name)))
    return path


def replace(path: Path, content: bytes) -> None:
    """Gives the file other content, and keeps its time of change, as damage does."""
    before = path.stat() if path.exists() else None
    draft = path.with_name(f"{path.name}.draft")
    draft.write_bytes(content)
    if before is not None:
        os.utime(draft, ns=(before.st_mtime_ns, before.st_mtime_ns))
    draft.replace(path)


def damaged(content: bytes, chance: random.Random) -> bytes:
    """The content with a bit in every few hundred bytes of its bodies turned over.

    Checksums and head are left, so that the damage is met where the bytes are used.
    """
    changed = bytearray(content)
    end = head_of(content)[1]
    for place in range(chance.randrange(min(300, end) or 1), end, 300):
        changed[place] ^= 1 << chance.randrange(8)
    return bytes(changed)


def head_of(content: bytes) -> tuple[dict[str, Any], int, int]:
    """The head of a file, where its bodies end, and where the head begins."""
    from steadyrank.postings.compiled.layout import TAIL, TAIL_SIZE

    _, end, count, _ = TAIL.unpack_from(content, len(content) - TAIL_SIZE)
    start = end + 4 * count
    return json.loads(content[start : len(content) - TAIL_SIZE]), end, start


def renamed(content: bytes, segment: str) -> bytes:
    """The file of another segment with this one's name in its head, and sums that fit."""
    head, _, _ = head_of(content)
    return with_head(content, {**head, "segment": segment})


def with_head(content: bytes, head: dict[str, Any], version: int | None = None) -> bytes:
    """The file with another head, and sums that fit."""
    from steadyrank.postings.compiled.layout import MAGIC, TAIL, TAIL_SIZE

    _, end, start = head_of(content)
    found, _, count, _ = TAIL.unpack_from(content, len(content) - TAIL_SIZE)
    index = content[end:start] + json.dumps(head, sort_keys=True).encode()
    tail = TAIL.pack(found if version is None else version, end, count, zlib.crc32(index))
    return content[:end] + index + tail + MAGIC


@cache
def another() -> bytes:
    """The compiled file of some segment that no test opens, with fields that tests have."""
    from steadyrank.postings.compiled.writing import write_arrays
    from steadyrank.postings.segment import Segment
    from support_layouts import Layout, corpus, write

    with tempfile.TemporaryDirectory() as name:
        reader = write(Path(name), corpus(99, 12), Layout()).reader()
        try:
            values = Segment(reader)
            written = write_arrays(reader, Path(name), values.source("id"), values.source(KIND))
            return written.read_bytes()
        finally:
            reader.close()
