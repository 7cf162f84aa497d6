"""Eight threads that search: while another process rebuilds, and through one shared searcher."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from whoosh import query as q

import steadyrank
from support_asked import asked
from support_builder import environment
from support_layouts import corpus
from support_machine import LAYOUTS, ranking, searching

pytestmark = pytest.mark.whoosh

THREADS = 8
REBUILDS = 20
RECORDS = 30

_BUILDER = """
import json, sys
from pathlib import Path
from steadyrank_builder.building import build
folder, material, first, last, records = sys.argv[1:]
for generation in range(int(first), int(last) + 1):
    with open(material, "w") as file:
        for number in range(int(records)):
            file.write(json.dumps({
                "id": f"r{number:02}", "kind": "product", "title": f"Mug {number % 3}",
                "text": f"steel mug marker{generation}x " + "word " * (generation % 4),
            }) + "\\n")
    report = build([Path(material)], Path(folder))
    assert report.published and report.documents == int(records), report
"""


def _build(folder: Path, material: Path, first: int, last: int) -> subprocess.Popen[bytes]:
    numbers = [str(first), str(last), str(RECORDS)]
    with material.with_suffix(".log").open("wb") as log:
        return subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", _BUILDER, str(folder), str(material), *numbers],
            env=environment(),
            stdout=log,
            stderr=log,
        )


def _in_threads(work: Callable[[int], None]) -> None:
    """Runs the work in eight threads at once; the first error of any is raised."""
    errors: list[BaseException] = []

    def guarded(number: int) -> None:
        try:
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=guarded, args=(number,)) for number in range(THREADS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise errors[0]


def test_every_answer_is_of_one_generation_while_the_index_is_rebuilt(tmp_path: Path) -> None:
    """Twenty rebuilds by another process: no error, no mixture, and the last one is reached."""
    folder, material = tmp_path / "store.idx", tmp_path / "store.jsonl"
    first = _build(folder, material, 0, 0)
    assert first.wait() == 0, material.with_suffix(".log").read_text()
    rebuilding = _build(folder, material, 1, REBUILDS)
    query = q.Or([q.Term("text", "mug"), q.Term("title", "mug")])
    seen: list[set[str]] = [set() for _ in range(THREADS)]

    def search(number: int) -> None:
        searcher = steadyrank.open_index(folder, gap=0.5 * (number % 2)).searcher()
        try:
            done = False
            while not done:
                done = rebuilding.poll() is not None
                if number % 4 == 3:  # opens anew instead
                    searcher.close()
                    searcher = steadyrank.open_index(folder).searcher()
                else:
                    searcher = searcher.refresh()
                results = searcher.search(query, limit=None)
                assert [hit["id"] for hit in results] == [f"r{n:02}" for n in range(RECORDS)]
                markers = {word for hit in results for word in hit["text"].split() if "x" in word}
                assert len(markers) == 1, markers
                assert len({hit.score for hit in results}) == 1
                seen[number] |= markers
        finally:
            searcher.close()

    _in_threads(search)
    assert rebuilding.wait() == 0, material.with_suffix(".log").read_text()
    assert all(f"marker{REBUILDS}x" in markers for markers in seen), "the last one was not seen"
    assert len(set().union(*seen)) > 5, "the searches did not run beside the rebuilds"


def test_threads_share_one_searcher(tmp_path: Path) -> None:
    """A cold searcher, asked by eight threads at once, answers each as if it were alone."""
    queries = asked(62, 9)
    ix = LAYOUTS["seven segments with deletions"](tmp_path, corpus(7, 80))
    with searching(ix) as searcher:
        alone = [ranking(searcher.search(query, limit=None)) for query in queries]
    answers: list[list[Any]] = [[] for _ in range(THREADS)]
    with searching(ix) as shared:

        def search(number: int) -> None:
            turned = queries[number * 7 :] + queries[: number * 7]
            answers[number] = [ranking(shared.search(query, limit=None)) for query in turned]

        _in_threads(search)
    for number, found in enumerate(answers):
        assert found == alone[number * 7 :] + alone[: number * 7]
