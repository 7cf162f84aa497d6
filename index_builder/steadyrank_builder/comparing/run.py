"""The whole comparison, from indexes and a golden file to what it shows."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from steadyrank.errors import SteadyRankError
from steadyrank.measure import Case, Run
from steadyrank.measure.compared import Compared, Comparison, Side
from steadyrank.measure.compared_words import merge_order, sentences
from steadyrank.measure.comparing import Values, compared, values_of
from steadyrank_builder.comparing.given import Given
from steadyrank_builder.evaluation import Asked, ask_golden
from steadyrank_builder.evaluation.measures import measured
from steadyrank_builder.runs import Way

Progress = Callable[[Sequence[Case]], "Iterator[Case]"]
_Asked = tuple[Side, Asked, Values]


class NoQuestionsError(SteadyRankError, ValueError):
    """There is nothing to compare by: no question, or ids that no index has."""


def compare(
    folder: Path,
    golden: Path,
    a: Given,
    b: Given | None = None,
    *,
    b_index: Path | None = None,
    way: Way | None = None,
    seed: int = 1,
    progress: Progress = iter,
) -> Compared:
    """B against A on the questions of a golden file.

    ``b`` None: the same settings as A. With ``b_index`` both are asked of both indexes, and the
    first comparison is B on the new one against A on the old one. ``way``: fields and the like,
    for indexes that are searched. Raises NoQuestionsError, GoldenError, SettingsError,
    NoIndexError.
    """
    way = way or Way()
    other = b if b is not None else a
    named = [("A", a)] if b is None else [("A", a), ("B", b)]
    sides: dict[str, _Asked] = {}
    if b_index is None:
        for name, given in (("A", a), ("B", other)):
            sides[name] = _asked(name, given, folder, golden, way, progress)
    else:
        for where, index in (("the old index", folder), ("the new index", b_index)):
            for name, given in named:
                called = f"{name} on {where}"
                sides[called] = _asked(called, given, index, golden, way, progress)
    k, notes = _checked(golden, list(sides.values()))
    comparisons = {
        (one, two): compared(_run(sides[one]), _run(sides[two]), k, seed)
        for one, two in _pairs(list(sides))
    }
    verdict = [line for one in comparisons.values() for line in sentences(one)]
    verdict += _merging(comparisons)
    return Compared(
        k=k,
        seed=seed,
        sides=tuple(side for side, _, _ in sides.values()),
        comparisons=tuple(comparisons.values()),
        verdict=tuple(verdict),
        notes=tuple(notes),
    )


def _asked(
    name: str, given: Given, index: Path, golden: Path, way: Way, progress: Progress
) -> _Asked:
    own = way if given.settings is None else replace(way, settings=given.settings)
    asked = ask_golden(index, golden, own, over=given.values, progress=progress)
    said = given.said or "the golden file's"
    side = Side(name, said, str(index), asked.run.origin)
    return side, asked, values_of(asked.golden, asked.run, _graded)


def _run(asked: _Asked) -> tuple[str, Run, Values]:
    return asked[0].name, asked[1].run, asked[2]


def _pairs(names: list[str]) -> list[tuple[str, str]]:
    """Which sides are compared, the two that were asked for first."""
    if len(names) == 2:
        return [(names[0], names[1])]
    a_old, b_old, a_new, b_new = names
    return [(a_old, b_new), (a_old, b_old), (a_old, a_new), (a_new, b_new)]


def _merging(comparisons: Mapping[tuple[str, str], Comparison]) -> Iterator[str]:
    if len(comparisons) > 1:
        _, settings_first, index_first, _ = comparisons.values()
        yield from merge_order(settings_first, index_first)


def _checked(golden: Path, asked: Sequence[_Asked]) -> tuple[int, list[str]]:
    first = asked[0][1]
    if not first.golden.cases:
        raise NoQuestionsError(f"{golden}: there are no cases, so there is nothing to compare by")
    unknown = [set(one.unknown) for _, one, _ in asked]
    nowhere = sorted(set.intersection(*unknown))
    if nowhere:
        shown = ", ".join(nowhere[:5]) + (", ..." if len(nowhere) > 5 else "")
        raise NoQuestionsError(
            f"{golden}: {len(nowhere)} ids that cases name are in no index asked: {shown}; "
            "correct the cases, or give the index that they are about"
        )
    notes = []
    for side, ids in {side.index: ids for (side, _, _), ids in zip(asked, unknown, strict=True)
                      }.items():  # fmt: skip
        if ids:
            shown = ", ".join(sorted(ids)[:5]) + (", ..." if len(ids) > 5 else "")
            notes.append(f"{side} does not have {len(ids)} ids that cases name: {shown}")
    if not _graded_installed():
        notes.append("nDCG is not computed: pip install 'steadyrank[evaluate]'")
    return first.golden.k, notes


def _graded(
    qrels: Mapping[str, Mapping[str, int]], ids: Mapping[str, Sequence[str]], k: int
) -> Mapping[str, Mapping[str, float]]:
    try:
        values = measured(qrels, ids, k)
    except ImportError:
        return {}
    return {name: own for name, own in values.items() if name.startswith("nDCG")}


def _graded_installed() -> bool:
    from importlib.util import find_spec

    return find_spec("ir_measures") is not None
