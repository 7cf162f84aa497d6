"""Two runs held against each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from steadyrank.measure.drift import Asked, Check, Drift, QuestionDrift, Reason
from steadyrank.measure.drift_bands import events_of, paired
from steadyrank.measure.drift_inputs import (
    Inputs,
    origin_changes,
    settings_changes,
    version_changes,
)
from steadyrank.measure.drift_moves import moves_of
from steadyrank.measure.drift_shelf import Shelf, shelves_of
from steadyrank.measure.drift_sides import side_of
from steadyrank.measure.drift_slacks import slacks_of
from steadyrank.measure.run import Ranking, Run

_NOTHING: Mapping[str, str | None] = MappingProxyType({})


def drift_of(
    base: Run,
    fresh: Run,
    base_holds: Mapping[str, str | None] = _NOTHING,
    fresh_holds: Mapping[str, str | None] = _NOTHING,
    checks: Sequence[Check] = ("order",),
) -> Drift:
    """What changed from one run to the other, question by question, and why.

    Questions are matched by their text, and where a run has one several times, in their order.
    ``base_holds`` and ``fresh_holds``: what is known of the indexes beside the rankings, by
    document a hash of its content ("" where unknown), or None where it is not in the index.
    ``checks`` is what the outcome speaks of.
    """
    shelves = shelves_of(base, fresh, base_holds, fresh_holds)
    old, new = _by_text(base), _by_text(fresh)
    questions = tuple(
        _question(old[key], ranking, base, fresh, shelves)
        for key, ranking in new.items()
        if key in old
    )
    return Drift(
        base=base.origin,
        fresh=fresh.origin,
        questions=questions,
        changes=tuple(origin_changes(base.origin, fresh.origin)),
        only_base=_asked(ranking for key, ranking in old.items() if key not in new),
        only_fresh=_asked(ranking for key, ranking in new.items() if key not in old),
        checked=tuple(checks),
        why="" if questions else "no question was asked on both sides",
    )


def _by_text(run: Run) -> dict[tuple[str, int], Ranking]:
    seen: Counter[str] = Counter()
    found = {}
    for ranking in run.rankings:
        found[ranking.question, seen[ranking.question]] = ranking
        seen[ranking.question] += 1
    return found


def _asked(rankings: Iterator[Ranking]) -> tuple[Asked, ...]:
    return tuple(Asked(ranking.number, ranking.question) for ranking in rankings)


def _question(
    old: Ranking, new: Ranking, base: Run, fresh: Run, shelves: tuple[Shelf, Shelf]
) -> QuestionDrift:
    one, other = side_of(old), side_of(new)
    statistics = (
        (Reason("statistics", was=old.statistics, now=new.statistics),)
        if old.statistics != new.statistics
        else ()
    )
    inputs = Inputs(
        base=one,
        fresh=other,
        base_shelf=shelves[0],
        fresh_shelf=shelves[1],
        settings=tuple(settings_changes(old, new)),
        statistics=statistics,
        versions=tuple(version_changes(base.origin, fresh.origin)),
        same_index=base.origin.digest is not None and base.origin.digest == fresh.origin.digest,
    )
    bands = paired(one, other)
    return QuestionDrift(
        number=new.number,
        question=new.question,
        changed=changed(old, new),
        moves=moves_of(inputs),
        events=events_of(one, other, bands),
        causes=tuple(_causes(inputs)),
        bands=bands,
        slacks=slacks_of(one, other, bands),
        base=old,
        fresh=new,
    )


def changed(base: Ranking, fresh: Ranking) -> tuple[Check, ...]:
    """What of an answer changed, in the order of the checks."""
    differs: dict[Check, bool] = {
        "order": base.ids != fresh.ids,
        "set": set(base.ids) != set(fresh.ids),
        "first": base.ids[:1] != fresh.ids[:1],
        "confidence": base.confidence != fresh.confidence,
    }
    return tuple(check for check, does in differs.items() if does)


def _causes(inputs: Inputs) -> Iterator[Reason]:
    """Of the whole question: what was put in otherwise, once each, and its confidence."""
    old, new = inputs.base.ranking, inputs.fresh.ranking
    yield from inputs.settings
    yield from inputs.statistics
    answers = sorted({*old.ids, *new.ids})
    yield from (Reason("new", id) for id in answers if id in inputs.base_shelf.absent)
    yield from (Reason("gone", id) for id in answers if id in inputs.fresh_shelf.absent)
    yield from (why for id in answers if (why := inputs.rewritten(id)) is not None)
    told: dict[str, list[Reason]] = {}
    for id in sorted(inputs.base.places.keys() & inputs.fresh.places.keys()):
        for why in inputs.rescored(id):
            told.setdefault(why.cause, []).append(why)
    for cause in ("statistics", "versions", "unexplained"):
        if cause in told and not (cause == "statistics" and inputs.statistics):
            yield _most(told[cause])
    if old.confidence != new.confidence:
        one, other = old.entries[:1], new.entries[:1]
        yield Reason(
            "confidence",
            id=other[0].id if other else "",
            other=one[0].id if one else "",
            base=one[0].score if one else None,
            fresh=other[0].score if other else None,
            was=old.confidence or "",
            now=new.confidence or "",
        )


def _most(reasons: Sequence[Reason]) -> Reason:
    """The one whose score moved most, with how many moved."""

    def moved(reason: Reason) -> float:
        return abs((reason.fresh or 0.0) - (reason.base or 0.0))

    most = min(reasons, key=lambda reason: (-moved(reason), reason.id))
    return Reason(
        most.cause, most.id, most.other, most.base, most.fresh, None, most.was, most.now,
        len(reasons) if most.base is not None else None,
    )  # fmt: skip
