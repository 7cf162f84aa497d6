"""One ranking prepared to be held against another: who stands where, and in which band."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType

from steadyrank.measure.drift_parts import BandSide, Standing
from steadyrank.measure.run import Entry, Ranking
from steadyrank.order import total_order


@dataclass(frozen=True, slots=True)
class Side:
    """A ranking, its records by id, and its bands by number, those below the answer too.

    ``full``: more records than those known may match the question.
    """

    ranking: Ranking
    places: Mapping[str, Standing]
    bands: Mapping[int, BandSide]
    full: bool

    def together(self, one: str, other: str) -> bool:
        """Whether the two are in one band."""
        band = self.places[one].band
        return band is not None and band == self.places[other].band

    def gap(self, upper: str, lower: str) -> float:
        """The score of the first minus the score of the second."""
        return self.places[upper].score - self.places[lower].score

    def distance(self, leader: str, id: str) -> float:
        """How far the record is below this leader's band's leader, or below it without bands."""
        return self.places[self.places[leader].leader or leader].score - self.places[id].score


def side_of(ranking: Ranking) -> Side:
    """The ranking prepared. Records that a run names twice count where they stand first."""
    # A short answer with nothing after it: that is all there is.
    full = len(ranking.entries) >= ranking.k or bool(ranking.after)
    bands = _bands(ranking, full)
    inside = len(ranking.entries)
    places: dict[str, Standing] = {}
    scores = {entry.id: entry.score for entry in ranking.known}
    for rank, entry in enumerate(ranking.known, start=1):
        band = None if entry.band is None else bands[entry.band]
        places.setdefault(
            entry.id,
            Standing(
                rank=rank,
                inside=rank <= inside,
                score=entry.score,
                document=entry.document,
                route=entry.route,
                band=entry.band,
                leader=None if band is None else band.leader,
                distance=None if band is None else scores[band.leader] - entry.score,
                content=entry.content,
            ),
        )
    return Side(ranking, MappingProxyType(places), MappingProxyType(bands), full)


def _bands(ranking: Ranking, full: bool) -> dict[int, BandSide]:
    banded = [entry for entry in ranking.known if entry.band is not None]
    groups = [
        (number, list(group)) for number, group in groupby(sorted(banded, key=_number), key=_number)
    ]
    last = ranking.known[-1].band if ranking.known and full else None
    found: dict[int, BandSide] = {}
    for place, (number, members) in enumerate(groups):
        leader = _leader(members)
        following = groups[place + 1] if place + 1 < len(groups) else None
        clearance = None
        if following is not None and following[0] != last:
            best = _leader(following[1])
            if best.route == leader.route:
                clearance = (leader.score - best.score) - ranking.gap
        span = leader.score - min(entry.score for entry in members)
        found[number] = BandSide(
            number=number,
            leader=leader.id,
            members=tuple(entry.id for entry in members),
            span=span,
            headroom=ranking.gap - span,
            clearance=clearance,
            # Bands of select="score" end with the answer.
            complete=number != last or ranking.select == "score",
        )
    return found


def _number(entry: Entry) -> int:
    return entry.band or 0


def _leader(members: Sequence[Entry]) -> Entry:
    return min(members, key=total_order)
