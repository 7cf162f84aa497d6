"""Judging answers against golden questions. It knows answers, not engines."""

from steadyrank.measure.golden import Case, Golden, GoldenError, Mode, golden_of
from steadyrank.measure.judge import CaseResult, Evaluation, Judged, evaluate_golden, judge

__all__ = [
    "Case",
    "CaseResult",
    "Evaluation",
    "Golden",
    "GoldenError",
    "Judged",
    "Mode",
    "evaluate_golden",
    "golden_of",
    "judge",
]
