"""A case that would notice, found among the questions that a golden set asks already."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from steadyrank.measure import Case, Entry, Ranking
from steadyrank_builder.proving.mutation import Mutation
from steadyrank_builder.proving.proof import Suggestion
from steadyrank_builder.proving.trial import Base, mutated
from steadyrank_builder.proving.verdicts import verdicts

# How many questions are looked through, under how many of the set's settings, and how many of
# the cases found are tried on the other mutations.
_QUESTIONS, _SETTINGS, _TRIED = 300, 4, 12
# How many distances between two results are tried as a gap of their own.
_EDGES = 100

_Noticing = tuple[Case, Ranking, Ranking]  # a case, what it gets, and what it gets then


def suggested(base: Base, mutation: Mutation, others: Sequence[Mutation]) -> Suggestion | None:
    """The question whose answer the mutation changes, as a case that pins the answer.

    Of several the one that the fewest of the ``others`` change, so that the case says what went
    wrong when it fails. None where no question of the golden set will do.
    """
    found = next(filter(None, _found(base, mutation)), None)
    if found is None:
        return None
    names: dict[int, list[str]] = {case.number: [mutation.name] for case, _, _ in found}
    few = replace(base.golden, cases=tuple(case for case, _, _ in found), thresholds={})
    right = verdicts(few, base.ask(few))
    for other in others:
        wrong = verdicts(few, mutated(other, few, base.ask)[0])
        for number in right.lost(wrong)[0]:
            names[number].append(other.name)
    # Of equally good ones the first, which is the nearest.
    case, real, other_one = min(found, key=lambda one: len(names[one[0].number]))
    return Suggestion(
        question=case.question,
        settings=case.settings,
        expected=case.expected,
        confidence=case.confidence,
        notices=tuple(names[case.number]),
        because=_because(real, other_one),
    )


def _found(base: Base, mutation: Mutation) -> Iterator[list[_Noticing]]:
    """What notices among all questions, under the settings of one group of cases after another."""
    variants = _VARIANTS.get(mutation.name)
    questions = list(dict.fromkeys(case.question for case in base.golden.cases))[:_QUESTIONS]
    for settings in _settings(base, mutation):
        cases = [
            Case(number, question, settings=settings)
            for number, question in enumerate(questions, start=1)
        ]
        yield _noticing(base, mutation, variants(base, cases) if variants else cases)


def _settings(base: Base, mutation: Mutation) -> Iterator[Mapping[str, Any]]:
    """The settings that the mutation has a say under, those of most cases first."""
    groups: dict[str, list[Case]] = {}
    for case in base.golden.cases:
        key = json.dumps(dict(case.settings), sort_keys=True, default=repr)
        groups.setdefault(key, []).append(case)
    found = 0
    for cases in sorted(groups.values(), key=len, reverse=True):
        alone = replace(base.golden, cases=tuple(cases), thresholds={})
        if found < _SETTINGS and mutated(mutation, alone, base.ask)[1]:
            found += 1
            yield cases[0].settings


def _edges(base: Base, cases: Sequence[Case]) -> list[Case]:
    """Questions under a gap that is exactly the distance of two of their results."""
    golden = replace(base.golden, cases=tuple(cases), thresholds={})
    found = []
    for case, ranking in zip(cases, base.ask(golden).rankings, strict=True):
        if ranking.gap:
            found += [
                (abs(gap - ranking.gap), case.number, replace(case, settings=own))
                for gap in _distances(ranking)
                for own in [{**case.settings, "gap": gap}]
            ]
    nearest = sorted(found, key=lambda one: one[:2])[:_EDGES]
    return [replace(case, number=n) for n, (_, _, case) in enumerate(nearest, start=1)]


def _distances(ranking: Ranking) -> Iterator[float]:
    if not ranking.known:
        return
    first = max(ranking.known, key=lambda entry: (-entry.route, entry.score))
    for entry in ranking.known:
        if entry.score < first.score and entry.document < first.document:
            yield first.score - entry.score


def _tight(base: Base, cases: Sequence[Case]) -> list[Case]:
    """Questions under quotas that cut within what is shown; wider ones cut far below it."""
    own = [*cases]
    for quota in (1, 2):
        fetch: dict[str, Any] = {"fetch": {"quotas": {}, "other": quota}}
        own += [replace(case, settings={**case.settings, **fetch}) for case in cases]
    return [replace(case, number=n) for n, case in enumerate(own, start=1)]


_Variants = Callable[[Base, Sequence[Case]], list[Case]]
_VARIANTS: dict[str, _Variants] = {"gap-exclusive": _edges, "fetch-without-tie-break": _tight}


def _noticing(base: Base, mutation: Mutation, cases: Sequence[Case]) -> list[_Noticing]:
    """Those that the mutation changes, made to pin what they get; and what they get then."""
    golden = replace(base.golden, cases=tuple(cases), thresholds={})
    right = base.ask(golden)
    wrong, _ = mutated(mutation, golden, base.ask)
    found = []
    for case, real, other in zip(cases, right.rankings, wrong.rankings, strict=True):
        if real.ids and (real.ids, real.confidence) != (other.ids, other.confidence):
            level = real.confidence if real.ids == other.ids else None
            pinned = replace(case, mode="exact", expected=real.ids, confidence=level)
            found.append((_beyond(real, other), pinned, real, other))
    nearest = sorted(found, key=lambda one: (one[0], one[1].number))[:_TRIED]
    return [(case, real, other) for _, case, real, other in nearest]


def _beyond(real: Ranking, other: Ranking) -> float:
    # How far outside the band the one that comes in stands; a small way shows a small fault.
    place = _parting(real, other)
    leader = None if place is None else _leader(real, real.entries[place].band)
    if leader is None or place is None:
        return 0.0
    return max(0.0, leader.score - other.entries[place].score - real.gap)


def _parting(real: Ranking, other: Ranking) -> int | None:
    pairs = enumerate(zip(real.ids, other.ids, strict=False))
    return next((place for place, (one, another) in pairs if one != another), None)


def _because(real: Ranking, other: Ranking) -> str:
    place = _parting(real, other)
    if place is None:
        return f"the confidence would be {other.confidence} and not {real.confidence}"
    stands, comes = real.entries[place], other.entries[place]
    said = f"at rank {place + 1} would stand {comes.id} and not {stands.id}"
    leader = _leader(real, stands.band)
    if leader is None or len({leader.route, stands.route, comes.route}) > 1:
        return said
    distances = [
        f"{one.id} leads its band"
        if one.id == leader.id
        else f"{one.id} scores {leader.score - one.score:.3f} below {leader.id}"
        for one in (comes, stands)
    ]
    return f"{said}; {distances[0]}, {distances[1]}, and the gap is {real.gap:.3f}"


def _leader(ranking: Ranking, band: int | None) -> Entry | None:
    members = [entry for entry in ranking.known if band is not None and entry.band == band]
    return max(members, key=lambda entry: entry.score, default=None)
