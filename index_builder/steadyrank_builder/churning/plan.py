"""What a measurement of churn is told to do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from steadyrank.errors import SteadyRankError
from steadyrank.measure.churned import Group

GROUPS: tuple[Group, ...] = ("layout", "request", "corpus")
GAPS = (0.1, 0.25, 0.5, 1.0)

# Told of a stage, how much of it is done, and how much there is.
Progress = Callable[[str, int, int | None], None]


def silent(stage: str, done: int, total: int | None) -> None:
    """A progress that says nothing."""


class ChurnError(SteadyRankError, ValueError):
    """A measurement that cannot be made as asked."""


@dataclass(frozen=True, slots=True)
class Plan:
    """``gaps`` are tried; ``counts`` are how many documents are added and removed, empty for 5 %
    and 20 % of the corpus; ``added`` are stored fields of documents to add, None to make some
    from the corpus. Everything that is left to chance comes from ``seed``, ``draws`` times.
    ``depth``: how many old documents per question are compared pair by pair. ``statistics``:
    a pinned file, None to pin the index as it is. ``groups``: which changes are made.
    """

    k: int = 4
    gaps: Sequence[float] = GAPS
    counts: Sequence[int] = ()
    draws: int = 5
    seed: int = 1
    depth: int = 50
    added: Sequence[Mapping[str, Any]] | None = field(default=None)
    statistics: str | None = None
    groups: Sequence[Group] = GROUPS

    def counts_for(self, documents: int) -> list[int]:
        """How many documents to add and to remove, ascending."""
        if self.counts:
            return sorted(set(self.counts))
        return sorted({max(1, round(documents * share)) for share in (0.05, 0.2)})
