"""What a question's drift is made of: records on both sides, bands, and what is left of them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from steadyrank.measure.drift_reason import Reason
from steadyrank.measure.drift_words import room


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
