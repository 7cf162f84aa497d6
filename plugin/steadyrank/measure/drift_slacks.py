"""How much is left of what keeps an order, and how much of it was used."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from steadyrank.measure.drift_parts import BandDrift, BandSide, Slack
from steadyrank.measure.drift_sides import Side


def slacks_of(base: Side, fresh: Side, bands: tuple[BandDrift, ...]) -> tuple[Slack, ...]:
    """Of every band of the answer its span and what it is clear of; else of every two neighbours.

    Empty where one side has a gap and the other has none: their figures do not compare.
    """
    if bool(base.ranking.gap) != bool(fresh.ranking.gap):
        return ()
    found: list[Slack] = []
    for pair in bands:
        if pair.base is not None and pair.fresh is not None:
            found += _of_band(pair.base, pair.fresh, fresh)
    return (*found, *_margins(base, fresh))


def _of_band(base: BandSide, band: BandSide, fresh: Side) -> Iterator[Slack]:
    if base.complete and band.complete and max(len(base.members), len(band.members)) > 1:
        scores = {id: fresh.places[id].score for id in band.members}
        # Of several that are the lowest, the one whose fall passes most others.
        lowest = min(scores, key=lambda id: (scores[id], fresh.places[id].rank))
        others = [id for id in scores if id != lowest] or [lowest]
        yield Slack(
            kind="span",
            upper=min(others, key=lambda id: (-scores[id], id)),
            lower=lowest,
            base=base.span,
            fresh=band.span,
            left=band.headroom,
            moved=band.span - base.span,
            limit=fresh.ranking.gap,
            # One that stands last already would stay there.
            flips=fresh.places[lowest].inside and lowest != band.members[-1],
        )
    if base.clearance is not None and band.clearance is not None:
        joining = fresh.bands[band.number + 1].leader
        document = fresh.places[joining].document
        yield Slack(
            kind="clearance",
            upper=band.leader,
            lower=joining,
            base=base.clearance,
            fresh=band.clearance,
            left=band.clearance,
            moved=base.clearance - band.clearance,
            limit=fresh.ranking.gap,
            flips=any(
                fresh.places[id].inside and document < fresh.places[id].document
                for id in band.members
            ),
        )


def _margins(base: Side, fresh: Side) -> Iterator[Slack]:
    for upper, lower in _neighbours(fresh):
        if upper not in base.places or lower not in base.places:
            continue
        if base.places[upper].route != base.places[lower].route:
            continue
        before, now = base.gap(upper, lower), fresh.gap(upper, lower)
        yield Slack("margin", upper, lower, before, now, now, before - now)


def _neighbours(side: Side) -> Iterator[tuple[str, str]]:
    """Neighbours that scores decide: the last one in and the first one out too."""
    ids = list(dict.fromkeys(entry.id for entry in side.ranking.known))
    ids = ids[: len(side.ranking.entries) + 1]
    for upper, lower in pairwise(ids):
        one, other = side.places[upper], side.places[lower]
        if one.route != other.route or one.score < other.score:
            continue
        same = side.together(upper, lower) and one.document == other.document
        if not side.ranking.gap or same:
            yield upper, lower
    if side.ranking.gap and side.ranking.select == "score" and side.ranking.after:
        out = side.ranking.after[0].id
        lowest = min(side.ranking.entries, key=lambda entry: (entry.score, entry.id)).id
        if side.places[lowest].route == side.places[out].route:
            yield lowest, out
