"""Searches while the index changes: the first one after a commit, and beside a writer at work."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from whoosh import index

from race.asking import Worker, environment, workers
from race.corpus import Doc
from race.question import Question

ENGINES = ("whoosh", "steadyrank-host", "steadyrank-array")
BATCH = 100


def commit(folder: Path, docs: Sequence[Doc]) -> None:
    """One new segment with these documents, instead of those that have their ids."""
    writer = index.open_dir(str(folder)).writer()
    for doc in docs:
        writer.update_document(id=doc.id, kind=doc.kind, title=doc.title, text=doc.text)
    writer.commit(merge=False)


def after_commit(
    folder: Path, docs: list[Doc], questions: Sequence[Question], turns: int, scratch: Path
) -> dict[str, dict[str, list[float]]]:
    """Seconds of the first question after a commit, refresh included, by what was committed.

    Each turn has a copy of the index of its own, so that there is always one new segment, and a
    question of which all words were searched before the commit, or none.
    """
    found: dict[str, dict[str, list[float]]] = {}
    with workers(ENGINES, folder) as asked:
        for what in ("100 added", "100 saved again"):
            for known in (True, False):
                title = f"{what}, words searched before" if known else f"{what}, other words"
                found[title] = {name: [] for name in ENGINES}
                for turn in range(turns):
                    seconds = _turn(folder, docs, questions, turn, known, what, scratch, asked)
                    for name, value in seconds.items():
                        found[title][name].append(value)
    return found


def _turn(
    folder: Path,
    docs: list[Doc],
    questions: Sequence[Question],
    turn: int,
    known: bool,
    what: str,
    scratch: Path,
    asked: dict[str, Worker],
) -> dict[str, float]:
    question = questions[turn % len(questions)]
    others = [one for one in questions if one.words().isdisjoint(question.words())][:5]
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(folder / "whoosh", scratch / "whoosh")
    for worker in asked.values():
        worker.do("reopen", folder=str(scratch))
        before = [*others, question] if known else others
        worker.do("many", questions=[one.to_json() for one in before * 2])
    chosen = random.Random(turn).sample(docs, BATCH)
    if what == "100 added":
        chosen = [Doc(f"~{turn}-{doc.id}", doc.title, doc.text, doc.kind) for doc in chosen]
    commit(scratch / "whoosh", chosen)
    order = list(asked)
    random.Random(turn).shuffle(order)
    answers = {name: asked[name].do("refresh_ask", question=question.to_json()) for name in order}
    if answers["steadyrank-host"]["ids"] != answers["steadyrank-array"]["ids"]:
        raise SystemExit(f"host and array differ after a commit: {question}")
    return {name: answer["seconds"][0] for name, answer in answers.items()}


def beside_writer(
    folder: Path, questions: Sequence[Question], scratch: Path
) -> dict[str, list[float]]:
    """Seconds of each question, refresh included, while another process saves and commits."""
    shutil.rmtree(scratch, ignore_errors=True)
    shutil.copytree(folder / "whoosh", scratch / "whoosh")
    found: dict[str, list[float]] = {name: [] for name in ENGINES}
    with workers(ENGINES, scratch) as asked:
        for worker in asked.values():
            worker.do("many", questions=[one.to_json() for one in questions])
        writing = subprocess.Popen(
            [sys.executable, "-m", "race.writing", str(scratch / "whoosh")],
            env=environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )
        assert writing.stdin is not None and writing.stdout is not None
        writing.stdout.readline()  # it has committed once
        try:
            for number, question in enumerate(questions):
                order = list(asked)
                random.Random(number).shuffle(order)
                for name in order:
                    answer = asked[name].do("refresh_ask", question=question.to_json())
                    found[name].append(answer["seconds"][0])
        finally:
            writing.stdin.close()
            commits = len(writing.stdout.read().split()) + 1
            writing.wait()
            writing.stdout.close()
    print(f"the writer committed {commits} times", file=sys.stderr)
    return found
