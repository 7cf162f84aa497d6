"""What it takes to serve: starting, memory, several threads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from race.asking import Worker
from race.question import Question


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
    """Bytes of a process that has answered the questions while a second one of its kind did."""
    found = {}
    for name in names:
        with ExitStack() as stack:
            both = [Worker(name, folder) for _ in range(2)]
            for worker in both:
                stack.callback(worker.close)
                worker.do("many", questions=[question.to_json() for question in questions])
            found[name] = both[0].do("memory")
    return found


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
