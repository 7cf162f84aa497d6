"""Times of single queries, engines taking turns, in processor time of the asking thread."""

from __future__ import annotations

import gc
import math
import random
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

Question = tuple[str, ...]
Ask = Callable[[Question], list[str]]


@dataclass
class Times:
    """Seconds of each question for each engine, in the questions' order; NaN: cannot answer."""

    questions: Sequence[Question]
    seconds: dict[str, list[float]] = field(default_factory=dict)

    def quantile(self, engine: str, share: float) -> float:
        """The time that this share of the questions stays within, in seconds."""
        known = sorted(value for value in self.seconds[engine] if not math.isnan(value))
        return known[min(len(known) - 1, int(share * len(known)))] if known else math.nan

    def ratios(self, slow: str, fast: str) -> list[float]:
        """How many times as long ``slow`` took, question by question."""
        pairs = zip(self.seconds[slow], self.seconds[fast], strict=True)
        return [one / other for one, other in pairs if not math.isnan(one / other)]

    def median_ratio(self, slow: str, fast: str) -> float:
        """The middle of ``ratios``; NaN without any."""
        found = self.ratios(slow, fast)
        return statistics.median(found) if found else math.nan


def hot(engines: Mapping[str, Ask], questions: Sequence[Question], rounds: int = 3) -> Times:
    """Each question asked once unmeasured, then ``rounds`` times in turns; the best of these."""
    times = Times(questions, {name: [math.nan] * len(questions) for name in engines})
    order = list(engines)
    for number, question in enumerate(questions):
        usable = []
        for name in order:
            try:
                engines[name](question)
            except NotImplementedError:
                continue
            usable.append(name)
        best = dict.fromkeys(usable, math.inf)
        for _ in range(rounds):
            random.Random(number).shuffle(usable)
            for name in usable:
                best[name] = min(best[name], once(engines[name], question))
        for name, seconds in best.items():
            times.seconds[name][number] = seconds
    return times


def once(ask: Ask, question: Question) -> float:
    """Seconds of the thread for one answer, garbage collection aside."""
    gc.disable()
    try:
        started = time.thread_time()
        ask(question)
        return time.thread_time() - started
    finally:
        gc.enable()
