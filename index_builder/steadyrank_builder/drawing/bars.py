"""Headroom and shares as bars: a line of text and a bar below it, widths in percent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from steadyrank.measure.churned import Cell
from steadyrank.measure.drift import QuestionDrift, Slack
from steadyrank.measure.drift_words import plain
from steadyrank_builder.drawing.text import clipped, share

ROW = 36
EDGE = 8
LABEL = 72
_WIDTH = 98.0


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar. ``was`` is the mark of an earlier value, ``low`` and ``high`` an interval."""

    label: str
    value: str
    y: int
    used: float
    was: float | None = None
    low: float | None = None
    high: float | None = None
    over: bool = False


@dataclass(frozen=True, slots=True)
class Bars:
    """A whole drawing."""

    name: str
    title: str
    description: str
    height: int
    bars: tuple[Bar, ...]
    note: str


def headroom_of(question: QuestionDrift, name: str) -> Bars | None:
    """How much of the gap each band of a question uses, and used before; None without bands."""
    spans = [slack for slack in question.slacks if slack.kind == "span" and slack.limit]
    if not spans:
        return None
    return Bars(
        name=name,
        title="Headroom of the bands",
        description=f"{len(spans)} bands; the list has the same figures",
        height=2 * EDGE + ROW * len(spans),
        bars=tuple(_span(slack, EDGE + ROW * row) for row, slack in enumerate(spans)),
        note="Filled: the part of the gap that a band spans; the tick: what it spanned before.",
    )


def _span(slack: Slack, y: int) -> Bar:
    limit = slack.limit or 1.0
    return Bar(
        label=clipped(slack.upper, LABEL),
        value=f"{plain(slack.left)} left",
        y=y,
        used=_percent(slack.fresh / limit),
        was=_percent(slack.base / limit),
        over=slack.left < 0,
    )


def shares_of(cells: Sequence[Cell], name: str, title: str) -> Bars:
    """The share of answers whose order changed under each ordering, with its interval."""
    return Bars(
        name=name,
        title=title,
        description=f"{len(cells)} orderings; the table has the same figures",
        height=2 * EDGE + ROW * len(cells),
        bars=tuple(
            Bar(
                label=clipped(cell.ordering, LABEL),
                value=share(cell.order.share),
                y=EDGE + ROW * row,
                used=_percent(cell.order.share),
                low=_percent(cell.order.interval.low),
                high=_percent(cell.order.interval.high),
                over=cell.order.changed > 0,
            )
            for row, cell in enumerate(cells)
        ),
        note="From 0 to 100 % of the answers: another order. The line is the 95 % interval.",
    )


def _percent(part: float) -> float:
    return round(_WIDTH * min(max(part, 0.0), 1.0), 3)
