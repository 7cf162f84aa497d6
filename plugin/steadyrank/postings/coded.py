"""Postings as codes into a table of the few weights and lengths that a segment's field has."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

_KEPT = 8


@dataclass(frozen=True, slots=True)
class Table:
    """The distinct pairs of a posting's weight and the length of its document's field.

    Both in double precision and whole tokens, as postings and lengths are read; a field without
    lengths has 1 throughout. ``derived`` keeps what was made of all pairs, by what it depends on.
    """

    weights: NDArray[np.float64]
    lengths: NDArray[np.int64]
    derived: dict[Any, NDArray[np.float64]] = field(default_factory=dict, repr=False)

    def keep(self, key: Any, values: NDArray[np.float64]) -> NDArray[np.float64]:
        """Keeps a derived column for later questions, a few at a time."""
        if len(self.derived) >= _KEPT:
            self.derived.clear()
        self.derived[key] = values
        return values


@dataclass(frozen=True, slots=True)
class Coded:
    """For each of some postings its place in the table."""

    codes: NDArray[Any]
    table: Table

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weight of each posting."""
        found: NDArray[np.float64] = self.table.weights[self.codes]
        return found
