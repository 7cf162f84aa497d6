"""Times of single questions, engines taking turns, in processor time of the asking thread."""

from __future__ import annotations

import math
import random
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from race.asking import Worker
from race.question import Question

# Questions that an engine is asked before it is the next one's turn.
TURN = 10


@dataclass
class Times:
    """Seconds of each question for each engine, in the questions' order; NaN: not asked."""

    seconds: dict[str, list[float]] = field(default_factory=dict)

    def known(self, engine: str) -> list[float]:
        """The times there are, from the shortest."""
        return sorted(value for value in self.seconds.get(engine, []) if not math.isnan(value))

    def quantile(self, engine: str, share: float) -> float:
        """The time that this share of the questions stays within, in seconds."""
        return quantile(self.known(engine), share)

    def ratios(self, slow: str, fast: str) -> list[float]:
        """How many times as long ``slow`` took, question by question."""
        pairs = zip(self.seconds.get(slow, []), self.seconds.get(fast, []), strict=False)
        return [one / other for one, other in pairs if not math.isnan(one / other)]

    def median_ratio(self, slow: str, fast: str) -> float:
        """The middle of ``ratios``; NaN without any."""
        found = self.ratios(slow, fast)
        return statistics.median(found) if found else math.nan

    def worst_ratio(self, slow: str, fast: str) -> float:
        """The least of ``ratios``; NaN without any."""
        return min(self.ratios(slow, fast), default=math.nan)

    def lesser(self, other: Times) -> Times:
        """Of two measurements of the same questions the shorter times."""
        return Times(
            {
                name: [_lesser(*pair) for pair in zip(times, other.seconds[name], strict=True)]
                for name, times in self.seconds.items()
            }
        )

    def median_ratio_to(self, other: Times, engine: str) -> float:
        """How many times as long an engine took here as there, the middle of all questions."""
        pairs = zip(self.seconds.get(engine, []), other.seconds.get(engine, []), strict=True)
        found = [here / there for here, there in pairs if not math.isnan(here / there)]
        return statistics.median(found) if found else math.nan


def quantile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of them does not exceed; NaN without any."""
    if not ordered:
        return math.nan
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def hot(
    engines: Mapping[str, Worker],
    questions: Sequence[Question],
    rounds: int,
    every: Mapping[str, int] | None = None,
) -> tuple[Times, Times]:
    """Each question asked once, then ``rounds`` times more: the best of these.

    The engines take turns, some questions at a time. Also the times of asking for the first
    time. ``every``: engines that are asked only every so many questions, since they are slow.
    """
    blank = {name: [math.nan] * len(questions) for name in engines}
    first, best = Times(blank), Times({name: list(times) for name, times in blank.items()})
    for start in range(0, len(questions), TURN):
        for turn in range(rounds + 1):
            order = list(engines)
            random.Random(f"{start} {turn}").shuffle(order)
            for name in order:
                # Odd, since questions have one to eight words in turn: of each length as many.
                step = (every or {}).get(name, 1) | 1
                places = range(start, min(start + TURN, len(questions)))
                own = [place for place in places if place % step == 0]
                if not own:
                    continue
                asked = [questions[place] for place in own]
                seconds = engines[name].ask(asked, before=questions[0])
                kept = best if turn else first
                for place, value in zip(own, seconds, strict=True):
                    kept.seconds[name][place] = _lesser(kept.seconds[name][place], value)
    return first, best


def _lesser(one: float, other: float) -> float:
    return other if math.isnan(one) else min(one, other)


def once_each(
    engines: Mapping[str, Worker], questions: Sequence[Question], before: Question
) -> Times:
    """Each question asked once of each engine, in turns; ``before`` was asked already."""
    times = Times({name: [] for name in engines})
    for start in range(0, len(questions), TURN):
        order = list(engines)
        random.Random(f"{start}").shuffle(order)
        for name in order:
            times.seconds[name] += engines[name].ask(questions[start : start + TURN], before)
    return times
