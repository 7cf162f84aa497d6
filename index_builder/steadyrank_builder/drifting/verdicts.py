"""What a replay found: which logged answers are others now, and what was changed meanwhile."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any, Literal

from steadyrank.answering import Fingerprint
from steadyrank_builder.drifting.log import Logged, Malformed

REPLAY_SCHEMA = 1

# What of an answer is another: which pieces, their order, their scores, their texts; "unknown"
# where the log keeps only fingerprints.
What = Literal["set", "order", "scores", "texts", "unknown"]
WHATS: tuple[What, ...] = ("set", "order", "scores", "texts", "unknown")

# What may have made it another. "ranking": none of the others differs.
Cause = Literal["settings", "index", "versions", "ranking"]
CAUSES: tuple[Cause, ...] = ("settings", "index", "versions", "ranking")

Outcome = Literal["changed", "same", "no-verdict"]


@dataclass(frozen=True, slots=True)
class Replayed:
    """One logged answer against one of now, or against the one logged before it.

    ``index`` is the folder that was asked, and ``against`` the line of the earlier answer where
    none was; the other is None. ``what`` is None for an answer that is the same. ``differs`` are
    the parts of the fingerprint that differ, without effect where the answer is the same.
    """

    line: int
    question: str
    index: str | None
    against: int | None
    what: What | None
    differs: tuple[Cause, ...]
    before: tuple[str, ...] | None
    now: tuple[str, ...] | None
    logged: Fingerprint
    fresh: Fingerprint

    @property
    def causes(self) -> tuple[Cause, ...]:
        """What may have changed the answer: all that differs, or the ranking itself."""
        if self.what is None:
            return ()
        return self.differs or ("ranking",)

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {**asdict(self), "causes": list(self.causes)}


@dataclass(frozen=True, slots=True)
class Replay:
    """A whole replay. ``asked``: the folders that were asked, none for a log on its own.

    ``logged``: how many answers the log has; ``alone``: the lines that no other could be held
    against (a log on its own, and a question that is in it once).
    """

    log: str
    asked: tuple[str, ...]
    logged: int
    answers: tuple[Replayed, ...]
    malformed: tuple[Malformed, ...] = ()
    alone: tuple[int, ...] = ()
    why: str = ""

    @property
    def changed(self) -> tuple[Replayed, ...]:
        """The answers that are others now."""
        return tuple(answer for answer in self.answers if answer.what is not None)

    @property
    def outcome(self) -> Outcome:
        """``changed`` as soon as one is; a log that was not read whole is never a pass."""
        if self.changed:
            return "changed"
        return "no-verdict" if self.malformed or not self.answers else "same"

    def to_dict(self) -> dict[str, Any]:
        """For JSON; ``schema`` is the version of this shape."""
        whats = Counter(answer.what for answer in self.changed)
        causes = Counter(answer.causes for answer in self.changed)
        return {
            "schema": REPLAY_SCHEMA,
            "outcome": self.outcome,
            "why": self.why,
            "log": self.log,
            "asked": list(self.asked),
            "logged": self.logged,
            "replayed": len(self.answers),
            "changed": {
                "total": len(self.changed),
                "what": {what: whats[what] for what in WHATS},
                "causes": [
                    {"causes": list(names), "count": count}
                    for names, count in sorted(causes.items())
                ],
            },
            "other_settings": sum("settings" in answer.differs for answer in self.answers),
            "answers": [answer.to_dict() for answer in self.answers],
            "malformed": [asdict(line) for line in self.malformed],
            "alone": list(self.alone),
        }


def judged(
    logged: Logged,
    fresh: Logged,
    index: str | None = None,
) -> Replayed:
    """A logged answer held against a later one; ``index`` is the folder that gave the later."""
    before, now = logged.pieces, fresh.pieces
    return Replayed(
        line=logged.line if index is not None else fresh.line,
        question=logged.question,
        index=index,
        against=None if index is not None else logged.line,
        what=_what(logged, fresh),
        differs=tuple(
            part
            for part in CAUSES
            if part != "ranking"
            and getattr(logged.fingerprint, part) != getattr(fresh.fingerprint, part)
        ),
        before=None if before is None else tuple(id for id, _ in before),
        now=None if now is None else tuple(id for id, _ in now),
        logged=logged.fingerprint,
        fresh=fresh.fingerprint,
    )


def _what(logged: Logged, fresh: Logged) -> What | None:
    if logged.fingerprint.pieces == fresh.fingerprint.pieces:
        return None
    before, now = logged.pieces, fresh.pieces
    if before is None or now is None:
        return "unknown"
    old, new = [id for id, _ in before], [id for id, _ in now]
    if set(old) != set(new):
        return "set"
    if old != new:
        return "order"
    return "scores" if before != now else "texts"
