"""Close bands: results too near in score to be told apart by it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from steadyrank.order.candidate import Candidate
from steadyrank.order.keys import band_ends, in_band
from steadyrank.order.policy import checked_gap
from steadyrank.order.ranking import rank


@dataclass(frozen=True, slots=True)
class Band:
    """Results within the gap of their leader.

    ``leader`` is the best by score and id, ``members`` all of them (the leader too) in their
    final order. ``span`` is the leader's score minus the lowest in the band; ``headroom`` how
    much more it could be (gap - span); ``clearance`` how far the next candidate of the route is
    from joining (None: there is none).
    """

    leader: Candidate
    members: tuple[Candidate, ...]
    span: float
    headroom: float
    clearance: float | None


def bands(candidates: Iterable[Candidate], gap: float) -> list[Band]:
    """All bands of the candidates, best first; empty without a gap, since there are none then.

    Their members, one band after the other, are ``rank(candidates, gap)``. Raises as ``rank``.
    """
    gap = checked_gap(gap)
    if not gap:
        return []
    ordered = rank(candidates)
    found = []
    start = 0
    for end in band_ends(ordered, gap):
        leader = ordered[start]
        span = leader.score - ordered[end - 1].score
        follower = ordered[end] if end < len(ordered) else None
        clearance = (
            (leader.score - follower.score) - gap
            if follower is not None and follower.route == leader.route
            else None
        )
        members = tuple(sorted(ordered[start:end], key=in_band))
        found.append(Band(leader, members, span, gap - span, clearance))
        start = end
    return found
