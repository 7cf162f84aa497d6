"""Two records whose order flipped: what put the one above the other before, and what now."""

from __future__ import annotations

from typing import Literal

from steadyrank.measure.drift_parts import Standing
from steadyrank.measure.drift_reason import Reason
from steadyrank.measure.drift_sides import Side

_Rule = Literal["route", "score", "document", "id", "limit", "tie-break"]


def flipped(upper: str, lower: str, mover: str, base: Side, fresh: Side) -> tuple[Reason, ...]:
    """Why ``lower`` is above ``upper`` in fresh, and was below it in base; the dominant one first.

    Both are known on both sides. ``mover`` is the one of the two that is told about.
    """
    before = _rule(upper, lower, base)
    now = _rule(lower, upper, fresh)
    rerouted = [id for id in (upper, lower) if base.places[id].route != fresh.places[id].route]
    if "route" in (before, now) and rerouted:
        return tuple(
            Reason("route", id, was=str(base.places[id].route), now=str(fresh.places[id].route))
            for id in sorted(rerouted, key=lambda id: (id != mover, id))
        )
    partner = lower if mover == upper else upper
    figures = base.gap(upper, lower), fresh.gap(upper, lower)
    if "limit" in (before, now):
        return (Reason("limit", mover, partner, *figures),)
    together = base.together(upper, lower), fresh.together(upper, lower)
    reversal = Reason("score reversal", mover, partner, *figures)
    if together[0] != together[1]:
        told = (_exit if together[0] else _entry)(upper, lower, base, fresh)
        return (*told, reversal) if figures[0] > 0 > figures[1] else told
    reversed_ = figures[0] >= 0 >= figures[1]
    if figures == (0, 0) or ("tie-break" in (before, now) and not reversed_):
        return (Reason("tie-break", mover, partner, *figures),)
    return (reversal,)


def _rule(upper: str, lower: str, side: Side) -> _Rule:
    """The rule that puts the upper one above the lower one."""
    one, other = side.places[upper], side.places[lower]
    # Against the order by score and id: a limit lets in and keeps out, a key sorts.
    against: _Rule = "limit" if one.inside != other.inside else "tie-break"
    if one.route != other.route:
        return "route" if one.route < other.route else against
    if one.band is not None and other.band is not None and one.band != other.band:
        return "score" if one.band < other.band else against
    if side.together(upper, lower) and one.document != other.document:
        return "document" if one.document < other.document else against
    if one.score != other.score:
        return "score" if one.score > other.score else against
    return "id" if upper < lower else against


def _exit(upper: str, lower: str, base: Side, fresh: Side) -> tuple[Reason, ...]:
    if _cut_off(fresh.places[upper], fresh.places[lower], fresh):
        return (
            Reason(
                "out",
                upper,
                lower,
                base.gap(upper, lower),
                fresh.gap(upper, lower),
                now="fresh",
                count=len(fresh.ranking.entries),
            ),
        )
    left = Reason(
        "band exit",
        upper,
        lower,
        base.distance(upper, upper),
        fresh.distance(lower, upper),
        fresh.ranking.gap or base.ranking.gap,
    )
    return _with_leader(left, upper, base.places[upper], fresh.places[lower], fresh, base)


def _entry(upper: str, lower: str, base: Side, fresh: Side) -> tuple[Reason, ...]:
    if _cut_off(base.places[lower], base.places[upper], base):
        return (
            Reason(
                "out",
                lower,
                upper,
                base.gap(upper, lower),
                fresh.gap(upper, lower),
                was="base",
                count=len(base.ranking.entries),
            ),
        )
    entry = Reason(
        "band entry",
        lower,
        upper,
        base.distance(upper, lower),
        fresh.distance(lower, lower),
        base.ranking.gap or fresh.ranking.gap,
    )
    return _with_leader(entry, lower, base.places[upper], fresh.places[lower], base, fresh)


def _cut_off(outside: Standing, inside: Standing, side: Side) -> bool:
    """Whether the one has no band because only the answer has bands (select="score")."""
    return side.ranking.gap > 0 and (outside.band is None or inside.band is None)


def _with_leader(
    reason: Reason, id: str, before: Standing, now: Standing, apart: Side, banded: Side
) -> tuple[Reason, ...]:
    """With the change of the leader, where there is one, and first where it did it alone.

    ``apart`` is the side on which the record is outside the band, ``banded`` the other one. The
    leader did it alone where the record is within the gap of the other side's leader there too.
    """
    if before.leader == now.leader or before.leader is None or now.leader is None:
        return (reason,)
    leader = Reason("leader", was=before.leader, now=now.leader)
    own = banded.places[id].leader
    if own is None or own not in apart.places:
        return (leader, reason)
    alone = own != id and apart.places[own].score - apart.places[id].score <= apart.ranking.gap
    return (leader, reason) if alone else (reason, leader)
