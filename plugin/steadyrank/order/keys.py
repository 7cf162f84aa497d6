"""The order itself: two sort keys, and where a band ends. Everything else calls these."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from steadyrank.order.candidate import Ranked


def total_order(candidate: Ranked) -> tuple[int, float, Any]:
    """The sort key without bands: route, then score descending, then id.

    No two candidates have equal keys, since no two have equal ids.
    """
    return (candidate.route, -candidate.score, candidate.id)


def in_band(candidate: Ranked) -> tuple[Any, float, Any]:
    """The sort key inside one band: document, then score descending, then id.

    Documents compare by id, whatever their scores; the sections of one document by score.
    """
    return (candidate.document, -candidate.score, candidate.id)


def band_ends(ordered: Sequence[Ranked], gap: float) -> Iterator[int]:
    """Where each band ends (exclusive) in candidates sorted by the total order.

    The first candidate not yet in a band leads a new one; those that follow join while they
    have its route and ``leader.score - score <= gap``. Inclusive, and anchored at the leader:
    the distance to the neighbour does not count, so bands never chain. The expression matters:
    ``score >= leader.score - gap`` would lose members to rounding.
    """
    if not ordered:
        return
    leader = ordered[0]
    for place, candidate in enumerate(ordered):
        if candidate.route != leader.route or not leader.score - candidate.score <= gap:
            yield place
            leader = candidate
    yield len(ordered)
