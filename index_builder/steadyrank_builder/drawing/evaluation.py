"""The page of an evaluation."""

from __future__ import annotations

from dataclasses import dataclass

from steadyrank.measure import CaseResult, Evaluation, Ranking, Run
from steadyrank_builder.drawing.ladder import Ladder, ladder_of
from steadyrank_builder.drawing.render import rendered
from steadyrank_builder.drawing.strip import strip_of


@dataclass(frozen=True, slots=True)
class _Shown:
    """A case with its ranking and drawing; both None where it was not asked."""

    result: CaseResult
    verdict: str
    ranking: Ranking | None
    ladder: Ladder | None


def evaluation_page(evaluation: Evaluation, run: Run, title: str = "Golden questions") -> str:
    """One HTML file: the verdict, the metrics, every case as a table and a ladder of scores.

    ``run`` are the rankings that were judged; they are found by their numbers. Raises
    MissingExtraError without Jinja2.
    """
    rankings = {ranking.number: ranking for ranking in run.rankings}
    cases = [_shown(result, rankings.get(result.number)) for result in evaluation.cases]
    return rendered(
        "evaluation.html.j2",
        title=title,
        evaluation=evaluation,
        strip=strip_of(run),
        cases=sorted(cases, key=lambda case: (case.verdict != "failed", case.verdict != "missed")),
        metrics=[(name, value) for name, value in evaluation.metrics.items()],
    )


def _shown(result: CaseResult, ranking: Ranking | None) -> _Shown:
    name = f"case-{result.number}"
    ladder = None if ranking is None else ladder_of(ranking, name, result.expected)
    return _Shown(result, _verdict(result), ranking, ladder)


def _verdict(result: CaseResult) -> str:
    if result.passed is None:
        return "missed" if result.why else "measured"
    return "passed" if result.passed else "failed"
