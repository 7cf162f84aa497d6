"""One rule that says whether an evaluation passed, for text and exit code alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from steadyrank.measure.golden import Case, Golden
from steadyrank.measure.judge import CaseResult, judge, refused
from steadyrank.measure.run import Ranking, Run
from steadyrank.measure.thresholds import Threshold, thresholds_of

Outcome = Literal["passed", "failed", "no-verdict"]

# Question -> id -> grade, question -> ids (best first), k -> means by name.
Measure = Callable[[Mapping[str, Mapping[str, int]], Mapping[str, Sequence[str]], int], Any]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All cases with their outcome: ``failed`` when a case failed or a threshold was missed,
    ``no-verdict`` when there was nothing to judge, or a case names ids that do not exist
    (``unknown``): an index without them cannot be judged by it. ``why`` says why there is none.
    """

    outcome: Outcome
    passed: int
    failed: int
    cases: tuple[CaseResult, ...]
    metrics: Mapping[str, Any]
    missed: tuple[str, ...]
    unknown: tuple[str, ...] = ()
    why: str = ""
    thresholds: tuple[Threshold, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """For JSON; ``schema`` is the version of this shape."""
        return {
            "schema": 1,
            "outcome": self.outcome,
            "passed": self.passed,
            "failed": self.failed,
            "cases": [asdict(case) for case in self.cases],
            "metrics": dict(self.metrics),
            "thresholds": [asdict(one) for one in self.thresholds],
            "missed": list(self.missed),
            "unknown": list(self.unknown),
            "why": self.why,
        }


def no_verdict(why: str) -> Evaluation:
    """The evaluation of what could not be asked at all; ``why`` says what to do."""
    return Evaluation("no-verdict", 0, 0, (), {}, (), (), why)


def evaluated(
    golden: Golden,
    run: Run,
    unknown: Sequence[str] = (),
    measure: Measure = lambda qrels, ids, k: {},
    *,
    verdict_only: bool = False,
) -> Evaluation:
    """The judgment of a run that asked the cases of ``golden``, by their numbers.

    ``unknown`` are the ids of its cases that the index does not have; ``measure`` gives means
    over the questions with judgments, under their names; ``verdict_only`` as for ``judge``.
    """
    rankings = {ranking.number: ranking for ranking in run.rankings}
    absent = [case.number for case in golden.cases if not _asked(case, rankings)]
    if absent:
        shown = ", ".join(map(str, absent[:5])) + (", ..." if len(absent) > 5 else "")
        return no_verdict(f"the run did not ask the questions of {len(absent)} cases: {shown}")
    results = tuple(
        judge(case, rankings[case.number], golden.k, verdict_only=verdict_only)
        for case in golden.cases
    )
    metrics = metrics_of(golden, results, rankings, measure)
    thresholds = thresholds_of(golden.thresholds, metrics)
    missed = tuple(str(one) for one in thresholds if not one.reached)
    passed = sum(result.passed is True for result in results)
    failed = sum(result.passed is False for result in results)
    why = _why_none(golden, passed + failed, unknown)
    outcome: Outcome = "no-verdict" if why else "failed" if failed or missed else "passed"
    return Evaluation(
        outcome=outcome,
        passed=passed,
        failed=failed,
        cases=results,
        metrics=metrics,
        missed=missed,
        unknown=tuple(unknown),
        why=why,
        thresholds=thresholds,
    )


def _asked(case: Case, rankings: Mapping[int, Ranking]) -> bool:
    return case.number in rankings and rankings[case.number].question == case.question


def _why_none(golden: Golden, judged: int, unknown: Sequence[str]) -> str:
    if not golden.cases:
        return "there are no cases"
    if unknown:
        return f"the index does not have {len(unknown)} of the ids that the cases name"
    if not judged and not golden.thresholds:
        return "nothing to judge: no case has a mode, and no threshold is set"
    return ""


def metrics_of(
    golden: Golden,
    results: Sequence[CaseResult],
    rankings: Mapping[int, Ranking],
    measure: Measure,
) -> dict[str, Any]:
    """Shares over the cases with judgments (``questions`` of them) and those without an answer.

    ``unjudged``: of the pieces within k, the share that no judgment is about.
    """
    qrels = {str(case.number): case.judgments for case in golden.cases if case.judgments}
    measured = [result for result in results if str(result.number) in qrels]
    metrics: dict[str, Any] = {}
    if measured:
        count = len(measured)
        metrics["questions"] = count
        metrics["success"] = sum(r.right_at is not None for r in measured) / count
        metrics["success_at_1"] = sum(r.right_at == 1 for r in measured) / count
        ids = {number: rankings[int(number)].ids for number in qrels}
        shown = [(number, id) for number in qrels for id in ids[number][: golden.k]]
        unjudged = sum(id not in qrels[number] for number, id in shown)
        metrics["unjudged"] = unjudged / len(shown) if shown else 0.0
        metrics |= measure(qrels, ids, golden.k)
    empty = [case for case in golden.cases if case.mode is None and not case.judgments]
    if empty:
        metrics["unanswerable"] = len(empty)
        metrics["refused"] = sum(refused(rankings[case.number]) for case in empty) / len(empty)
    return metrics
