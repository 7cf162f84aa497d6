"""A way to get the implementation wrong, on purpose."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from steadyrank_builder.proving.exchange import Change


class Occasions:
    """Counts the decisions that a mutation had any say in: none means that it cannot matter."""

    def __init__(self) -> None:
        self.count = 0

    def met(self) -> None:
        """There was one."""
        self.count += 1


@dataclass(frozen=True, slots=True)
class Mutation:
    """``what`` is wrong, as a clause; ``guarded`` is what a set that does not notice leaves open.

    ``wanted`` describes the kind of case that would notice, and ``occasion`` what there has to
    be for the mutation to matter at all. ``changes`` gives what is exchanged for it, and counts
    the occasions. ``fresh``: it shows on a later index only.
    """

    name: str
    what: str
    guarded: str
    wanted: str
    occasion: str
    changes: Callable[[Occasions], Sequence[Change]]
    fresh: bool = False
