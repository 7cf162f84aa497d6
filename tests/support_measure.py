"""Runs made by hand, for tests of what judges and compares them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from steadyrank.measure import Entry, Golden, Origin, Ranking, Run
from steadyrank.order import Candidate, bands, rank


def entries(ids: Sequence[str], top: float = 100.0) -> tuple[Entry, ...]:
    """These ids in this order, one point apart."""
    return tuple(Entry(id, top - place, id) for place, id in enumerate(ids))


def ranking(ids: Sequence[str], number: int = 1, question: str = "q", **more: Any) -> Ranking:
    """An answer of these ids."""
    return Ranking(number, question, len(ids), entries(ids), **more)


def ranked(
    scores: Mapping[str, float], k: int, gap: float = 0.0, after: int = 8, **more: Any
) -> Ranking:
    """What the order makes of these scores: the first ``k``, and those after it."""
    candidates = [Candidate(id, score) for id, score in scores.items()]
    numbers = {
        member.id: number
        for number, band in enumerate(bands(candidates, gap), start=1)
        for member in band.members
    }
    ordered = [
        Entry(one.id, one.score, one.id, band=numbers.get(one.id)) for one in rank(candidates, gap)
    ]
    return Ranking(1, "q", k, tuple(ordered[:k]), tuple(ordered[k : k + after]), gap, **more)


def run_of_answers(
    golden: Golden,
    answers: Mapping[int, Sequence[str]],
    levels: Mapping[int, str] | None = None,
) -> Run:
    """The cases' questions with these ids by number; confidence high where nothing is said."""
    return Run(
        Origin(),
        tuple(
            ranking(
                answers[case.number],
                case.number,
                case.question,
                confidence=(levels or {}).get(case.number, "high"),
            )
            for case in golden.cases
        ),
    )
