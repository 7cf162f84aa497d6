"""One rule that says whether an evaluation passed, for text and exit code alike."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Literal

from steadyrank.measure.golden import Case, Golden

Outcome = Literal["passed", "failed", "no-verdict"]


@dataclass(frozen=True, slots=True)
class Judged:
    """What a judge looks at in an answer: ids in order, confidence, concepts, routes fired."""

    ids: tuple[str, ...]
    confidence: str
    concepts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class CaseResult:
    """How one case went. ``passed`` is None for a case that counts in the metrics alone.

    ``got`` are the first k ids; ``why`` says what is wrong. For cases without a mode
    ``right_at`` is the rank (from 1) of the first right piece within k, None for none.
    """

    number: int
    question: str
    mode: str | None
    passed: bool | None
    got: tuple[str, ...]
    expected: tuple[str, ...]
    confidence: str
    why: str
    right_at: int | None = None


@dataclass(frozen=True, slots=True)
class Evaluation:
    """All cases with their outcome: ``failed`` when a case failed or a threshold was missed,
    ``no-verdict`` when there was nothing to judge, or a case names ids that do not exist
    (``unknown``): an index without them cannot be judged by it.
    """

    outcome: Outcome
    passed: int
    failed: int
    cases: tuple[CaseResult, ...]
    metrics: dict[str, Any]
    missed: tuple[str, ...]
    unknown: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """For JSON; ``schema`` is the version of this shape."""
        return {
            "schema": 1,
            "outcome": self.outcome,
            "passed": self.passed,
            "failed": self.failed,
            "cases": [asdict(case) for case in self.cases],
            "metrics": self.metrics,
            "missed": list(self.missed),
            "unknown": list(self.unknown),
        }


def judge(case: Case, answer: Judged, default_k: int) -> CaseResult:
    """Whether an answer is what the case expects."""
    k = case.k or (len(case.expected) if case.mode else default_k)
    got = answer.ids[:k]
    if case.mode is None:
        places = [rank for rank, id in enumerate(got, start=1) if id in case.right]
        right_at = places[0] if places else None
        refused = not answer.ids or answer.confidence == "low"
        why = ""
        if case.right and right_at is None:
            why = f"none of {', '.join(case.right)} is within {k}"
        elif not case.right and not refused:
            why = f"the material has no answer, and the confidence is {answer.confidence}"
        return _result(case, None, got, answer, why, right_at)
    faults = [fault for fault in (_fault(case, got, k), *_more(case, answer)) if fault]
    return _result(case, not faults, got, answer, "; ".join(faults), None)


def _result(
    case: Case,
    passed: bool | None,
    got: tuple[str, ...],
    answer: Judged,
    why: str,
    right_at: int | None,
) -> CaseResult:
    return CaseResult(
        number=case.number,
        question=case.question,
        mode=case.mode,
        passed=passed,
        got=got,
        expected=case.expected or case.right,
        confidence=answer.confidence,
        why=why,
        right_at=right_at,
    )


def _fault(case: Case, got: Sequence[str], k: int) -> str | None:
    expected = case.expected
    if case.mode == "exact" and tuple(got[: len(expected)]) != expected:
        rank = next(
            (n for n, pair in enumerate(zip(got, expected, strict=False), 1) if pair[0] != pair[1]),
            min(len(got), len(expected)) + 1,
        )
        there = got[rank - 1] if rank <= len(got) else "nothing"
        return f"at rank {rank} stands {there}, not {expected[rank - 1]}"
    if case.mode == "required-set" and set(got) != set(expected):
        missing = [id for id in expected if id not in got]
        extra = [id for id in got if id not in expected]
        return f"within {k} are missing: {missing or 'none'}, not expected: {extra or 'none'}"
    if case.mode == "rank-one" and (not got or got[0] != expected[0]):
        return f"the first is {got[0] if got else 'nothing'}, not {expected[0]}"
    if case.mode == "contains" and not set(expected) <= set(got):
        return f"not within {k}: {', '.join(id for id in expected if id not in got)}"
    if case.mode == "excludes" and set(expected) & set(got):
        return f"within {k}, and should not be: {', '.join(i for i in got if i in expected)}"
    return None


def _more(case: Case, answer: Judged) -> Iterable[str]:
    if case.confidence is not None and answer.confidence != case.confidence:
        yield f"the confidence is {answer.confidence}, not {case.confidence}"
    if case.axis == "score" and answer.concepts:
        yield f"the concepts {', '.join(answer.concepts)} fired, and scores alone should decide"


def evaluate_golden(
    golden: Golden,
    ask: Callable[[Case], Judged],
    missing: Callable[[Sequence[str]], Sequence[str]] = lambda ids: (),
    measure: Callable[[Sequence[CaseResult]], Mapping[str, Any]] = lambda results: {},
) -> Evaluation:
    """Asks every case and judges the answers; ``ask`` gives what a case's question brings.

    ``missing`` tells which ids do not exist; ``measure`` gives more metrics of the cases
    without a mode that have a right answer.
    """
    results = tuple(judge(case, ask(case), golden.k) for case in golden.cases)
    passed = sum(result.passed is True for result in results)
    failed = sum(result.passed is False for result in results)
    metrics = {**_metrics(results), **measure([r for r in results if _answered(r)])}
    missed = tuple(
        f"{name} is {_said(metrics.get(name))}, and at least {threshold:.0%} is wanted"
        for name, threshold in sorted(golden.thresholds.items())
        if metrics.get(name) is None or metrics[name] < threshold
    )
    named = [id for case in golden.cases for id in (*case.expected, *case.right)]
    unknown = tuple(missing(named))
    outcome: Outcome = "failed" if failed or missed else "passed"
    if unknown or not (passed or failed or (results and golden.thresholds)):
        outcome = "no-verdict"  # nothing was judged: never a pass
    return Evaluation(outcome, passed, failed, results, metrics, missed, unknown)


def _answered(result: CaseResult) -> bool:
    return result.mode is None and bool(result.expected)


def _said(share: float | None) -> str:
    return "not measured" if share is None else f"{share:.1%}"


def _metrics(results: Sequence[CaseResult]) -> dict[str, Any]:
    answered = [result for result in results if _answered(result)]
    unanswered = [r for r in results if r.mode is None and not r.expected]
    metrics: dict[str, Any] = {}
    if answered:
        count = len(answered)
        metrics["questions"] = count
        metrics["success"] = sum(r.right_at is not None for r in answered) / count
        metrics["success_at_1"] = sum(r.right_at == 1 for r in answered) / count
    if unanswered:
        metrics["unanswerable"] = len(unanswered)
        metrics["refused"] = len([r for r in unanswered if not r.why]) / len(unanswered)
    return metrics
