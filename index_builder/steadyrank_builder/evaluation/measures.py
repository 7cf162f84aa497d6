"""Measures of graded rankings, through ir_measures where it is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

Qrels = Mapping[str, Mapping[str, int]]
Runs = Mapping[str, Sequence[str]]


def measured(qrels: Qrels, runs: Runs, k: int) -> dict[str, dict[str, float]]:
    """nDCG@k, RR, P@k and R@k for each question: measure -> question -> value.

    ``qrels``: question -> id -> grade; ``runs``: question -> ids, best first. A run's scores
    are made strictly decreasing, since evaluators break ties in an order of their own. Raises
    ImportError without ir_measures.
    """
    import ir_measures
    from ir_measures import RR, P, R, nDCG

    judged = [
        ir_measures.Qrel(question, id, grade)
        for question, grades in qrels.items()
        for id, grade in grades.items()
    ]
    ranked = [
        ir_measures.ScoredDoc(question, id, float(len(ids) - place))
        for question, ids in runs.items()
        for place, id in enumerate(ids)
    ]
    values: dict[str, dict[str, float]] = {}
    for measure in (nDCG @ k, RR, P @ k, R @ k):
        # Questions that got nothing are in no run and count 0.
        own = dict.fromkeys(qrels, 0.0)
        for metric in ir_measures.iter_calc([measure], judged, ranked):
            own[metric.query_id] = float(metric.value)
        values[str(measure)] = own
    return values


def means(qrels: Qrels, runs: Runs, k: int) -> dict[str, Any]:
    """The mean of each measure over the questions; without ir_measures the reason why not."""
    if not qrels:
        return {}
    try:
        by_question = measured(qrels, runs, k)
    except ImportError:
        return {"measures": "not computed: pip install 'steadyrank[evaluate]'"}
    found: dict[str, Any] = {}
    for name, values in by_question.items():
        total = 0.0
        for value in values.values():
            total += value
        found[name] = total / len(values)
    return found
