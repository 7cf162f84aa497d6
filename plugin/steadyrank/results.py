"""Whoosh's Results, with the reason of each place."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from whoosh.searching import Results

from steadyrank.order import Placement
from steadyrank.selection import Selection


class SteadyResults(Results):  # type: ignore[misc]
    """Results in a total order; ``placements`` says what decided each place."""

    selection: Selection | None = None

    @cached_property
    def placements(self) -> list[Placement]:
        """One :class:`steadyrank.Placement` per hit, in the order of the hits.

        Empty for results whose order is not by score (``sortedby``, ``scored=False``). After
        ``extend``, ``filter`` or ``upgrade`` they still tell of the search itself.
        """
        return [] if self.selection is None else self.selection.placements()

    def copy(self) -> Any:
        copied = super().copy()
        copied.selection = self.selection
        return copied
