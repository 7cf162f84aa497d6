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
from steadyrank.measure.drift_runs import drift_of
from steadyrank.measure.evaluation import (
    Evaluation,
    Measure,
    Outcome,
    evaluated,
    no_verdict,
)
from steadyrank.measure.golden import Case, Golden, GoldenError, Judgment, Mode
from steadyrank.measure.golden_content import golden_of
from steadyrank.measure.judge import CaseResult, judge
from steadyrank.measure.moved import Move
from steadyrank.measure.near import Flip, nearest_flip
from steadyrank.measure.places import Fault, Place
from steadyrank.measure.run import Entry, Origin, Ranking, Run, RunError, run_of
from steadyrank.measure.thresholds import Threshold

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
    "Fault",
    "Flip",
    "GapTest",
    "Golden",
    "GoldenError",
    "Judgment",
    "Measure",
    "Mode",
    "Move",
    "Ordering",
    "Origin",
    "Outcome",
    "Pairs",
    "Perturbation",
    "Place",
    "QuestionDrift",
    "Ranking",
    "Reason",
    "Run",
    "RunError",
    "Share",
    "Shift",
    "Slack",
    "Standing",
    "Threshold",
    "drift_of",
    "evaluated",
    "golden_of",
    "judge",
    "nearest_flip",
    "no_verdict",
    "run_of",
]
