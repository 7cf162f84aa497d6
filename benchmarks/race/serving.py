"""What it takes to serve: starting, memory, several threads."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from race.asking import Worker, environment
from race.question import Question

# Processes of one kind beside each other, as a server has them.
WORKERS = 4


def starts(
    names: Iterable[str], folder: Path, question: Question, turns: int
) -> dict[str, list[dict[str, float]]]:
    """Seconds of import, opening and the first question in new processes, engines in turns."""
    found: dict[str, list[dict[str, float]]] = {name: [] for name in names}
    for _ in range(turns):
        for name, kept in found.items():
            worker = Worker(name, folder)
            seconds = worker.ask([question])[0]
            kept.append({**worker.started, "first": seconds})
            worker.close()
    return found


def memory(
    names: Iterable[str], folder: Path, questions: Sequence[Question]
) -> dict[str, dict[str, int]]:
    """Bytes of one of ``WORKERS`` processes that answered the questions, and of all together."""
    found = {}
    for name in names:
        with ExitStack() as stack:
            workers = [Worker(name, folder) for _ in range(WORKERS)]
            for worker in workers:
                stack.callback(worker.close)
                worker.do("many", questions=[question.to_json() for question in questions])
            held: list[dict[str, int]] = [worker.do("memory") for worker in workers]
            found[name] = {**held[0], "all": sum(one["share"] for one in held)}
    return found


def imports(turns: int) -> list[float]:
    """Processor seconds of ``import steadyrank`` in new processes."""
    command = "from time import process_time as t; s = t(); import steadyrank; print(t() - s)"
    started = [sys.executable, "-c", command]
    return [
        float(subprocess.check_output(started, env=environment(), text=True)) for _ in range(turns)
    ]


def threads(
    names: Iterable[str], folder: Path, questions: Sequence[Question], counts: Sequence[int]
) -> dict[str, dict[str, Any]]:
    """Seconds a question of wall time and of processor, by how many threads ask."""
    found: dict[str, dict[str, Any]] = {}
    for name in names:
        worker = Worker(name, folder)
        asked = [question.to_json() for question in questions]
        found[name] = {
            str(count): worker.do("threads", questions=asked, count=count) for count in counts
        }
        worker.close()
    return found
