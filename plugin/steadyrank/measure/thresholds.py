"""What a golden file wants of all its measured cases together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Threshold:
    """The share ``wanted`` of the metric ``name``, and the share ``got``; None: not measured."""

    name: str
    wanted: float
    got: float | None

    @property
    def reached(self) -> bool:
        """Inclusive: what is wanted is enough. What was not measured is not."""
        return self.got is not None and self.got >= self.wanted

    def __str__(self) -> str:
        got = "not measured" if self.got is None else f"{self.got:.1%}"
        return f"{self.name} is {got}, and at least {self.wanted:.1%} is wanted"


def thresholds_of(wanted: Mapping[str, float], metrics: Mapping[str, Any]) -> tuple[Threshold, ...]:
    """Each threshold beside its metric, by name."""
    return tuple(
        Threshold(name, share, metrics.get(name)) for name, share in sorted(wanted.items())
    )
