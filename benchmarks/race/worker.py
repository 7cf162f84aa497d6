"""One engine in a process of its own: ``python -m race.worker ENGINE FOLDER``.

Reads one request a line as JSON and answers each with a line. Nothing of another engine is
loaded here, so that imports, memory and caches are this engine's alone.
"""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

began = time.thread_time(), time.monotonic()

from race.engines import engine_class  # noqa: E402
from race.question import Question  # noqa: E402


def memory() -> dict[str, int]:
    """Bytes of this process: resident, its share of what is shared, and its own alone."""
    rows = Path("/proc/self/smaps_rollup").read_text("utf-8").splitlines()[1:]
    sizes = {row.split(":")[0]: int(row.split()[1]) * 1024 for row in rows}
    return {
        "resident": sizes["Rss"],
        "share": sizes["Pss"],
        "private": sizes["Private_Clean"] + sizes["Private_Dirty"],
    }


class Serving:
    """The engine and what can be asked of it; each method is a request."""

    def __init__(self, name: str, folder: str) -> None:
        self.made = engine_class(name)
        imported = time.thread_time(), time.monotonic()
        self.folder = Path(folder)
        self.engine = self.made(self.folder)
        opened = time.thread_time(), time.monotonic()
        self.started = {
            "import": imported[0] - began[0],
            "import_wall": imported[1] - began[1],
            "open": opened[0] - imported[0],
            "open_wall": opened[1] - imported[1],
        }

    def ask(
        self, questions: list[dict[str, Any]], before: dict[str, Any] | None = None
    ) -> list[float | None]:
        """Seconds of this thread for each, one after another; None where the engine cannot.

        ``before`` is asked first and not measured, since the first one after a pause pays for
        the processor's own caches.
        """
        asked = [Question.from_json(question) for question in questions]
        if before is not None:
            self.many([before])
        found: list[float | None] = []
        for question in asked:
            try:
                start = time.thread_time()
                self.engine.top(question)
                found.append(time.thread_time() - start)
            except NotImplementedError:
                found.append(None)
        return found

    def ids(self, question: dict[str, Any]) -> list[str]:
        return self.engine.top(Question.from_json(question))

    def many(self, questions: list[dict[str, Any]]) -> None:
        """Asks without measuring."""
        for question in questions:
            with suppress(NotImplementedError):
                self.engine.top(Question.from_json(question))

    def scores(self, question: dict[str, Any]) -> list[str]:
        """The bits of the scores; only steadyrank's array call has them to give."""
        return [score.hex() for score in self.engine.scored(Question.from_json(question))[1]]

    def refresh_ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """The first question after a commit: seconds with the refresh in them."""
        asked = Question.from_json(question)
        start = time.thread_time()
        self.engine.refresh()
        ids = self.engine.top(asked)
        return {"seconds": [time.thread_time() - start], "ids": ids}

    def reopen(self, folder: str) -> None:
        """Another folder of the same kind; what was read of the last one is given up."""
        self.engine.close()
        self.engine = self.made(Path(folder))

    def threads(self, questions: list[dict[str, Any]], count: int) -> dict[str, float]:
        """All questions once by each thread: seconds a question of wall time and of processor."""
        asked = [Question.from_json(question) for question in questions]
        engines = [self.made(self.folder) for _ in range(count)]
        for engine in engines:
            for question in asked:
                engine.top(question)
        every = [_turned(asked, number) for number in range(count)]
        wall, spent = time.monotonic(), time.process_time()
        _together(
            [lambda e=engine, q=own: _all(e, q) for engine, own in zip(engines, every, strict=True)]
        )
        wall, spent = time.monotonic() - wall, time.process_time() - spent
        for engine in engines:
            engine.close()
        total = count * len(asked)
        return {"wall": wall / total, "processor": spent / total}

    def memory(self) -> dict[str, int]:
        return memory()


def _turned(asked: Sequence[Question], number: int) -> list[Question]:
    # Each thread starts elsewhere, as customers do.
    start = number * len(asked) // 8
    return [*asked[start:], *asked[:start]]


def _all(engine: Any, asked: Sequence[Question]) -> None:
    for question in asked:
        engine.top(question)


def _together(works: Sequence[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def main() -> None:
    serving = Serving(*sys.argv[1:])
    print(json.dumps(serving.started), flush=True)
    for line in sys.stdin:
        request = json.loads(line)
        try:
            answer = getattr(serving, request.pop("do"))(**request)
        except NotImplementedError as error:
            answer = {"cannot": str(error)}
        print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main()
