"""Two sides, each an index or a saved run, brought to two runs and compared."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from steadyrank.errors import SteadyRankError
from steadyrank.measure import Drift, Run, drift_of
from steadyrank.measure.drift import Asked, Check
from steadyrank_builder.runs import Asker, Way, open_asker, read_questions, read_run

Questions = Sequence[tuple[int, str]]
Watch = Callable[[Questions], Iterable[tuple[int, str]]]


class ComparedError(SteadyRankError, ValueError):
    """Two sides that cannot be compared: one is not there, or nothing says what to ask."""


@dataclass(frozen=True, slots=True)
class Compared:
    """The drift, the two runs it is of, and questions of the file that no side was asked."""

    drift: Drift
    base: Run
    fresh: Run
    unasked: tuple[Asked, ...] = ()


@dataclass(frozen=True, slots=True)
class _Side:
    """An index that can be asked, or else the run that was saved."""

    asker: Asker | None
    run: Run | None


def compare_sides(
    base: Path,
    fresh: Path,
    way: Way | None = None,
    questions: Path | None = None,
    k: int | None = None,
    checks: Sequence[Check] = ("order",),
    watch: Watch = lambda questions: questions,
) -> Compared:
    """Compares two indexes (folders), two saved runs (files), or one of each.

    ``questions`` is a file; without one those of a saved run are asked. ``k``: how long an answer
    is (None: as the settings say, or as the saved run of the other side has it). ``watch`` is
    given what is asked of each index and passes it on.

    Raises ComparedError for a path with neither or for no questions, and what ``open_asker``,
    ``read_run`` and ``read_questions`` raise.
    """
    with contextlib.ExitStack() as stack:
        one, other = (_opened(path, way or Way(), stack) for path in (base, fresh))
        asked = _from_runs(one, other) if questions is None else read_questions(questions)
        old, new = _run(one, other, asked, k, watch), _run(other, one, asked, k, watch)
        drift = drift_of(
            old, new, _holds(one.asker, old, new), _holds(other.asker, new, old), checks
        )
    known = {ranking.question for run in (old, new) for ranking in run.rankings}
    unasked = tuple(Asked(number, text) for number, text in asked if text not in known)
    return Compared(drift, old, new, unasked)


def _opened(path: Path, way: Way, stack: contextlib.ExitStack) -> _Side:
    if path.is_dir():
        return _Side(stack.enter_context(contextlib.closing(open_asker(path, way))), None)
    if path.exists():
        return _Side(None, read_run(path))
    raise ComparedError(f"{path} is not there; give the folder of an index, or a saved run (JSON)")


def _from_runs(one: _Side, other: _Side) -> Questions:
    # All of both, the fresh one's first: a question that one side lacks is to be said, not left
    # out.
    runs = [side.run for side in (other, one) if side.run is not None]
    if not runs:
        raise ComparedError("nothing says what to ask of two indexes; give --questions FILE")
    texts: dict[str, int] = {}
    for ranking in (ranking for run in runs for ranking in run.rankings):
        texts.setdefault(ranking.question, ranking.number)
    return [(number, text) for text, number in texts.items()]


def _run(side: _Side, other: _Side, asked: Questions, k: int | None, watch: Watch) -> Run:
    if side.asker is None:
        assert side.run is not None
        wanted = {text for _, text in asked}
        kept = tuple(one for one in side.run.rankings if one.question in wanted)
        return replace(side.run, rankings=kept)
    lengths = {} if other.run is None else {one.question: one.k for one in other.run.rankings}
    rankings = tuple(
        side.asker.ask(number, text, k or lengths.get(text)) for number, text in watch(asked)
    )
    return Run(side.asker.origin(), rankings)


def _holds(asker: Asker | None, run: Run, other: Run) -> Mapping[str, str | None]:
    """What the index holds of the other side's answers, where its own run does not show it."""
    if asker is None:
        return {}
    shown = {entry.id for ranking in run.rankings for entry in ranking.known}
    wanted = sorted({id for ranking in other.rankings for id in ranking.ids} - shown)
    contents = asker.contents(wanted)
    return {id: contents.get(id) for id in wanted}
