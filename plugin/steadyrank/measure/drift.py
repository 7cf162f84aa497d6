"""What changed from one run to another, and why: the records of a drift.

``base`` is the older side everywhere and ``fresh`` the newer one. All differences are in score
points, and a signed gap of two records is the score of the one that stood above in ``base`` minus
the score of the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from steadyrank.measure.drift_parts import BandDrift, BandSide, Shift, Slack, Standing
from steadyrank.measure.drift_reason import Cause, Reason
from steadyrank.measure.run import Origin, Ranking

__all__ = [
    "CHECKS",
    "DRIFT_SCHEMA",
    "Asked",
    "BandDrift",
    "BandSide",
    "Cause",
    "Check",
    "Drift",
    "Outcome",
    "QuestionDrift",
    "Reason",
    "Shift",
    "Slack",
    "Standing",
    "no_drift_verdict",
]

DRIFT_SCHEMA = 1

# What can be checked: other ids or another order of them, other ids, another first one, another
# confidence.
Check = Literal["order", "set", "first", "confidence"]
CHECKS: tuple[Check, ...] = ("order", "set", "first", "confidence")

Outcome = Literal["drift", "none", "no-verdict"]


@dataclass(frozen=True, slots=True)
class QuestionDrift:
    """One question on both sides.

    ``moves`` has every record of either answer once: those of the fresh answer in its order, then
    those that left in the base answer's order. ``events`` are band exits, entries and changes of a
    leader among records known on both sides, whether or not the order changed by them.
    ``causes`` is what was put in otherwise, and a change of confidence. ``number`` is the fresh
    run's.
    """

    number: int
    question: str
    changed: tuple[Check, ...]
    moves: tuple[Shift, ...]
    events: tuple[Reason, ...]
    causes: tuple[Reason, ...]
    bands: tuple[BandDrift, ...]
    slacks: tuple[Slack, ...]
    base: Ranking
    fresh: Ranking

    def _of(self, kind: str) -> tuple[str, ...]:
        return tuple(shift.id for shift in self.moves if shift.kind == kind)

    @property
    def entered(self) -> tuple[str, ...]:
        """Ids of the fresh answer that the base answer has not, in order."""
        return self._of("entered")

    @property
    def left(self) -> tuple[str, ...]:
        """Ids of the base answer that the fresh answer has not, in order."""
        return self._of("left")

    @property
    def moved(self) -> tuple[str, ...]:
        """Ids in both answers whose place among those in both changed, in the fresh order."""
        return self._of("moved")

    @property
    def nearest(self) -> Slack | None:
        """What shrank and is next to change the order, by how often the movement still fits."""
        shrunk = [(slack.times, slack.left, slack) for slack in self.slacks if slack.flips]
        known = [entry for entry in shrunk if entry[0] is not None]
        return min(known, key=lambda entry: entry[:2])[2] if known else None

    def to_dict(self) -> dict[str, Any]:
        """For JSON, the rankings of both sides with it."""
        nearest = self.nearest
        return {
            "number": self.number,
            "question": self.question,
            "changed": list(self.changed),
            "entered": list(self.entered),
            "left": list(self.left),
            "moved": list(self.moved),
            "moves": [shift.to_dict() for shift in self.moves],
            "events": [event.to_dict() for event in self.events],
            "causes": [cause.to_dict() for cause in self.causes],
            "bands": [asdict(band) for band in self.bands],
            "slacks": [slack.to_dict() for slack in self.slacks],
            "nearest": None if nearest is None else nearest.to_dict(),
            "base": asdict(self.base),
            "fresh": asdict(self.fresh),
        }


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that only one of the two sides was asked."""

    number: int
    question: str


@dataclass(frozen=True, slots=True)
class Drift:
    """All questions that both runs were asked, in the fresh run's order, and what differs beside.

    ``changes`` are those of the whole: versions, documents. ``only_base`` and ``only_fresh`` could
    not be compared. ``why`` says why there is no verdict.
    """

    base: Origin
    fresh: Origin
    questions: tuple[QuestionDrift, ...]
    changes: tuple[Reason, ...] = ()
    only_base: tuple[Asked, ...] = ()
    only_fresh: tuple[Asked, ...] = ()
    checked: tuple[Check, ...] = ("order",)
    why: str = ""

    def drifted(self, checks: Iterable[Check] | None = None) -> tuple[QuestionDrift, ...]:
        """The questions that changed in what is checked (None: in ``checked``)."""
        wanted = set(self.checked if checks is None else checks)
        return tuple(question for question in self.questions if wanted & set(question.changed))

    @property
    def outcome(self) -> Outcome:
        """``no-verdict`` where no question was asked on both sides: that is never a pass."""
        if not self.questions:
            return "no-verdict"
        return "drift" if self.drifted() else "none"

    @property
    def nearest(self) -> tuple[QuestionDrift, ...]:
        """Questions whose order holds and whose room shrank, the one nearest to flipping first."""
        held = [
            (near.times, near.left, question.number, question)
            for question in self.questions
            if "order" not in question.changed and (near := question.nearest) is not None
        ]
        return tuple(entry[-1] for entry in sorted(held, key=lambda entry: entry[:3]))

    def to_dict(self) -> dict[str, Any]:
        """For JSON; ``schema`` is the version of this shape. ``nearest`` are numbers of questions,
        and ``drifted`` counts them by check.
        """
        return {
            "schema": DRIFT_SCHEMA,
            "outcome": self.outcome,
            "why": self.why,
            "checked": list(self.checked),
            "compared": len(self.questions),
            "drifted": {
                **{check: len(self.drifted([check])) for check in CHECKS},
                "checked": len(self.drifted()),
            },
            "base": _origin(self.base),
            "fresh": _origin(self.fresh),
            "changes": [change.to_dict() for change in self.changes],
            "questions": [question.to_dict() for question in self.questions],
            "nearest": [question.number for question in self.nearest],
            "only_base": [asdict(asked) for asked in self.only_base],
            "only_fresh": [asdict(asked) for asked in self.only_fresh],
        }


def no_drift_verdict(why: str, checks: Iterable[Check] = ("order",)) -> Drift:
    """The drift of what could not be compared at all; ``why`` says what to do."""
    return Drift(Origin(), Origin(), (), checked=tuple(checks), why=why)


def _origin(origin: Origin) -> dict[str, Any]:
    return {
        "generation": origin.generation,
        "digest": origin.digest,
        "documents": origin.documents,
        "versions": dict(origin.versions),
    }
