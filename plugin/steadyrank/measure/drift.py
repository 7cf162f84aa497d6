"""What changed from one run to another, and why: the records of a drift.

``base`` is the older side everywhere and ``fresh`` the newer one. All differences are in score
points, and a signed gap of two records is the score of the one that stood above in ``base`` minus
the score of the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from steadyrank.measure.drift_words import room, said
from steadyrank.measure.run import Origin, Ranking

DRIFT_SCHEMA = 1

# What can be checked: other ids or another order of them, other ids, another first one, another
# confidence.
Check = Literal["order", "set", "first", "confidence"]
CHECKS: tuple[Check, ...] = ("order", "set", "first", "confidence")

Outcome = Literal["drift", "none", "no-verdict"]

Cause = Literal[
    # Of the document itself, or of the whole run: what was put in.
    "new",  # the document is not in the base index
    "gone",  # it is not in the fresh index
    "content",  # what is stored of it changed
    "settings",  # the settings, the gap, select or k differ
    "statistics",  # scores moved and contents did not, or other statistics were used
    "index",  # another index, or other documents in it: of the whole run
    "versions",  # of Whoosh, Python, Unicode or steadyrank
    "unexplained",  # nothing that a run knows tells
    # In the ranking: how the place came about.
    "route",  # the routes of the two changed
    "band exit",  # it was in the band of the other, and is below it
    "band entry",  # it was below the band of the other, and is in it
    "leader",  # the band is anchored at another record
    "score reversal",  # the order of the two by score flipped
    "out",  # it is, or was, beyond what the run kept, or did not match
    "limit",  # a quota or a limit, and not the ranking, decided
    "tie-break",  # equal in what was compared; another key decides
    "confidence",  # the answer's confidence changed
]


@dataclass(frozen=True, slots=True)
class Reason:
    """One cause with its figures.

    ``id`` is the record that it is about ("" for the whole question), ``other`` the one that it is
    seen against. ``base`` and ``fresh`` are the two figures: for "score reversal", "limit" and
    "tie-break" the signed gap; for "band exit" and "band entry" the distance to the leader, to
    hold against the gap in ``limit``; for "content", "statistics" the record's score. ``was`` and
    ``now`` are two names: of leaders, routes, settings, statistics, versions, confidences.
    ``count``: how many records it is true of ("statistics" of a question), or how many a run
    kept ("out").
    """

    cause: Cause
    id: str = ""
    other: str = ""
    base: float | None = None
    fresh: float | None = None
    limit: float | None = None
    was: str = ""
    now: str = ""
    count: int | None = None

    @property
    def text(self) -> str:
        """The reason in a few words; ids in it are as they are, and not escaped."""
        return said(self)

    def to_dict(self) -> dict[str, Any]:
        """For JSON, with its text."""
        return {**asdict(self), "text": self.text}


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a record stands in one ranking.

    ``rank`` counts from 1 through the answer and those that came after it; ``inside``: it is in
    the answer. ``band`` and ``leader`` (its band's best known record) are None without a gap,
    and so is ``distance``, the leader's score minus its own.
    """

    rank: int
    inside: bool
    score: float
    document: str
    route: int
    band: int | None = None
    leader: str | None = None
    distance: float | None = None
    content: str = ""


@dataclass(frozen=True, slots=True)
class Shift:
    """One record of either answer, and where it stands on both sides; None where it is not known.

    ``kind``: "entered" and "left" the answer; "moved": in both, and its place among those in both
    is another one; "stayed". ``within``: it passed only records that share its band on both sides.
    ``reasons``: the dominant one first, then those that contribute; empty for "stayed".
    """

    id: str
    title: str
    kind: Literal["entered", "left", "moved", "stayed"]
    base: Standing | None
    fresh: Standing | None
    within: bool = False
    reasons: tuple[Reason, ...] = ()

    @property
    def dominant(self) -> Reason | None:
        """The reason that comes first, None for a record that stayed."""
        return self.reasons[0] if self.reasons else None

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {
            "id": self.id,
            "title": self.title,
            "kind": self.kind,
            "within": self.within,
            "base": None if self.base is None else asdict(self.base),
            "fresh": None if self.fresh is None else asdict(self.fresh),
            "reasons": [reason.to_dict() for reason in self.reasons],
        }


@dataclass(frozen=True, slots=True)
class BandSide:
    """A band of one ranking, as far as it is known.

    ``members`` in the ranking's order. ``span``: the leader's score minus the lowest;
    ``headroom``: the gap minus the span; ``clearance``: how far the next record of the route is
    from joining, None where none is known. ``complete``: no member can be beyond what the run
    kept.
    """

    number: int
    leader: str
    members: tuple[str, ...]
    span: float
    headroom: float
    clearance: float | None
    complete: bool = True


@dataclass(frozen=True, slots=True)
class BandDrift:
    """A band of the base answer and the one of the fresh answer that has most of its members.

    One side is None where it has no partner.
    """

    base: BandSide | None
    fresh: BandSide | None


@dataclass(frozen=True, slots=True)
class Slack:
    """How much is left of what keeps an order, and how much of it was used since the base run.

    ``kind``: "span", a band's, of which ``limit`` (the gap) is the most there can be; "clearance",
    of the next record below a band; "margin", between two neighbours that scores decide.
    ``upper`` and ``lower`` are the two records. ``base`` and ``fresh`` are that figure on both
    sides, ``left`` what the fresh one may still lose. ``moved`` is what was used (negative: won).
    ``flips``: using it up changes the order of the answer.
    """

    kind: Literal["span", "clearance", "margin"]
    upper: str
    lower: str
    base: float
    fresh: float
    left: float
    moved: float
    limit: float | None = None
    flips: bool = True

    @property
    def times(self) -> float | None:
        """How often the same movement fits into what is left; None where nothing was used."""
        return self.left / self.moved if self.moved > 0 else None

    @property
    def text(self) -> str:
        """What was used and what is left, in words."""
        return room(self)

    def to_dict(self) -> dict[str, Any]:
        """For JSON, with its text."""
        return {**asdict(self), "times": self.times, "text": self.text}


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
