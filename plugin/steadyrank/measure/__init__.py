"""Judging answers against golden questions. It knows answers, not engines."""

from steadyrank.measure.audit import Audit
from steadyrank.measure.churned import (
    Cell,
    Churn,
    GapTest,
    Ordering,
    Pairs,
    Perturbation,
    Share,
)
from steadyrank.measure.golden import Case, Golden, GoldenError, Mode, golden_of
from steadyrank.measure.judge import CaseResult, Evaluation, Judged, evaluate_golden, judge
from steadyrank.measure.run import Entry, Origin, Ranking, Run, RunError, run_of

__all__ = [
    "Audit",
    "Case",
    "CaseResult",
    "Cell",
    "Churn",
    "Entry",
    "Evaluation",
    "GapTest",
    "Golden",
    "GoldenError",
    "Judged",
    "Mode",
    "Ordering",
    "Origin",
    "Pairs",
    "Perturbation",
    "Ranking",
    "Run",
    "RunError",
    "Share",
    "evaluate_golden",
    "golden_of",
    "judge",
    "run_of",
]
