"""Verdicts on single questions, added up."""

from __future__ import annotations

from collections.abc import Sequence

from steadyrank.measure import Entry, Ranking
from steadyrank.measure.audit import (
    CAUSES,
    Column,
    Example,
    Layout,
    Share,
    Ties,
)
from steadyrank_builder.auditing.asking import Engine, Found
from steadyrank_builder.auditing.judging import Difference, EngineVerdict, Verdict
from steadyrank_builder.auditing.questions import Shown
from steadyrank_builder.auditing.source import Source
from steadyrank_builder.runs import AFTER, Asked


def share(asked: Sequence[Asked]) -> Share:
    """How many different questions, and how often the log asks them."""
    return Share(len(asked), sum(one.count for one in asked))


def column(verdicts: Sequence[Verdict], engine: Engine, layouts: Sequence[Layout]) -> Column:
    """What one engine did in all questions."""
    of: list[tuple[Asked, EngineVerdict]] = [
        (verdict.asked, verdict.stock if engine == "stock" else verdict.steady)
        for verdict in verdicts
    ]
    return Column(
        flips=share([asked for asked, one in of if one.flips]),
        causes={
            cause: share([asked for asked, one in of if one.cause == cause]) for cause in CAUSES
        },
        bits=share([asked for asked, one in of if one.bits]),
        layouts={
            layout.name: share([asked for asked, one in of if layout.name in one.flips])
            for layout in layouts
        },
    )


def ties(verdicts: Sequence[Verdict]) -> Ties:
    """Which answers equal scores decide in the index as it is."""
    return Ties(
        cut=share([one.asked for one in verdicts if one.standing.at_cut]),
        inside=share([one.asked for one in verdicts if one.standing.inside]),
        any=share([one.asked for one in verdicts if one.standing.tied]),
    )


def examples(
    verdicts: Sequence[Verdict], source: Source, shown: Shown, k: int, count: int, ours: bool
) -> tuple[Example, ...]:
    """The worst answers: those that exchange most records, then most places, asked most often."""
    engine: Engine = "steady" if ours else "stock"
    found: list[tuple[Asked, Difference]] = []
    for verdict in verdicts:
        worst = verdict.steady.worst if ours else verdict.stock.worst or verdict.lost
        if worst is not None:
            found.append((verdict.asked, worst))
    found.sort(key=lambda one: (*(-n for n in one[1].size), -one[0].count, one[0].number))
    maker = _Rankings(source, shown, k, engine)
    return tuple(
        Example(
            asked=asked.count,
            cause=worst.cause,
            layout=worst.layout,
            ranks=worst.ranks,
            before=maker.ranking(asked, worst.before, worst.all_before),
            after=maker.ranking(asked, worst.after, worst.all_after),
        )
        for asked, worst in found[:count]
    )


class _Rankings:
    def __init__(self, source: Source, shown: Shown, k: int, engine: Engine) -> None:
        self._source = source
        self._shown = shown
        self._k = k
        self._statistics = "whoosh" if engine == "stock" else "live"

    def ranking(self, asked: Asked, top: Found, everything: Found) -> Ranking:
        places = {place for _, place in top}
        rest = [(score, place) for score, place in everything if place not in places]
        return Ranking(
            number=asked.number,
            question=self._shown(asked),
            k=self._k,
            entries=self._entries(top),
            after=self._entries(rest[:AFTER]),
            statistics=self._statistics,
        )

    def _entries(self, found: Found) -> tuple[Entry, ...]:
        return tuple(self._source.entry(place, score) for score, place in found)


def most_moved(verdicts: Sequence[Verdict], ours: bool) -> float:
    """The most that a score of an answer moved between layouts."""
    return max(((one.steady if ours else one.stock).moved for one in verdicts), default=0.0)
