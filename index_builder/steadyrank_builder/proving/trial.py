"""An index that is asked, with nothing wrong and with one thing wrong."""

from __future__ import annotations

from dataclasses import dataclass

from steadyrank.measure import Golden, Run
from steadyrank_builder.proving.exchange import exchanged
from steadyrank_builder.proving.mutation import Mutation, Occasions
from steadyrank_builder.proving.verdicts import Ask, Verdicts, verdicts


@dataclass(frozen=True, slots=True)
class Base:
    """What a golden set gets from an index when nothing is wrong, and how to ask it more."""

    golden: Golden
    ask: Ask
    run: Run
    verdicts: Verdicts

    @classmethod
    def of(cls, golden: Golden, ask: Ask, run: Run | None = None) -> Base:
        """``run`` is what ``ask`` gives, where it is known."""
        found = ask(golden) if run is None else run
        return cls(golden, ask, found, verdicts(golden, found))

    @property
    def failing(self) -> tuple[int, ...]:
        """The numbers of the cases that fail with nothing wrong."""
        return tuple(
            case.number
            for case in self.golden.cases
            if case.mode is not None and case.number not in self.verdicts.passed
        )


def mutated(mutation: Mutation, golden: Golden, ask: Ask) -> tuple[Run, int]:
    """What the cases get under a mutation, and how often it had a say."""
    occasions = Occasions()
    with exchanged(mutation.changes(occasions)):
        return ask(golden), occasions.count
