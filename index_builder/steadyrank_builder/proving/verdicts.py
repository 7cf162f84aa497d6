"""What a golden set says of a run, case by case, to be compared with what it says of another."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from steadyrank.measure import Golden, Run, evaluated

# Asks the question of each case under the case's settings; rankings in the order of the cases.
Ask = Callable[[Golden], Run]


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The numbers of the cases that passed, and the thresholds that were missed."""

    passed: frozenset[int]
    missed: frozenset[str]

    def lost(self, other: Verdicts) -> tuple[tuple[int, ...], tuple[str, ...]]:
        """The cases that pass here and not there, and the thresholds that are missed there only."""
        return (
            tuple(sorted(self.passed - other.passed)),
            tuple(sorted(other.missed - self.missed)),
        )


def verdicts(golden: Golden, run: Run) -> Verdicts:
    """Judges a run by the one rule that judges evaluations."""
    evaluation = evaluated(golden, run, verdict_only=True)
    return Verdicts(
        passed=frozenset(result.number for result in evaluation.cases if result.passed),
        missed=frozenset(one.name for one in evaluation.thresholds if not one.reached),
    )
