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
from steadyrank.measure.drift import (
    CHECKS,
    BandDrift,
    BandSide,
    Check,
    Drift,
    QuestionDrift,
    Reason,
    Shift,
    Slack,
    Standing,
)
from steadyrank.measure.golden import Case, Golden, GoldenError, Mode, golden_of
from steadyrank.measure.judge import CaseResult, Evaluation, Judged, evaluate_golden, judge
from steadyrank.measure.run import Entry, Origin, Ranking, Run, RunError, run_of

__all__ = [
    "CHECKS",
    "Audit",
    "BandDrift",
    "BandSide",
    "Case",
    "CaseResult",
    "Cell",
    "Check",
    "Churn",
    "Drift",
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
    "QuestionDrift",
    "Ranking",
    "Reason",
    "Run",
    "RunError",
    "Share",
    "Shift",
    "Slack",
    "Standing",
    "evaluate_golden",
    "golden_of",
    "judge",
    "run_of",
]
