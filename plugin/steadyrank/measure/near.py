"""How near a verdict is to its opposite: the least change of one score that turns it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from steadyrank.measure.run import Entry, Ranking
from steadyrank.order import Candidate
from steadyrank.order.ranking import arrange

# Scores lie on a grid of this step, so nothing lies between a bound and one step beyond it.
_STEP = 2.0**-32

Verdict = Callable[[Sequence[str]], bool]


@dataclass(frozen=True, slots=True)
class Flip:
    """The least change of one record's score that turns a verdict, all other scores as they are.

    ``id`` gains (or, below 0, loses) ``change`` points, or any bit more. It then passes ``other``
    in score (``edge`` is ``score``), or enters or leaves a band with it (``band``). A change of 0
    is a tie that the id decided: whatever moves either score may turn it.
    """

    id: str
    change: float
    other: str
    edge: Literal["score", "band"]

    def __str__(self) -> str:
        if not self.change:
            return f"{self.id} has the same score as {self.other}: the id decided"
        does = "gained" if self.change > 0 else "lost"
        where = "passing" if self.edge == "score" else "crossing the band's edge at"
        return f"if {self.id} {does} {abs(self.change):.4g}, {where} {self.other}"


def nearest_flip(ranking: Ranking, verdict: Verdict) -> Flip | None:
    """The nearest flip of ``verdict``, which judges the ids of an answer in their order.

    It is looked for among the records that the ranking names, those after the answer included.
    None where no change of a single score turns the verdict, or where scores alone do not tell
    the order: limits or quotas chose, or a band goes on beyond what was read.
    """
    known = ranking.known
    now = verdict(ranking.ids)
    if len(known) < 2 or not _whole(ranking) or _ids(ranking, list(known)) != ranking.ids:
        return None
    seen: set[tuple[int, float]] = set()
    for _, place, score, bound, other, edge in sorted(_bounds(ranking)):
        if (place, score) in seen:
            continue
        seen.add((place, score))
        pool: list[Entry | Candidate] = list(known)
        moved = known[place]
        pool[place] = Candidate(moved.id, score, moved.document, moved.route)
        if verdict(_ids(ranking, pool)) is not now:
            return Flip(moved.id, bound - moved.score, known[other].id, edge)
    return None


def _ids(ranking: Ranking, pool: Sequence[Entry | Candidate]) -> tuple[str, ...]:
    count = len(ranking.entries)
    ordered = arrange(pool, ranking.gap, ranking.select, count)
    return tuple(one.id for one in ordered)


_Bound = tuple[float, int, float, float, int, Literal["score", "band"]]


def _bounds(ranking: Ranking) -> Iterator[_Bound]:
    # The order is constant between scores at which a record meets another or a band's edge, so
    # one step to each side of every such score is all there is to try.
    known, gap = ranking.known, ranking.gap
    for place, moved in enumerate(known):
        for other, fixed in enumerate(known):
            if other == place or fixed.route != moved.route:
                continue
            yield from _sides(place, moved, other, fixed.score, "score")
            if gap:
                yield from _sides(place, moved, other, fixed.score + gap, "band")
                yield from _sides(place, moved, other, fixed.score - gap, "band")


def _sides(
    place: int, moved: Entry, other: int, bound: float, edge: Literal["score", "band"]
) -> Iterator[_Bound]:
    for score in (bound - _STEP, bound + _STEP):
        yield abs(bound - moved.score), place, score, bound, other, edge


def _whole(ranking: Ranking) -> bool:
    # With bands the last one that was read may go on. What it does is not known, so it must not
    # be the one that the answer ends in, nor the one that follows.
    if not ranking.gap or ranking.select == "score" or len(ranking.entries) < ranking.k:
        return True
    if not ranking.after:
        return False
    last, at_cut = ranking.after[-1].band, ranking.entries[-1].band
    return last is None or at_cut is None or last > at_cut + 1
