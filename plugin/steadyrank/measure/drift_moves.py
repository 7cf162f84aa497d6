"""The records of two answers to one question: who entered, left and moved, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from steadyrank.measure.drift_inputs import Inputs
from steadyrank.measure.drift_pairs import flipped
from steadyrank.measure.drift_parts import Shift
from steadyrank.measure.drift_reason import Cause, Reason
from steadyrank.measure.drift_sides import Side

# How many of those that a record changed its order with are looked at, the highest first.
PARTNERS = 5

_Kind = Literal["entered", "left", "moved", "stayed"]
_Way = tuple[str, tuple[Reason, ...]]  # the other record, and what happened between the two

# Which of several things that happened in the ranking is told first.
_FIRST: dict[Cause, int] = {
    "route": 0,
    "new": 1,
    "gone": 1,
    "band exit": 2,
    "band entry": 2,
    "leader": 2,
    "score reversal": 3,
    "limit": 4,
    "tie-break": 5,
    "out": 6,
}


def moves_of(inputs: Inputs) -> tuple[Shift, ...]:
    """Every record of either answer: the fresh ones in order, then those that left."""
    base, fresh = inputs.base.ranking.ids, inputs.fresh.ranking.ids
    entered = [id for id in fresh if id not in set(base)]
    left = [id for id in base if id not in set(fresh)]
    before = [id for id in base if id in set(fresh)]
    now = [id for id in fresh if id in set(base)]
    old, new = _numbered(before), _numbered(now)
    found = []
    for id in fresh:
        if id not in old:
            found.append(_entered(id, left, inputs))
        elif old[id] != new[id]:
            passed = [one for one in now if (old[one] < old[id]) != (new[one] < new[id])]
            found.append(_moved(id, passed, inputs))
        else:
            found.append(_shift(id, "stayed", inputs))
    return (*found, *(_left(id, entered, inputs) for id in left))


def _numbered(ids: Iterable[str]) -> dict[str, int]:
    return {id: place for place, id in enumerate(ids)}


def _entered(id: str, left: Sequence[str], inputs: Inputs) -> Shift:
    if id in inputs.base_shelf.absent:
        return _shift(id, "entered", inputs, (Reason("new", id), *inputs.settings))
    ways: list[_Way] = []
    for out in left[:PARTNERS]:
        if out in inputs.fresh_shelf.absent:
            ways.append((out, (Reason("gone", out),)))
        elif id not in inputs.base.places:
            ways.append((out, (_beyond(id, "base", inputs),)))
        elif out not in inputs.fresh.places:
            ways.append((out, (_beyond(out, "fresh", inputs),)))
        else:
            ways.append((out, flipped(out, id, id, inputs.base, inputs.fresh)))
    if not left and id not in inputs.base.places:
        ways.append((id, (_beyond(id, "base", inputs),)))
    return _shift(id, "entered", inputs, _ordered(id, ways, inputs))


def _left(id: str, entered: Sequence[str], inputs: Inputs) -> Shift:
    if id in inputs.fresh_shelf.absent:
        return _shift(id, "left", inputs, (Reason("gone", id), *inputs.settings))
    ways: list[_Way] = []
    for come in entered[:PARTNERS]:
        if come in inputs.base_shelf.absent:
            ways.append((come, (Reason("new", come),)))
        elif id not in inputs.fresh.places:
            ways.append((come, (_beyond(id, "fresh", inputs),)))
        elif come not in inputs.base.places:
            ways.append((come, (_beyond(come, "base", inputs),)))
        else:
            ways.append((come, flipped(id, come, id, inputs.base, inputs.fresh)))
    if not entered and id not in inputs.fresh.places:
        ways.append((id, (_beyond(id, "fresh", inputs),)))
    return _shift(id, "left", inputs, _ordered(id, ways, inputs))


def _moved(id: str, passed: Sequence[str], inputs: Inputs) -> Shift:
    base, fresh = inputs.base, inputs.fresh
    # By both ranks together, so that base and fresh exchanged bring the same ones.
    nearest = sorted(passed, key=lambda one: (base.places[one].rank + fresh.places[one].rank, one))
    ways: list[_Way] = []
    for one in nearest[:PARTNERS]:
        above = base.places[id].rank < base.places[one].rank
        upper, lower = (id, one) if above else (one, id)
        ways.append((one, flipped(upper, lower, id, base, fresh)))
    within = all(base.together(id, one) and fresh.together(id, one) for one in passed)
    return _shift(id, "moved", inputs, _ordered(id, ways, inputs), within)


def _ordered(id: str, ways: Sequence[_Way], inputs: Inputs) -> tuple[Reason, ...]:
    """What was put in otherwise on purpose, what happened in the ranking, what moved the scores."""
    own = inputs.rewritten(id)
    told = sorted(ways, key=lambda way: _FIRST[way[1][0].cause])
    partner = [told[0][0]] if told else []
    reasons = [
        *inputs.settings,
        *([] if own is None else [own]),
        *inputs.statistics,
        *(reason for _, way in told for reason in way),
        *(reason for one in (id, *partner) for reason in inputs.rescored(one)),
    ]
    return tuple(dict.fromkeys(reasons)) or (Reason("unexplained", id),)


def _beyond(id: str, name: str, inputs: Inputs) -> Reason:
    side: Side = inputs.base if name == "base" else inputs.fresh
    count = len(side.ranking.known) if side.full else None
    return Reason(
        "out",
        id,
        was=name if name == "base" else "",
        now=name if name == "fresh" else "",
        count=count,
    )


def _shift(
    id: str, kind: _Kind, inputs: Inputs, reasons: tuple[Reason, ...] = (), within: bool = False
) -> Shift:
    shown = (*inputs.fresh.ranking.entries, *inputs.base.ranking.entries)
    return Shift(
        id=id,
        title=next(entry.title for entry in shown if entry.id == id),
        kind=kind,
        base=inputs.base.places.get(id),
        fresh=inputs.fresh.places.get(id),
        within=within,
        reasons=reasons,
    )
