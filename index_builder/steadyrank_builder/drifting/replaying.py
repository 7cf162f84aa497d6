"""Logged answers asked again, or held against each other."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from steadyrank.answering import Settings, open_store
from steadyrank_builder.drifting.log import Logged, ReadLog, read_answers
from steadyrank_builder.drifting.verdicts import Replay, Replayed, judged

Watch = Callable[[Sequence[Logged]], Iterable[Logged]]


def replay_log(
    path: Path,
    indexes: Sequence[Path] = (),
    settings: Settings | None = None,
    watch: Watch = lambda answers: answers,
) -> Replay:
    """Every answer of a log asked again on each index, under ``settings``.

    A log keeps hashes of settings and not the settings: give those it was written under, or every
    answer differs in them too. Without an index each answer is held against the one before it to
    the same question. Raises LogError for a log without answers, and what ``open_store`` raises.
    """
    log = read_answers(path)
    if not indexes:
        return _among_themselves(path, log)
    answers: list[Replayed] = []
    for folder in indexes:
        with open_store(folder, settings) as store:
            for logged in watch(log.answers):
                answer = store.answer(logged.question)
                pieces = tuple((piece.id, piece.score) for piece in answer.pieces)
                fresh = Logged(0, logged.question, answer.fingerprint, pieces)
                answers.append(judged(logged, fresh, str(folder)))
    return Replay(
        log=str(path),
        asked=tuple(map(str, indexes)),
        logged=len(log.answers),
        answers=tuple(answers),
        malformed=log.malformed,
    )


def _among_themselves(path: Path, log: ReadLog) -> Replay:
    latest: dict[str, Logged] = {}
    answers: list[Replayed] = []
    held: set[int] = set()
    for logged in log.answers:
        before = latest.get(logged.question)
        if before is not None:
            answers.append(judged(before, logged))
            held |= {before.line, logged.line}
        latest[logged.question] = logged
    return Replay(
        log=str(path),
        asked=(),
        logged=len(log.answers),
        answers=tuple(answers),
        malformed=log.malformed,
        alone=tuple(logged.line for logged in log.answers if logged.line not in held),
        why=""
        if answers
        else "no question is in the log twice; give --index DIR to ask them again",
    )
