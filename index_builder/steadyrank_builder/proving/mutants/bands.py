"""Close bands that reach too far, not far enough, or from the wrong candidate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from steadyrank.collecting import selection
from steadyrank.order import Ranked, band_ends
from steadyrank_builder.proving.exchange import Change
from steadyrank_builder.proving.mutation import Mutation, Occasions

Ends = Callable[[Sequence[Ranked], float], Iterator[int]]
Apart = Callable[[Ranked, Ranked, Ranked, float], bool]


def _ends_where(apart: Apart) -> Ends:
    # Band ends by another rule: whether a candidate is apart from (leader, neighbour).
    def ends(ordered: Sequence[Ranked], gap: float) -> Iterator[int]:
        if not ordered:
            return
        leader = ordered[0]
        for place in range(1, len(ordered)):
            neighbour, candidate = ordered[place - 1], ordered[place]
            if candidate.route != leader.route or apart(leader, neighbour, candidate, gap):
                yield place
                leader = candidate
        yield len(ordered)

    return ends


def _everybody(scores: Any, routes: Any, policy: Any, wanted: int) -> Any:
    # A search looks only as far down as the band it cuts can reach. With bands of another reach
    # it has to look at all.
    return np.arange(scores.size if wanted else 0), 0.0


def _with_rest(hits: Any, chosen: Any, *_: Any) -> Any:
    # Nor may it leave out what cannot be among the first of a large band as it should be.
    return chosen


def _by(ends: Ends) -> Callable[[Occasions], Sequence[Change]]:
    def changes(occasions: Occasions) -> Sequence[Change]:
        def mutant(ordered: Sequence[Ranked], gap: float) -> Iterator[int]:
            if gap and len(ordered) > 1:
                occasions.met()
            return ends(ordered, gap)

        return (
            Change(band_ends, mutant),
            Change(selection._shortlist, _everybody),
            Change(selection._without_rest, _with_rest),
        )

    return changes


_OCCASION = "no case has a gap, with two candidates or more"

BANDS = (
    Mutation(
        name="gap-times-10",
        what="bands are ten times as wide",
        guarded="the gap",
        wanted=(
            "a document whose id sorts early and whose score lies just outside the band of an "
            "expected one"
        ),
        occasion=_OCCASION,
        changes=_by(lambda ordered, gap: band_ends(ordered, gap * 10)),
    ),
    Mutation(
        name="gap-by-10",
        what="bands are a tenth as wide",
        guarded="the gap",
        wanted=(
            "an expected document within the gap of one that scores higher, before which its id "
            "sorts"
        ),
        occasion=_OCCASION,
        changes=_by(lambda ordered, gap: band_ends(ordered, gap / 10)),
    ),
    Mutation(
        name="gap-exclusive",
        what="a score exactly at the gap is outside the band",
        guarded="the edge of a band",
        wanted=(
            "a document exactly the gap below its leader whose id sorts before it, under a gap "
            "that is set to just that distance"
        ),
        occasion=_OCCASION,
        changes=_by(_ends_where(lambda leader, _, one, gap: leader.score - one.score >= gap)),
    ),
    Mutation(
        name="bands-chained",
        what="a band goes on as long as neighbours are within the gap",
        guarded="the leader as a band's anchor",
        wanted=(
            "a document outside its leader's band but within the gap of a member of it, whose id "
            "sorts before an expected one"
        ),
        occasion=_OCCASION,
        changes=_by(_ends_where(lambda _, above, one, gap: above.score - one.score > gap)),
    ),
)
