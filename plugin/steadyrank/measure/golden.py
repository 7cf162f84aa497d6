"""Golden questions: what a question should bring, and under which settings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from steadyrank.errors import SteadyRankError

Mode = Literal["exact", "required-set", "rank-one", "contains", "excludes"]

NOTHING: Mapping[str, Any] = MappingProxyType({})


class GoldenError(SteadyRankError, ValueError):
    """A golden file that cannot be judged by. The message lists all that is wrong; ``faults``
    has each, with its line where that is known.
    """

    def __init__(self, *faults: str, name: str = "") -> None:
        if len(faults) == 1:
            message = f"{name}: {faults[0]}" if name else faults[0]
        else:
            message = "\n  ".join([f"{name}:" if name else "a golden file:", *faults])
        super().__init__(message)
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Case:
    """One question and what it should bring.

    With a ``mode`` it passes or fails by ``expected``: ``exact`` (these ids in this order come
    first), ``required-set`` (the first k are these, in any order), ``rank-one`` (the first is
    this one), ``contains`` (all within k), ``excludes`` (none within k). Without one it counts in
    the metrics alone: ``right`` are the ids that would be a right answer, none for a question
    that the material does not answer. ``grades`` judge single ids, 1 and more for a relevant
    one. ``k`` None: as many as expected, or the header's. ``axis="score"``: no concept or route
    may have fired. ``confidence``: the level that the answer must have. ``settings`` override
    the file's. ``number`` is the place in the file from 1, ``line`` the line it begins on.
    """

    number: int
    question: str
    mode: Mode | None = None
    expected: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    k: int | None = None
    axis: str | None = None
    confidence: str | None = None
    settings: Mapping[str, Any] = field(default_factory=lambda: NOTHING)
    grades: Mapping[str, int] = field(default_factory=lambda: NOTHING)
    line: int | None = field(default=None, compare=False)

    @property
    def judgments(self) -> Mapping[str, int]:
        """Id -> grade; right ids that nobody graded are of grade 1. Empty: not in the metrics."""
        return {**dict.fromkeys(self.right, 1), **self.grades}

    @property
    def named(self) -> tuple[str, ...]:
        """The ids that have to exist for the case to say anything."""
        relevant = [id for id, grade in self.grades.items() if grade > 0]
        return tuple(dict.fromkeys((*self.expected, *self.right, *relevant)))

    def looked_at(self, default: int) -> int:
        """How many of the first pieces the case looks at."""
        if self.k is not None:
            return self.k
        return len(self.expected) if self.mode else default


@dataclass(frozen=True, slots=True)
class Golden:
    """A golden file: its cases, the settings it is judged under, ``k`` and ``thresholds``.

    ``settings``: inline values, or the path of a settings file. Thresholds, each a share from 0
    to 1: ``success`` (a right piece within k), ``success_at_1`` (a right piece first),
    ``refused`` (questions without an answer that got none, or low confidence).
    """

    cases: tuple[Case, ...]
    k: int = 4
    settings: Mapping[str, Any] | str = field(default_factory=lambda: NOTHING)
    thresholds: Mapping[str, float] = field(default_factory=lambda: NOTHING)


@dataclass(frozen=True, slots=True)
class Judgment:
    """One line of a file of relevance judgments.

    ``query`` is a case's question or its number. A grade of 1 or more is relevant.
    """

    query: str
    id: str
    grade: int
    line: int
