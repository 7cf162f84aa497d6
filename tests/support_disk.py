"""A disk that loses power: which folders can be found after it, by what was synced and what not.

The model is that of POSIX. A file's content is on the disk once the file was synced; before that it
may be there, or nothing of it. A name comes and goes when its folder is synced; before that each
change of a name may have reached the disk or not, in any order, except that changes of one name
keep theirs.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class Name:
    """The folder's name ``name`` now leads to ``content``, or to nothing (None).

    ``synced`` says whether the content was on the disk before.
    """

    name: str
    content: bytes | None
    synced: bool = True


@dataclass(frozen=True)
class Sync:
    """The folder was synced."""


Step = Name | Sync


def recorded(folder: Path, work: Callable[[], object]) -> list[Step]:
    """Do ``work`` and note what it does to the names in ``folder``, in order.

    AssertionError where a file of an index is written to under its own name: no order of syncs
    could make that safe.
    """
    steps: list[Step] = []
    synced: set[int] = set()  # inodes
    real: dict[str, Any] = {
        name: getattr(os, name) for name in ("rename", "replace", "unlink", "remove", "fsync")
    }

    def renamed(how: str) -> Callable[..., None]:
        def call(source: Any, target: Any, **keywords: Any) -> None:
            source, target = Path(source), Path(target)
            if folder in (source.parent, target.parent):
                content, inode = source.read_bytes(), source.stat().st_ino
                if source.parent == folder:
                    steps.append(Name(source.name, None))
                steps.append(Name(target.name, content, inode in synced))
            real[how](source, target, **keywords)

        return call

    def removed(how: str) -> Callable[..., None]:
        def call(path: Any, **keywords: Any) -> None:
            real[how](path, **keywords)
            if keywords.get("dir_fd") is None and Path(path).parent == folder:
                steps.append(Name(Path(path).name, None))

        return call

    def sync(descriptor: int) -> None:
        real["fsync"](descriptor)
        inode = os.fstat(descriptor).st_ino
        synced.add(inode)
        if inode == folder.stat().st_ino:
            steps.append(Sync())

    before = {entry.name: entry.stat().st_mtime_ns for entry in folder.iterdir()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "rename", renamed("rename"))
        patch.setattr(os, "replace", renamed("replace"))
        patch.setattr(os, "unlink", removed("unlink"))
        patch.setattr(os, "remove", removed("remove"))
        patch.setattr(os, "fsync", sync)
        work()
    named = {step.name for step in steps if isinstance(step, Name)}
    for entry in folder.iterdir():
        if "lock" not in entry.name.lower() and entry.name not in named:
            assert before.get(entry.name) == entry.stat().st_mtime_ns, entry.name
    return steps


def after_power_cuts(
    before: dict[str, bytes], steps: list[Step]
) -> Iterator[tuple[int, dict[str, bytes]]]:
    """Every folder that a power cut can leave, with the number of steps that were made before it.

    A folder is given once for each number of steps.
    """
    for made in range(len(steps) + 1):
        seen = set()
        last = max((at for at in range(made) if isinstance(steps[at], Sync)), default=-1)
        certain = [step for step in steps[: last + 1] if isinstance(step, Name)]
        pending = [step for step in steps[last + 1 : made] if isinstance(step, Name)]
        for reached in product((True, False), repeat=len(pending)):
            chosen = [step for step, there in zip(pending, reached, strict=True) if there]
            loose = [step for step in (*certain, *chosen) if step.content and not step.synced]
            for lost in product((True, False), repeat=len(loose)):
                gone = {id(step) for step, empty in zip(loose, lost, strict=True) if empty}
                state = dict(before)
                for step in (*certain, *chosen):
                    if step.content is None:
                        state.pop(step.name, None)
                    else:
                        state[step.name] = b"" if id(step) in gone else step.content
                key = tuple(sorted((name, hash(content)) for name, content in state.items()))
                if key not in seen:
                    seen.add(key)
                    yield made, state
