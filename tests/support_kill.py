"""Kills a build at its n-th change to the file system, for every n, and looks at what is left.

Run as a program: ``support_kill.py FOLDER``. One process imports everything and forks for each
kill, so that hundreds of builds take seconds. Prints JSON: how many kills, which generations
were found live after them, and a list of what was wrong (empty when all is well).
"""

from __future__ import annotations

import builtins
import io
import json
import os
import shutil
import signal
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

from steadyrank_builder.building import BuildSettings, build
from steadyrank_builder.failures import NoIndexError
from steadyrank_builder.verification.verify import verify
from support_builder import ids_of, litter, record, write_records

# The calls by which files and folders come, go and are made durable.
_CALLS = ("rename", "replace", "fsync", "unlink", "remove", "rmdir", "mkdir", "ftruncate")

OLD = [record("a", "one"), record("b", "two")]
NEW = [record("a", "one"), record("c", "three")]
NEXT = [record("d", "four")]


def die_at(count: int) -> None:
    """From now on, kill this process instead of its ``count``-th change."""
    left = count

    def counted(real: Callable[..., Any], writes: Callable[..., bool]) -> Callable[..., Any]:
        def call(*arguments: Any, **keywords: Any) -> Any:
            nonlocal left
            if writes(*arguments, **keywords):
                left -= 1
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **keywords)

        return call

    for name in _CALLS:
        setattr(os, name, counted(getattr(os, name), lambda *_, **__: True))

    def opens_to_write(_path: Any, mode: str = "r", *_: Any, **__: Any) -> bool:
        return any(letter in mode for letter in "wxa+")

    builtins.open = io.open = counted(builtins.open, opens_to_write)  # type: ignore[assignment]


def in_child(work: Callable[[], None]) -> int:
    """Run ``work`` in a forked process; its exit status, negative for a signal."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def kill_everywhere(folder: Path, before: Path | None) -> dict[str, Any]:
    """Build NEW over a copy of ``before`` (None: over nothing), killed at 1, 2, 3, ... changes."""
    new = write_records(folder / "new.jsonl", NEW)
    after = write_records(folder / "next.jsonl", NEXT)
    out = folder / "out"
    live: Counter[str] = Counter()
    wrong: list[str] = []
    count = 0
    while True:
        count += 1
        shutil.rmtree(out, ignore_errors=True)
        if before is not None:
            shutil.copytree(before, out)

        def work(count: int = count) -> None:
            die_at(count)
            build([new], out, BuildSettings())

        status = in_child(work)
        if status == 0:
            break
        if status != -signal.SIGKILL:
            wrong.append(f"{count}: ended with {status}")
        state = _state(out)
        live[state] += 1
        if state not in ("old", "new") and not (before is None and state == "none"):
            wrong.append(f"{count}: {state}")
        report = build([after], out, BuildSettings())
        left = litter(out, [report.generation - 1, report.generation][report.generation == 1 :])
        if ids_of(out) != ["d"] or verify(out).problems or left:
            wrong.append(f"{count}: next build left {left}")
    return {"kills": count - 1, "live": dict(live), "wrong": wrong}


def _state(out: Path) -> str:
    try:
        outcome = verify(out)
    except NoIndexError:
        return "none"
    if outcome.problems:
        return f"unsound: {outcome.problems}"
    return {("a", "b"): "old", ("a", "c"): "new"}.get(tuple(ids_of(out)), "mixed")


def main(folder: Path) -> None:
    before = folder / "before"
    for records in (NEXT, OLD):  # two generations, so that one is swept
        build([write_records(folder / "old.jsonl", records)], before, BuildSettings())
    first = kill_everywhere(folder, None)
    later = kill_everywhere(folder, before)
    print(json.dumps({"first": first, "later": later}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
