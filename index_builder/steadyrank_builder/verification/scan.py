"""The pickles of a generation's files against the allow-list, none of them executed."""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from steadyrank_builder.verification.allowed import forbidden_names
from steadyrank_builder.verification.contained import in_members
from steadyrank_builder.verification.locating import (
    Located,
    UnreadableError,
    in_segment,
    in_toc,
)
from steadyrank_builder.verification.problems import Problem


def scan_toc(path: Path, own: Collection[str] = ()) -> list[Problem]:
    """What opening the index would unpickle from its TOC and must not. ``own`` it may."""
    return _scan(path, lambda data: in_toc(bytes(data)), own)


def scan_segment(path: Path, count: int, own: Collection[str] = ()) -> list[Problem]:
    """The same for a compound segment file of ``count`` documents, and what a search reads."""
    problems = _scan(path, in_segment, own)
    if problems:
        return problems
    try:
        unsafe = in_members(_mapped(path), count, own)
    except UnreadableError as error:
        return [_unreadable(path, error)]
    return [_unsafe(path, what, [name]) for what, name in unsafe]


def _scan(
    path: Path, locate: Callable[[memoryview], Iterator[Located]], own: Collection[str]
) -> list[Problem]:
    problems = []
    try:
        for what, data in locate(_mapped(path)):
            names = _all_names(data, own)
            if names:
                problems.append(_unsafe(path, what, names))
    except (UnreadableError, ValueError) as error:
        problems.append(_unreadable(path, error))
    return problems


def _mapped(path: Path) -> memoryview:
    """The file's bytes, of which the system keeps in memory what it can spare room for."""
    with path.open("rb") as stream:
        if not os.fstat(stream.fileno()).st_size:
            return memoryview(b"")
        return memoryview(mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ))


def _all_names(data: bytes, own: Collection[str]) -> list[str]:
    """The forbidden names of all pickles that follow each other in ``data``."""
    names: list[str] = []
    while data:
        found, end = forbidden_names(data, own)
        names += found
        data = data[end:]
    return names


def _unsafe(path: Path, what: str, names: list[str]) -> Problem:
    return Problem(
        "unsafe-pickle",
        path.name,
        f"The {what} in {path.name} would call {', '.join(sorted(set(names)))}, which is not on "
        "the list of what an index needs. Do not open this index; publish it again from its "
        "material. (An index with analyzers of your own shows this too: if these are yours, vouch "
        "for each with --allow-class MODULE.CLASS.)",
    )


def _unreadable(path: Path, error: Exception) -> Problem:
    return Problem("unreadable", path.name, f"{path.name} cannot be read as an index file: {error}")
