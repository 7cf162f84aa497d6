"""An evaluation for people: what failed and why, what nearly did, and the figures."""

from __future__ import annotations

from collections.abc import Iterator

from steadyrank.measure import CaseResult, Evaluation
from steadyrank_builder.commands.hits_text import printable, shortened

# How many of the cases that passed are shown, the nearest to failing first.
_NEAREST = 5


def lines(evaluation: Evaluation, *, verbose: bool = False) -> Iterator[str]:
    """The report; the last line is the outcome. ``verbose`` shows the cases that passed too."""
    for case in evaluation.cases:
        if case.why or verbose:
            yield from case_lines(case)
    if not verbose:
        yield from _nearest(evaluation)
    if evaluation.metrics:
        yield ""
        yield from _metrics(evaluation)
    for id in evaluation.unknown:
        yield f"unknown id: {printable(id)}"
    for fault in evaluation.missed:
        yield f"missed: {fault}"
    if evaluation.why:
        yield printable(evaluation.why)
    yield f"{evaluation.outcome}: {evaluation.passed} passed, {evaluation.failed} failed"


def case_lines(case: CaseResult) -> Iterator[str]:
    """A case's question and verdict, and what stands behind it."""
    verdict = {True: "passed", False: "FAILED", None: "missed" if case.why else "found"}
    where = "" if case.line is None else f"  (line {case.line})"
    mode = "" if case.mode is None else f"  {case.mode}"
    yield f"{verdict[case.passed]}  {case.number}. {printable(case.question)}{mode}{where}"
    for line in case.report():
        yield f"        {printable(line)}"


def _nearest(evaluation: Evaluation) -> Iterator[str]:
    near = sorted(
        (abs(case.near.change), case.number, case)
        for case in evaluation.cases
        if case.passed and case.near is not None
    )
    if not near:
        return
    yield ""
    yield "nearest to failing, by the points that one score would have to move:"
    for distance, number, case in near[:_NEAREST]:
        said = printable(str(case.near))
        yield f"  {distance:9.4f}  {number}. {shortened(case.question)}: {said}"


def _metrics(evaluation: Evaluation) -> Iterator[str]:
    wide = max(map(len, evaluation.metrics))
    for name, value in evaluation.metrics.items():
        said = f"{value:6.1%}" if isinstance(value, float) else str(value).rjust(6)
        yield f"{name.ljust(wide)}  {said}"
