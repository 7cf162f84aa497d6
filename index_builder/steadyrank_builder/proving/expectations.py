"""Expectations made wrong on purpose: a judge that still passes them judges nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from steadyrank.measure import Case, Golden, Ranking, Run
from steadyrank_builder.proving.verdicts import verdicts

_NOBODY = "\N{NULL}nobody"  # no record's id: it is in no index
_LEVELS = ("high", "medium", "low")


@dataclass(frozen=True, slots=True)
class Perturbation:
    """One way to make expectations wrong.

    ``tried``: the numbers of the cases it could be done to, ``unnoticed`` those of them that
    passed all the same.
    """

    name: str
    tried: tuple[int, ...]
    unnoticed: tuple[int, ...]


def _swapped(case: Case, ranking: Ranking) -> Iterator[Case]:
    # Two neighbours, each pair in turn. Only an exact case says in which order they stand.
    ids = case.expected
    if case.mode == "exact":
        for place in range(len(ids) - 1):
            swapped = (*ids[:place], ids[place + 1], ids[place], *ids[place + 2 :])
            yield replace(case, expected=swapped)


def _replaced(case: Case, ranking: Ranking) -> Iterator[Case]:
    # The first by an id that is not there; of what is excluded, by one that is.
    if case.mode == "excludes":
        if ranking.ids:
            yield replace(case, expected=(ranking.ids[0], *case.expected[1:]))
    elif case.mode:
        yield replace(case, expected=(_NOBODY, *case.expected[1:]))


def _dropped(case: Case, ranking: Ranking) -> Iterator[Case]:
    # One that others come after, or one of a set; as many are looked at as before.
    ids, k = case.expected, case.k or len(case.expected)
    if case.mode == "exact":
        places = range(len(ids) - 1)
    elif case.mode == "required-set" and len(ids) > 1:
        places = range(len(ids))
    else:
        return
    for place in places:
        yield replace(case, expected=ids[:place] + ids[place + 1 :], k=k)


def _doubted(case: Case, ranking: Ranking) -> Iterator[Case]:
    # Another confidence than the stated one.
    if case.mode and case.confidence is not None:
        for level in _LEVELS:
            if level != case.confidence:
                yield replace(case, confidence=level)


_WAYS: tuple[tuple[str, Callable[[Case, Ranking], Iterator[Case]]], ...] = (
    ("neighbours-swapped", _swapped),
    ("first-replaced", _replaced),
    ("one-dropped", _dropped),
    ("other-confidence", _doubted),
)


def perturbed(golden: Golden, run: Run) -> tuple[Perturbation, ...]:
    """Each way, done to each case that passes: whether the case then fails, as it should."""
    passing = verdicts(golden, run).passed
    pairs = [
        (case, ranking)
        for case, ranking in zip(golden.cases, run.rankings, strict=True)
        if case.number in passing
    ]
    found = [_done(golden, run, pairs, name, way) for name, way in _WAYS]
    return (*found, _all_wrong(golden, run))


def _all_wrong(golden: Golden, run: Run) -> Perturbation:
    # Cases that are measured fail together, by a threshold: no right answer is one any more.
    tried = tuple(case.number for case in golden.cases if case.judgments)
    bounds = {name for name in ("success", "success_at_1") if golden.thresholds.get(name)}
    if not (tried and bounds):
        return Perturbation("right-replaced", (), ())
    cases = tuple(
        replace(case, right=(_NOBODY,), grades={}) if case.number in tried else case
        for case in golden.cases
    )
    missed = verdicts(replace(golden, cases=cases), run).missed
    return Perturbation("right-replaced", tried, () if bounds <= missed else tried)


def _done(
    golden: Golden,
    run: Run,
    pairs: Sequence[tuple[Case, Ranking]],
    name: str,
    way: Callable[[Case, Ranking], Iterator[Case]],
) -> Perturbation:
    tried, unnoticed = [], []
    for case, ranking in pairs:
        wrong = list(way(case, ranking))
        if not wrong:
            continue
        tried.append(case.number)
        for one in wrong:
            alone = replace(golden, cases=(one,), thresholds={})
            if case.number in verdicts(alone, replace(run, rankings=(ranking,))).passed:
                unnoticed.append(case.number)
                break
    return Perturbation(name, tuple(tried), tuple(unnoticed))
