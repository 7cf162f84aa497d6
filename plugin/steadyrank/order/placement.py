"""Why a result stands where it stands, and how near that was to going otherwise."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from steadyrank.order.candidate import Ranked
from steadyrank.order.keys import band_ends, total_order

DecidedBy = Literal["route", "band", "id", "score", "quota"]


@dataclass(frozen=True, slots=True)
class Placement:
    """What decided the place of one result.

    ``decided_by``: the first rule that separates it from the result above it (for the first
    result, from the one below): ``route``; ``band``, the same band but different documents;
    ``id``, equal scores; else ``score``. ``quota``: it is in only through a quota or limit.
    ``band``: its band's number from 1, None without a gap. ``tie_size``: how many results have
    exactly this score. ``margin``: this score minus the next lower one in the ranking, None for
    the lowest. ``headroom``: the gap minus the distance to the leader, None for leaders and
    without a gap. All differences are in score points.
    """

    decided_by: DecidedBy
    band: int | None
    tie_size: int
    margin: float | None
    headroom: float | None
    route: int = 0


class ScoreProfile(Protocol):
    """What a placement asks about the scores of the whole ranking, shown or not."""

    def tie_size(self, score: float) -> int:
        """How many results have exactly this score."""
        ...

    def next_lower(self, score: float) -> float | None:
        """The highest score below this one, None where there is none."""
        ...


class _SortedScores:
    def __init__(self, scores: Iterable[float]) -> None:
        self._ascending = sorted(scores)

    def tie_size(self, score: float) -> int:
        return bisect_right(self._ascending, score) - bisect_left(self._ascending, score)

    def next_lower(self, score: float) -> float | None:
        below = bisect_left(self._ascending, score)
        return self._ascending[below - 1] if below else None


def profile(scores: Iterable[float]) -> ScoreProfile:
    """The profile of these scores, in any order; O(log n) for each question."""
    return _SortedScores(scores)


def placements(
    ranking: Sequence[Ranked], gap: float, scores: ScoreProfile | None = None
) -> list[Placement]:
    """One placement for each result of a ranking that starts at the top.

    A prefix will do when its last band is complete, it has two results if there are two, and
    ``scores`` knows the scores of the whole.
    """
    known = scores or profile(result.score for result in ranking)
    band_of: dict[int, tuple[int, Ranked]] = {}
    if gap:
        by_score = sorted(range(len(ranking)), key=lambda place: total_order(ranking[place]))
        ordered = [ranking[place] for place in by_score]
        start = 0
        for number, end in enumerate(band_ends(ordered, gap), start=1):
            for place in by_score[start:end]:
                band_of[place] = (number, ordered[start])
            start = end
    return [_placement(ranking, place, gap, known, band_of) for place in range(len(ranking))]


def _placement(
    ranking: Sequence[Ranked],
    place: int,
    gap: float,
    scores: ScoreProfile,
    band_of: dict[int, tuple[int, Ranked]],
) -> Placement:
    result = ranking[place]
    lower = scores.next_lower(result.score)
    number, leader = band_of.get(place, (None, None))
    return Placement(
        decided_by=_decided_by(ranking, place, band_of),
        band=number,
        tie_size=scores.tie_size(result.score),
        margin=None if lower is None else result.score - lower,
        headroom=(
            None if leader is None or leader is result else gap - (leader.score - result.score)
        ),
        route=result.route,
    )


def _decided_by(
    ranking: Sequence[Ranked], place: int, band_of: dict[int, tuple[int, Ranked]]
) -> DecidedBy:
    if len(ranking) == 1:
        return "score"
    other_place = place - 1 if place else 1
    result, other = ranking[place], ranking[other_place]
    if result.route != other.route:
        return "route"
    same_band = place in band_of and band_of[place][0] == band_of[other_place][0]
    if same_band and result.document != other.document:
        return "band"
    return "id" if result.score == other.score else "score"
