"""Kills a command at its n-th change to the file system, and looks at what is left.

Run as a program: ``support_kill.py FOLDER COMMAND MOST``, with ``build-first``, ``build``,
``update``, ``rollback``, ``canonicalize`` or ``compile``. One process imports everything and forks
for each kill, so that hundreds of runs take seconds. Where the command makes more than MOST
changes, MOST of them are taken, evenly and with the last ones. Prints JSON: how many kills, which
generations were found live after them, and a list of what was wrong (empty when all is well).
"""

from __future__ import annotations

import builtins
import fcntl
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

from steadyrank.compiling import compile_index
from steadyrank_builder.building import BuildSettings, build, update
from steadyrank_builder.failures import NoIndexError
from steadyrank_builder.history import rollback
from steadyrank_builder.recasting import canonicalize
from steadyrank_builder.verification.verify import verify
from support_builder import ids_of, litter, record, write_records

# The calls by which files and folders come, go, are filled, locked and made durable.
_CALLS = (
    "rename", "replace", "fsync", "unlink", "remove", "rmdir", "mkdir", "ftruncate", "open", "write"
)  # fmt: skip

OLD = [record("a", "one"), record("b", "two")]
NEW = [record("a", "one"), record("c", "three")]
NEXT = [record("d", "four")]
_STATES = {("a", "b"): "old", ("a", "c"): "new", ("d",): "next"}


def die_at(count: int) -> Callable[[], int]:
    """From now on, kill this process instead of its ``count``-th change; how many there were."""
    made = 0

    def counted(real: Callable[..., Any], writes: Callable[..., bool]) -> Callable[..., Any]:
        def call(*arguments: Any, **keywords: Any) -> Any:
            nonlocal made
            if writes(*arguments, **keywords):
                made += 1
                if made == count:
                    os.kill(os.getpid(), signal.SIGKILL)
            return real(*arguments, **keywords)

        return call

    for name in _CALLS:
        setattr(os, name, counted(getattr(os, name), lambda *_, **__: True))
    fcntl.flock = counted(fcntl.flock, lambda *_, **__: True)  # type: ignore[assignment]

    def opens_to_write(_path: Any, mode: str = "r", *_: Any, **__: Any) -> bool:
        return any(letter in mode for letter in "wxa+")

    builtins.open = io.open = counted(builtins.open, opens_to_write)  # type: ignore[assignment]
    return lambda: made


def in_child(work: Callable[[], int]) -> tuple[int, int]:
    """Run ``work`` in a forked process; its exit status, negative for a signal, and its result."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        status = 1
        try:
            os.write(write, str(work()).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(write)
    result = os.read(read, 99)
    os.close(read)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), int(result or 0)


class Scene:
    """One command over a folder that is made anew for each kill."""

    def __init__(self, folder: Path, command: str) -> None:
        self.command = command
        self.out = folder / "out"
        self.before = folder / "before"
        self.after = write_records(folder / "next.jsonl", NEXT)
        self.new = write_records(folder / "new.jsonl", NEW)
        if command == "canonicalize":
            _foreign(self.before)
        elif command == "compile":
            build([write_records(self.new, OLD)], self.before, BuildSettings(compile=False))
        elif command != "build-first":
            # Two generations, so that one is swept and one can be rolled back to.
            first = NEW if command == "rollback" else NEXT
            for records in (first, OLD):
                build([write_records(self.new, records)], self.before, BuildSettings())
            write_records(self.new, NEW)

    def set(self) -> None:
        shutil.rmtree(self.out, ignore_errors=True)
        if self.before.exists():
            shutil.copytree(self.before, self.out)

    def act(self) -> None:
        if self.command == "rollback":
            rollback(self.out)
        elif self.command == "compile":
            compile_index(self.out)
        elif self.command == "canonicalize":
            canonicalize(self.out, id_field="id")
        else:
            (update if self.command == "update" else build)([self.new], self.out, BuildSettings())

    def state(self) -> str:
        try:
            outcome = verify(self.out)
        except NoIndexError:
            return "none"
        codes = {problem.code for problem in outcome.problems}
        if self.command == "canonicalize" and codes == {"written-by-others"}:
            return "old" if sorted(ids_of(self.out)) == ["a", "b"] else "mixed"
        if codes:
            return f"unsound: {outcome.problems}"
        if self.command == "compile":
            compiled = bool(list(self.out.glob("*.arrays")))
            return "mixed" if ids_of(self.out) != ["a", "b"] else "new" if compiled else "old"
        if self.command == "canonicalize":
            return "new" if ids_of(self.out) == ["a", "b"] else "mixed"
        return _STATES.get(tuple(ids_of(self.out)), "mixed")

    def left(self) -> list[str]:
        """What the next build leaves beside its own and the previous generation."""
        told = BuildSettings(force=True, adopt=True)
        report = build([self.after], self.out, told)
        if ids_of(self.out) != ["d"] or verify(self.out).problems:
            return ["the next build is not sound"]
        generation = report.generation
        return litter(self.out, [generation] if generation == 1 else [generation - 1, generation])


def _foreign(folder: Path) -> None:
    """An index of others: three segments, one document deleted."""
    from whoosh.fields import ID, TEXT, Schema
    from whoosh.index import create_in

    folder.mkdir()
    index = create_in(str(folder), Schema(id=ID(stored=True, unique=True), text=TEXT))
    for id_ in ("b", "gone", "a"):
        writer = index.writer()
        writer.add_document(id=id_, text=f"mug {id_}")
        writer.commit(merge=False)
    writer = index.writer()
    writer.delete_by_term("id", "gone")
    writer.commit(merge=False)


def kill_everywhere(scene: Scene, most: int) -> dict[str, Any]:
    """Run the command, killed at each of its changes, or at ``most`` of them."""
    live: Counter[str] = Counter()
    wrong: list[str] = []

    def work(count: int) -> int:
        changes = die_at(count)
        scene.act()
        return changes()

    scene.set()
    scene.act()  # what is imported late is imported now, and compiled
    scene.set()
    status, changes = in_child(lambda: work(-1))
    if status or scene.state() != "new":
        wrong.append(f"undisturbed it ended with {status} and {scene.state()}")
    most = min(most, changes)
    spread = (1 + number * changes // most for number in range(most))
    counts = sorted({*spread, *range(max(1, changes - 9), changes + 1)})
    for count in counts:
        scene.set()
        status, _ = in_child(lambda count=count: work(count))  # type: ignore[misc]
        if status != -signal.SIGKILL:
            wrong.append(f"{count}: ended with {status}")
        state = scene.state()
        live[state] += 1
        if state not in ("old", "new") and not (scene.command == "build-first" and state == "none"):
            wrong.append(f"{count}: {state}")
        if left := scene.left():
            wrong.append(f"{count}: next build left {left}")
    return {"changes": changes, "kills": len(counts), "live": dict(live), "wrong": wrong}


if __name__ == "__main__":
    place = Path(sys.argv[1])
    place.mkdir(exist_ok=True)
    print(json.dumps(kill_everywhere(Scene(place, sys.argv[2]), int(sys.argv[3]))))
