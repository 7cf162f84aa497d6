"""Workers from the outside: one process for each engine, asked in turns."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

from race.question import Question

# Engine -> the Python that runs it, where it is not this one.
PYTHONS: dict[str, str] = {}

_ROOT = Path(__file__).resolve().parents[2]


def environment() -> dict[str, str]:
    """That of a child process which finds race and steadyrank where this one does."""
    paths = [str(_ROOT / part) for part in ("benchmarks", "plugin", "index_builder")]
    return {**os.environ, "PYTHONPATH": os.pathsep.join(paths)}


class CannotError(Exception):
    """The engine has no way to say the question."""


class Worker:
    """An engine in a process of its own. ``started``: seconds of its import and its opening."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self._process = subprocess.Popen(
            [PYTHONS.get(name, sys.executable), "-m", "race.worker", name, str(folder)],
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.started: dict[str, float] = self._answer()

    def ask(self, questions: Sequence[Question], before: Question | None = None) -> list[float]:
        """Processor seconds of each, in one go; NaN where the engine has no way to say it."""
        seconds = self.do(
            "ask",
            questions=[question.to_json() for question in questions],
            before=None if before is None else before.to_json(),
        )
        return [math.nan if one is None else one for one in seconds]

    def ids(self, question: Question) -> list[str]:
        """The ids, or CannotError."""
        found: list[str] = self.do("ids", question=question.to_json())
        return found

    def do(self, request: str, **values: Any) -> Any:
        """Any request of race.worker.Serving."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"do": request, **values}) + "\n")
        self._process.stdin.flush()
        answer = self._answer()
        if isinstance(answer, dict) and "cannot" in answer:
            raise CannotError(f"{self.name}: {answer['cannot']}")
        return answer

    def close(self) -> None:
        assert self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.close()
        self._process.wait()
        self._process.stdout.close()

    def _answer(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise SystemExit(f"the process of {self.name} ended")
        return json.loads(line)


@contextmanager
def workers(names: Iterable[str], folder: Path) -> Iterator[dict[str, Worker]]:
    """A worker for each engine, closed at the end."""
    with ExitStack() as stack:
        found = {}
        for name in names:
            found[name] = Worker(name, folder)
            stack.callback(found[name].close)
        yield found
