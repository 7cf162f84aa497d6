"""Bands of two answers held against each other: which is which, and who came in and went out."""

from __future__ import annotations

from collections.abc import Iterator

from steadyrank.measure.drift_parts import BandDrift, BandSide
from steadyrank.measure.drift_reason import Reason
from steadyrank.measure.drift_sides import Side


def paired(base: Side, fresh: Side) -> tuple[BandDrift, ...]:
    """The bands of both answers, each with the one of the other side that shares most with it.

    In the fresh order, then those of the base that have no partner.
    """
    old, new = _of_answer(base), _of_answer(fresh)
    shared = [
        (len(set(one.members) & set(other.members)), one.number + other.number, one, other)
        for one in old
        for other in new
    ]
    partners: dict[int, BandSide] = {}
    used: set[int] = set()
    # Two pairs with one band in common differ in the sum of their numbers: the order is total
    # where it matters, and the same with base and fresh exchanged.
    for count, _, one, other in sorted(shared, key=lambda entry: (-entry[0], entry[1])):
        if count and one.number not in used and other.number not in partners:
            partners[other.number] = one
            used.add(one.number)
    return (
        *(BandDrift(partners.get(other.number), other) for other in new),
        *(BandDrift(one, None) for one in old if one.number not in used),
    )


def _of_answer(side: Side) -> list[BandSide]:
    numbers = {entry.band for entry in side.ranking.entries}
    return [band for number, band in sorted(side.bands.items()) if number in numbers]


def events_of(base: Side, fresh: Side, bands: tuple[BandDrift, ...]) -> tuple[Reason, ...]:
    """Other routes, new leaders, exits and entries, also those that change no order; by id.

    Of records of either answer, or in a band with one or out of it.
    """
    shown = {*base.ranking.ids, *fresh.ranking.ids}
    return (
        *(reason for reason in _routes(base, fresh) if reason.id in shown),
        *(
            Reason("leader", was=pair.base.leader, now=pair.fresh.leader)
            for pair in bands
            if pair.base is not None
            and pair.fresh is not None
            and pair.base.leader != pair.fresh.leader
        ),
        *(reason for reason in _parted(base, fresh) if {reason.id, reason.other} & shown),
        *(reason for reason in _joined(base, fresh) if {reason.id, reason.other} & shown),
    )


def _routes(base: Side, fresh: Side) -> Iterator[Reason]:
    for id in sorted(base.places.keys() & fresh.places.keys()):
        was, now = base.places[id].route, fresh.places[id].route
        if was != now:
            yield Reason("route", id, was=str(was), now=str(now))


def _parted(base: Side, fresh: Side) -> Iterator[Reason]:
    for who, leader, limit in _separated(base, fresh):
        before, now = base.distance(who, who), fresh.distance(leader, who)
        yield Reason("band exit", who, leader, before, now, limit)


def _joined(base: Side, fresh: Side) -> Iterator[Reason]:
    for who, leader, limit in _separated(fresh, base):
        before, now = base.distance(leader, who), fresh.distance(who, who)
        yield Reason("band entry", who, leader, before, now, limit)


def _separated(one: Side, other: Side) -> Iterator[tuple[str, str, float]]:
    """Records that follow a leader on the one side and are in another band than it on the other.

    Each with the one of the two that is the higher one there, and the gap. The lower one is the
    one that is told about: the leader itself, where its follower rose above it.
    """
    found: dict[tuple[str, str], float] = {}
    for id, place in one.places.items():
        leader = place.leader
        if leader is None or leader == id or leader not in other.places or id not in other.places:
            continue
        bands = other.places[leader].band, other.places[id].band
        routes = other.places[leader].route, other.places[id].route
        if bands[0] is None or bands[1] is None or bands[0] == bands[1] or routes[0] != routes[1]:
            continue
        pair = (id, leader) if bands[1] > bands[0] else (leader, id)
        found.setdefault(pair, other.ranking.gap)
    for (who, leader), limit in sorted(found.items()):
        yield who, leader, limit
