"""Why something changed from one run to another: one cause with its figures."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Literal

from steadyrank.measure.drift_words import said

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
