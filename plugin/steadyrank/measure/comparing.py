"""Two runs of the same golden questions, compared question by question."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from math import fsum

from steadyrank.measure.compared import (
    Comparison,
    Differing,
    MeasureDifference,
    QuestionDifference,
    Verdict,
)
from steadyrank.measure.golden import Golden
from steadyrank.measure.judge import judge, refused
from steadyrank.measure.resampling import bootstrap
from steadyrank.measure.run import Ranking, Run
from steadyrank.measure.significance import LEVEL, at_most, fewest_for, holm, paired_test
from steadyrank.measure.tallies import change

# Measure -> question number -> value from 0 to 1.
Values = Mapping[str, Mapping[int, float]]

# Question -> id -> grade, question -> ids (best first), k -> measure -> question -> value.
Graded = Callable[
    [Mapping[str, Mapping[str, int]], Mapping[str, Sequence[str]], int],
    Mapping[str, Mapping[str, float]],
]


def values_of(golden: Golden, run: Run, graded: Graded | None = None) -> Values:
    """What each question of a run is worth.

    ``passed``: 1 for a case with a mode that passes. ``success@k`` and ``RR@k``: whether a right
    piece is within k, and 1 by its rank (0 without), for the questions that have right pieces.
    ``refused``: 1 where a question without an answer got none, or low confidence. ``graded``
    gives more measures of the questions with judgments. A measure that no question has is left
    out.
    """
    rankings = {ranking.number: ranking for ranking in run.rankings}
    passed: dict[int, float] = {}
    success: dict[int, float] = {}
    reciprocal: dict[int, float] = {}
    empty: dict[int, float] = {}
    for case in golden.cases:
        ranking = rankings[case.number]
        # No more than is looked at: how near a verdict is to turning costs, and is not used.
        entries = ranking.entries[: max(golden.k, case.looked_at(golden.k))]
        result = judge(case, replace(ranking, entries=entries, after=()), golden.k)
        if result.passed is not None:
            passed[case.number] = float(result.passed)
        if any(grade > 0 for grade in case.judgments.values()):
            success[case.number] = float(result.right_at is not None)
            reciprocal[case.number] = 1 / result.right_at if result.right_at else 0.0
        elif case.mode is None and not case.judgments:
            empty[case.number] = float(refused(ranking))
    found: dict[str, Mapping[int, float]] = {
        "passed": passed,
        f"success@{golden.k}": success,
        f"RR@{golden.k}": reciprocal,
        "refused": empty,
    }
    if graded is not None and success:
        qrels = {str(c.number): c.judgments for c in golden.cases if c.number in success}
        ids = {number: rankings[int(number)].ids[: golden.k] for number in qrels}
        for name, values in graded(qrels, {n: i for n, i in ids.items() if i}, golden.k).items():
            found[name] = {int(number): values[number] for number in qrels}
    return {name: values for name, values in found.items() if values}


def compared(
    a: tuple[str, Run, Values], b: tuple[str, Run, Values], k: int, seed: int = 1
) -> Comparison:
    """B against A: name, run and values of each, of the same questions."""
    before = {ranking.number: ranking for ranking in a[1].rankings}
    after = {ranking.number: ranking for ranking in b[1].rankings}
    measures = [_measure(name, a[2][name], b[2][name], seed) for name in a[2]]
    adjusted = holm([measure.p for measure in measures])
    return Comparison(
        a=a[0],
        b=b[0],
        answers=_differing([(before[n], after[n]) for n in before], k),
        measures=tuple(_judged(measure, p) for measure, p in zip(measures, adjusted, strict=True)),
        questions=tuple(
            one
            for number in before
            if (one := _question(before[number], after[number], a[2], b[2], k)) is not None
        ),
    )


def _measure(
    name: str, a: Mapping[int, float], b: Mapping[int, float], seed: int
) -> MeasureDifference:
    differences = [b[number] - a[number] for number in a]
    test = paired_test(differences, seed=seed)
    return MeasureDifference(
        measure=name,
        n=len(a),
        a=fsum(a.values()) / len(a),
        b=fsum(b[number] for number in a) / len(a),
        difference=test.mean,
        interval=bootstrap(differences, seed=seed),
        better=test.better,
        worse=test.worse,
        ties=test.ties,
        p=test.p,
        p_adjusted=test.p,
        exact=test.exact,
        samples=test.samples,
        verdict="not shown",
    )


def _judged(measure: MeasureDifference, p: float) -> MeasureDifference:
    verdict: Verdict = "not shown"
    if measure.better + measure.worse < fewest_for():
        verdict = "too few"
    elif p < 1 - LEVEL and measure.difference:
        verdict = "better" if measure.difference > 0 else "worse"
    return replace(measure, p_adjusted=p, verdict=verdict)


def _differing(pairs: Sequence[tuple[Ranking, Ranking]], k: int) -> Differing:
    changes = [change(a.ids[:k], b.ids[:k]) for a, b in pairs]
    n = len(changes)
    order = len([one for one in changes if one.order])
    other = len([one for one in changes if one.set])
    first = len([one for one in changes if one.first])
    bounds = [at_most(count, n) if n else 1.0 for count in (order, other, first)]
    return Differing(n, order, other, first, *bounds)


def _question(
    before: Ranking, after: Ranking, a: Values, b: Values, k: int
) -> QuestionDifference | None:
    number = before.number
    values = {name: (own[number], b[name][number]) for name, own in a.items() if number in own}
    ids = (before.ids[:k], after.ids[:k])
    if ids[0] == ids[1] and all(one == other for one, other in values.values()):
        return None
    return QuestionDifference(number, before.question, *ids, values)
