"""What an audit found: how many answers of an index are decided by how it happens to be stored.

An answer *flips* when the same live documents, written in another layout, give the same question
another top k. Records only; who asks and who rebuilds is no concern of theirs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from types import MappingProxyType
from typing import Any, Literal

from steadyrank.measure.run import Origin, Ranking

AUDIT_SCHEMA = 1

# What made an answer differ. "cut": records of equal score stand on both sides of the last place;
# "inside": records of equal score changed places; "lost": a search with a limit left out or
# misplaced a hit that the search without one has; "bits": scores themselves moved, and the order
# with them. Over several layouts an answer has the first of CAUSES that applies to one of them.
Cause = Literal["lost", "bits", "cut", "inside"]
CAUSES: tuple[Cause, ...] = ("lost", "bits", "cut", "inside")

Outcome = Literal["flips", "none", "no-verdict"]

# At which shares margins are told, smallest first.
QUANTILES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)


@dataclass(frozen=True, slots=True)
class Share:
    """A number of answers: of different questions, and as often as the log asks them."""

    distinct: int = 0
    asked: int = 0

    def __add__(self, other: Share) -> Share:
        return Share(self.distinct + other.distinct, self.asked + other.asked)


@dataclass(frozen=True, slots=True)
class Layout:
    """A way in which the live documents were written again.

    ``computed``: not written, but told from the ties of the index as it is.
    """

    name: str
    segments: int
    seed: int | None = None
    computed: bool = False


@dataclass(frozen=True, slots=True)
class NotRebuilt:
    """Why no other layout could be written; ``fields`` are those that stand in the way."""

    reason: str
    fields: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Column:
    """What one engine did over all layouts.

    ``flips`` are the answers that were not the same everywhere, ``causes`` their parts, one cause
    each. ``bits``: answers whose records are the same everywhere, and a score of theirs is not,
    to the bit. ``layouts`` counts the flips against each layout by name.
    """

    flips: Share = Share()
    causes: Mapping[Cause, Share] = field(default_factory=lambda: MappingProxyType({}))
    bits: Share = Share()
    layouts: Mapping[str, Share] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Ties:
    """Answers with equal scores of different records in the index as it is.

    ``cut``: between the last place and the one after it; ``inside``: between two places;
    ``any``: one or both.
    """

    cut: Share = Share()
    inside: Share = Share()
    any: Share = Share()


@dataclass(frozen=True, slots=True)
class Margins:
    """How far answers are from flipping, in score points: ``values`` at ``QUANTILES``.

    ``answers`` is how many have such a margin; without any, ``values`` is empty.
    """

    answers: int = 0
    values: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Example:
    """A question whose two rankings differ, ``before`` from the index as it is.

    ``layout`` names what ``after`` is from: a layout, or ``limit=None`` where a search with a
    limit and one without differ in the same index. ``ranks`` are the places, from 1, that differ.
    ``asked`` is how often the log has the question.
    """

    asked: int
    cause: Cause
    layout: str
    ranks: tuple[int, ...]
    before: Ranking
    after: Ranking

    @property
    def number(self) -> int:
        return self.before.number

    @property
    def question(self) -> str:
        return self.before.question


@dataclass(frozen=True, slots=True)
class Failed:
    """A question that could not be asked. ``stage``: parsing it, or searching for it."""

    number: int
    question: str
    asked: int
    stage: Literal["parse", "search"]
    error: str


@dataclass(frozen=True, slots=True)
class Subject:
    """The index that was audited and how it was asked.

    ``ours``: its answers are judged under steadyrank's order, not as stock Whoosh gives them.
    ``id_field`` None: records are told apart by all their stored fields. ``alike`` counts those
    that cannot be told from another, so that their order is none. ``deleted`` documents are still
    in its files.
    """

    path: str
    origin: Origin
    segments: int
    deleted: int
    id_field: str | None
    fields: Mapping[str, float]
    syntax: Literal["words", "whoosh"]
    ours: bool = False
    alike: int = 0


@dataclass(frozen=True, slots=True)
class Audit:
    """An audit of one index with one log of questions.

    ``questions`` is what the log has, ``sampled`` what of it was asked, ``answers`` those that
    got at least one hit, ``empty`` those that got none; ``failed`` could not be asked. Shares
    are of ``answers``. ``lost`` are answers that differ between ``limit=k`` and ``limit=None``
    in the index as it is. ``cut`` and ``inside`` are margins of the answers that neither
    flipped nor tie; ``moved`` is the most that a score of an answer moved between layouts, and
    ``near`` counts the answers without a flip whose smallest margin is not above it.
    """

    subject: Subject
    k: int
    questions: Share
    sampled: Share
    answers: Share
    empty: Share
    failed: tuple[Failed, ...]
    layouts: tuple[Layout, ...]
    not_rebuilt: NotRebuilt | None
    stock: Column
    steady: Column
    ties: Ties
    lost: Share
    cut: Margins
    inside: Margins
    moved: float
    near: Share
    examples: tuple[Example, ...]

    @property
    def judged(self) -> Column:
        """The column that the outcome speaks of."""
        return self.steady if self.subject.ours else self.stock

    @property
    def outcome(self) -> Outcome:
        """``no-verdict`` where no question got an answer, or one of ours was not written again:
        that is never a pass.
        """
        if not self.answers.distinct or (self.subject.ours and self.not_rebuilt):
            return "no-verdict"
        lost = 0 if self.subject.ours else self.lost.distinct
        return "flips" if self.judged.flips.distinct or lost else "none"

    def to_dict(self) -> dict[str, Any]:
        """For JSON; ``schema`` is the version of this shape. Doubles survive it to the bit."""
        content: dict[str, Any] = _plain(self)
        content["origin"] = content["subject"].pop("origin")
        content["margins"] = {
            "quantiles": list(QUANTILES),
            "cut": content.pop("cut"),
            "inside": content.pop("inside"),
        }
        return {"schema": AUDIT_SCHEMA, "outcome": self.outcome, **content}


def _plain(value: Any) -> Any:
    # dataclasses.asdict cannot copy a MappingProxyType.
    if is_dataclass(value):
        return {part.name: _plain(getattr(value, part.name)) for part in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def quantiles(margins: Sequence[float]) -> Margins:
    """The margins at ``QUANTILES``, each the value at that share of the sorted list (no mean)."""
    if not margins:
        return Margins()
    ordered = sorted(margins)
    last = len(ordered) - 1
    return Margins(len(ordered), tuple(ordered[round(share * last)] for share in QUANTILES))
