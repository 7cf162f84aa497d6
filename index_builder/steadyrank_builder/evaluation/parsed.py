"""What a text says, and where each part of it stands."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from steadyrank.measure import Fault, Place

# Deeper than any golden file, and far from where Python's own recursion ends.
MAX_DEPTH = 40


@dataclass(frozen=True, slots=True)
class Parsed:
    """Content, with the line (from 1) and the offsets (start, end) of each part by its place.

    ``faults`` are what its syntax allows and a golden file does not: keys said twice, aliases.
    """

    content: Any
    lines: dict[Place, int] = field(default_factory=dict)
    spans: dict[Place, tuple[int, int]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)


class UnreadableError(ValueError):
    """A text that breaks off with a syntax error. ``line`` is where, ``said`` what."""

    def __init__(self, line: int | None, said: str) -> None:
        super().__init__(said)
        self.line = line
        self.said = said
