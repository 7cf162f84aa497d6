"""The page of a drift."""

from __future__ import annotations

from dataclasses import dataclass

from steadyrank.measure import Run
from steadyrank.measure.drift import Drift, QuestionDrift
from steadyrank.measure.drift_words import room
from steadyrank_builder.drawing.bars import Bars, headroom_of
from steadyrank_builder.drawing.ladder import Ladder, ladder_of
from steadyrank_builder.drawing.render import rendered
from steadyrank_builder.drawing.slopes import Slopes, slopes_of
from steadyrank_builder.drawing.strip import strip_of

# Questions that hold are drawn as far as they are near to flipping.
NEAREST = 20


@dataclass(frozen=True, slots=True)
class _Drawn:
    question: QuestionDrift
    drifted: bool
    nearest: str
    slopes: Slopes
    bars: Bars | None
    ladder: Ladder


def drift_page(drift: Drift, title: str = "Drift") -> str:
    """One HTML file: what drifted, each question as tables, slopes, bars and a ladder.

    Questions that hold are drawn only where their room shrank, the nearest to flipping first.
    Raises MissingExtraError without Jinja2.
    """
    drifted = drift.drifted()
    near = [question for question in drift.nearest if question not in drifted][:NEAREST]
    return rendered(
        "drift.html.j2",
        title=title,
        drift=drift,
        strip=(
            *strip_of(Run(drift.base, tuple(q.base for q in drift.questions)), "base"),
            *strip_of(Run(drift.fresh, tuple(q.fresh for q in drift.questions)), "fresh"),
        ),
        drawn=[_drawn(question, question in drifted) for question in (*drifted, *near)],
    )


def _drawn(question: QuestionDrift, drifted: bool) -> _Drawn:
    name = f"question-{question.number}"
    nearest = question.nearest
    return _Drawn(
        question=question,
        drifted=drifted,
        nearest="" if nearest is None else room(nearest),
        slopes=slopes_of(question, f"{name}-slopes"),
        bars=headroom_of(question, f"{name}-bars"),
        ladder=ladder_of(question.fresh, f"{name}-ladder"),
    )
