"""One question in all layouts: what it got, where that differs, and why."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from steadyrank.measure.audit import CAUSES, Cause
from steadyrank.measure.flips import (
    Scored,
    Standing,
    cause_of,
    differing,
    exchanged,
    keys,
    moved,
    reversed_ties,
    standing,
)
from steadyrank_builder.auditing.asking import Asker, Engine, Found
from steadyrank_builder.runs import Asked

LIMITLESS = "limit=None"
TIES_REVERSED = "ties reversed"


@dataclass(frozen=True, slots=True)
class Difference:
    """Two answers to one question that differ: the first places, and all matches behind them."""

    layout: str
    cause: Cause
    before: Found
    after: Found
    ranks: tuple[int, ...]
    exchanged: int
    all_before: Found
    all_after: Found

    @property
    def size(self) -> tuple[int, int]:
        """More records exchanged, then more places, is worse."""
        return self.exchanged, len(self.ranks)


@dataclass(frozen=True, slots=True)
class EngineVerdict:
    """One engine's answers to one question.

    ``flips`` are the layouts whose answer differs, by name, and what made each. ``cause`` is the
    first of these that applies, ``worst`` the largest difference that it made. ``bits``: the
    same records everywhere, and not the same score bits. ``moved``: the most a score moved.
    """

    flips: Mapping[str, Cause]
    cause: Cause | None = None
    worst: Difference | None = None
    bits: bool = False
    moved: float = 0.0


def engine_verdict(
    differences: Sequence[Difference], bits: bool = False, most: float = 0.0
) -> EngineVerdict:
    """What differences from all layouts come to."""
    flips = {one.layout: one.cause for one in differences}
    cause = next((cause for cause in CAUSES if cause in flips.values()), None)
    of_cause = [one for one in differences if one.cause == cause]
    worst = max(of_cause, key=lambda one: one.size, default=None)
    return EngineVerdict(flips, cause, worst, bits and not flips, most)


@dataclass(frozen=True, slots=True)
class Verdict:
    """All that was found of one question. ``lost``: with and without a limit differ."""

    asked: Asked
    empty: bool
    standing: Standing
    lost: Difference | None
    stock: EngineVerdict
    steady: EngineVerdict


class _Once:
    """A value that is made when it is first asked for; ``got`` is None before."""

    def __init__(self, make: Callable[[], Found]) -> None:
        self._make = make
        self.got: Found | None = None

    def get(self) -> Found:
        if self.got is None:
            self.got = self._make()
        return self.got


class Judge:
    """Asks questions of the index as it is and of its other layouts, and compares."""

    def __init__(
        self, source: Asker, layouts: Mapping[str, Asker], names: Sequence[str], k: int
    ) -> None:
        """``names`` tells documents apart, by place. No layouts: ties tell what would differ."""
        self._source = source
        self._layouts = layouts
        self._names = names
        self._k = k

    def judge(self, asked: Asked, tree: Any) -> Verdict:
        """Raises whatever an engine raises for the query."""
        k = self._k
        top = self._source.top("stock", tree, k)
        everything = self._source.top("stock", tree, None)
        lost = None
        if keys(self._named(top)) != keys(self._named(everything[:k])):
            lost = self._difference(LIMITLESS, "lost", top, everything[:k], everything, everything)
        if self._layouts:
            stock = self._compare("stock", tree, top, everything)
            steady = self._compare("steady", tree, self._source.top("steady", tree, k), None)
        else:
            stock = self._computed(everything)
            steady = engine_verdict([])
        return Verdict(
            asked, not everything and not top, standing(self._named(everything), k), lost,
            stock, steady,
        )  # fmt: skip

    def _named(self, found: Found) -> list[Scored]:
        return [(score, self._names[place]) for score, place in found]

    def _all_named(self, found: _Once) -> list[Scored]:
        return self._named(found.get())

    def _compare(
        self, engine: Engine, tree: Any, top: Found, everything: Found | None
    ) -> EngineVerdict:
        differences = []
        bits, most = False, 0.0
        for layout, asker in self._layouts.items():
            other = asker.top(engine, tree, self._k)
            before, after = self._named(top), self._named(other)
            if keys(before) == keys(after):
                bits = bits or before != after
            else:
                everything = everything or self._source.top(engine, tree, None)
                full = _Once(partial(asker.top, engine, tree, None))
                cause = cause_of(
                    before,
                    after,
                    self._named(everything),
                    partial(self._all_named, full),
                    self._k,
                )
                assert cause is not None
                differences.append(
                    self._difference(layout, cause, top, other, everything, full.got or other)
                )
            most = max(most, moved(before, after))
        return engine_verdict(differences, bits, most)

    def _computed(self, everything: Found) -> EngineVerdict:
        other = reversed_ties(everything)
        k = self._k
        before, after = self._named(everything[:k]), self._named(other[:k])
        cause = cause_of(before, after, self._named(everything), lambda: self._named(other), k)
        if cause is None:
            return engine_verdict([])
        found = self._difference(TIES_REVERSED, cause, everything[:k], other[:k], everything, other)
        return engine_verdict([found])

    def _difference(
        self,
        layout: str,
        cause: Cause,
        before: Found,
        after: Found,
        all_before: Found,
        all_after: Found,
    ) -> Difference:
        one, two = self._named(before), self._named(after)
        shown = 2 * self._k + len(before)
        return Difference(
            layout, cause, before, after, differing(one, two), exchanged(one, two),
            all_before[:shown], all_after[:shown],
        )  # fmt: skip
