"""From arrays of scores to the top of the order, reading ids only where a tie or band asks."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from heapq import nsmallest
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steadyrank.arithmetic import Scores, largest_first
from steadyrank.order import (
    Placement,
    Policy,
    arrange,
    band_ends,
    placements,
    total_order,
)
from steadyrank.postings import Identity
from steadyrank.postings.decode import Docs
from steadyrank.scoring import Hits


@dataclass(frozen=True, slots=True)
class Entry:
    """A candidate of the order core that remembers its document number."""

    score: float
    id: Any
    document: Any
    route: int
    doc: int


@dataclass(frozen=True, slots=True)
class ShownBand:
    """A band of which at least one result is shown; its figures count all its members.

    ``size`` members, ``span`` the leader's score minus the lowest, ``headroom`` the gap minus
    the span, ``clearance`` how far the next result of the route is from joining, None for none.
    """

    number: int
    leader: Entry
    size: int
    span: float
    headroom: float
    clearance: float | None


@dataclass(frozen=True, slots=True)
class Selection:
    """The top of a ranking, and what its placements are worked out from.

    ``pool`` starts with the top in final order and goes on (to the result below the only one, to
    the leader of the band that straddles the limit), so that what decided a place can be told.
    """

    pool: list[Entry]
    size: int
    gap: float
    scores: RankingScores
    reverse: bool = False

    @property
    def top(self) -> list[Entry]:
        return self.pool[: self.size]

    def placements(self) -> list[Placement]:
        return placements(self.pool, self.gap, self.scores)[: self.size]

    def bands(self) -> list[ShownBand]:
        """The bands of the top, best first; empty without a gap."""
        if not self.gap:
            return []
        ordered = sorted(self.pool, key=total_order)
        shown = {entry.doc for entry in self.top}
        found = []
        start = 0
        for number, end in enumerate(band_ends(ordered, self.gap), start=1):
            leader = ordered[start]
            if shown.isdisjoint(entry.doc for entry in ordered[start:end]):
                break
            size, lowest = self.scores.band(leader.route, leader.score, self.gap)
            span = leader.score - lowest
            lower = self.scores.next_lower_in(leader.route, lowest)
            clearance = None if lower is None else (leader.score - lower) - self.gap
            found.append(ShownBand(number, leader, size, span, self.gap - span, clearance))
            start = end
        return found


def select(
    hits: Hits,
    identity: Identity,
    policy: Policy,
    limit: int | None,
    routes: Docs | None = None,
) -> Selection:
    """The first ``limit`` hits (None: all) in the order of the policy.

    ``routes`` are those of the hits, where they are known already; else the policy says them.
    """
    size = hits.docs.size if limit is None else min(limit, hits.docs.size)
    routes = identity.routes(hits.docs) if routes is None else routes
    # Under select="score" who is in is decided before any band; else the first is decided
    # against the second, so that must be there.
    wanted = size if policy.select == "score" else min(max(size, 2), hits.docs.size)
    chosen, straddling = _shortlist(hits.scores, routes, policy, wanted)
    if routes is None and chosen.size > wanted:
        chosen = _without_rest(hits, chosen, straddling, identity, policy, wanted)
    scores = hits.scores[chosen]
    docs = hits.docs[chosen]
    route = None if routes is None else routes[chosen]
    ids, documents = _keys(docs, scores, identity, policy)
    entries: Iterable[tuple[Any, ...]] = zip(
        scores.tolist(),
        ids,
        documents,
        [0] * docs.size if route is None else route.tolist(),
        docs.tolist(),
        strict=True,
    )
    if not policy.gap and docs.size > wanted:
        # A large tie straddles the limit: its lowest ids are found without sorting it.
        entries = nsmallest(wanted, entries, key=lambda entry: (entry[3], -entry[0], entry[1]))
    pool = [Entry(*entry) for entry in entries]
    if policy.gap and policy.select == "score":
        pool = arrange(pool, 0.0, "band", size)
    return Selection(
        arrange(pool, policy.gap), size, policy.gap, RankingScores(hits.scores, routes)
    )


def by_score(hits: Hits, identity: Identity) -> NDArray[np.int64]:
    """The places of all hits, those with higher scores first and equal ones by their keys."""
    tied = _tied(hits.scores)
    among_equals = np.zeros(hits.docs.size, np.int64)
    keys = identity.keys(hits.docs[tied])
    among_equals[tied[sorted(range(tied.size), key=keys.__getitem__)]] = np.arange(tied.size)
    order: NDArray[np.int64] = np.lexsort((among_equals, -hits.scores))
    return order


def _shortlist(
    scores: Scores, routes: Docs | None, policy: Policy, wanted: int
) -> tuple[NDArray[np.int64], float]:
    # Places of all hits that can be among the first so many, and of the rest of their bands; the
    # score from which the last tie or band on begins, of the last route.
    if wanted in (0, scores.size):
        return np.arange(wanted), 0.0
    if routes is None:
        return _within(scores, np.arange(scores.size), policy, wanted)
    chosen: list[NDArray[np.int64]] = []
    straddling = 0.0
    for route in np.unique(routes):
        places = np.flatnonzero(routes == route)
        if places.size > wanted:
            places, straddling = _within(scores, places, policy, wanted)
        chosen.append(places)
        wanted -= places.size
        if wanted <= 0:
            break
    return np.concatenate(chosen), straddling


def _within(
    scores: Scores, places: NDArray[np.int64], policy: Policy, wanted: int
) -> tuple[NDArray[np.int64], float]:
    # Within one route: the wanted highest, everything that ties with the last of them, and with
    # a gap the rest of its band; and the score of the last of them or of the band's leader.
    own = scores[places]
    last = largest_first(own, wanted)
    if not _bands_decide(policy):
        return places[own >= last], last
    near = places[last - own <= policy.gap]  # every possible member of the band of the last
    descending = -np.sort(-scores[near])
    reached = 0
    leader = last
    while reached < wanted:
        leader = float(descending[reached])
        reached = bisect_left(
            range(descending.size),
            True,
            lo=reached,
            key=partial(_is_beyond, descending, leader, policy.gap),
        )
    chosen: NDArray[np.int64] = near[scores[near] >= descending[reached - 1]]
    return chosen, leader


def _is_beyond(descending: Scores, leader: float, gap: float, place: int) -> bool:
    return not leader - descending[place] <= gap


def _bands_decide(policy: Policy) -> bool:
    # Whether bands decide who is in.
    return bool(policy.gap) and policy.select == "band"


def _without_rest(
    hits: Hits,
    chosen: NDArray[np.int64],
    straddling: float,
    identity: Identity,
    policy: Policy,
    wanted: int,
) -> NDArray[np.int64]:
    # Of a large tie or band that straddles the limit only the lowest ids are wanted, and a
    # band's leader. ``straddling`` is the score that it begins with.
    scores = hits.scores[chosen]
    before, group = chosen[scores > straddling], chosen[scores <= straddling]
    lowest = _lowest(hits, group, identity, policy, wanted - before.size)
    if lowest is None:
        return chosen
    kept = [before, lowest]
    if _bands_decide(policy):
        leading = chosen[scores == straddling]
        leader = leading if leading.size == 1 else _lowest(hits, leading, identity, policy, 1)
        kept.append(leading if leader is None else leader)
    return np.unique(np.concatenate(kept))


def _lowest(
    hits: Hits, places: NDArray[np.int64], identity: Identity, policy: Policy, count: int
) -> NDArray[np.int64] | None:
    # The places of the lowest ids; None where that cannot be told sooner than from all of them.
    if policy.document_field is not None and _bands_decide(policy):  # which comes before the id
        return None
    found = identity.lowest(hits.docs[places], count)
    return None if found is None else np.searchsorted(hits.docs, found)


def _keys(
    docs: Docs, scores: Scores, identity: Identity, policy: Policy
) -> tuple[list[Any], list[Any]]:
    if policy.gap:
        keys = identity.keys(docs)
        return keys, identity.documents(docs, keys)
    # Ids are compared among equal scores only; the others keep a key that nothing looks at.
    keys = [()] * docs.size
    tied = _tied(scores)
    for place, key in zip(tied.tolist(), identity.keys(docs[tied]), strict=True):
        keys[place] = key
    return keys, keys


def _tied(scores: Scores) -> NDArray[np.int64]:
    # The places of the scores that occur more than once.
    values, inverse, counts = np.unique(scores, return_inverse=True, return_counts=True)
    if values.size == scores.size:
        return np.arange(0)
    return np.flatnonzero(counts[inverse.ravel()] > 1)


class RankingScores:
    """The scores of a whole ranking, also of the part that is not shown; a ScoreProfile."""

    def __init__(self, scores: Scores, routes: Docs | None) -> None:
        self._scores = scores
        self._routes = routes
        self._ascending: Scores | None = None

    def _sorted(self) -> Scores:
        if self._ascending is None:
            self._ascending = np.sort(self._scores)
        return self._ascending

    def tie_size(self, score: float) -> int:
        return int(
            np.searchsorted(self._sorted(), score, "right")
            - np.searchsorted(self._sorted(), score, "left")
        )

    def next_lower(self, score: float) -> float | None:
        ascending = self._sorted()
        below = int(np.searchsorted(ascending, score, "left"))
        return float(ascending[below - 1]) if below else None

    def band(self, route: int, leader: float, gap: float) -> tuple[int, float]:
        """How many results of a route are in the band with this leader's score, and their lowest
        score.
        """
        scores = self._scores if self._routes is None else self._scores[self._routes == route]
        members = scores[(scores <= leader) & (leader - scores <= gap)]
        return members.size, float(members.min())

    def next_lower_in(self, route: int, score: float) -> float | None:
        """The highest score below this one among the results of one route."""
        if self._routes is None:
            return self.next_lower(score)
        lower = self._scores[(self._routes == route) & (self._scores < score)]
        return float(lower.max()) if lower.size else None
