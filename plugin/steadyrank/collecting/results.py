"""Whoosh's Results, with the reason of each place."""

from __future__ import annotations

from functools import cached_property
from typing import Any

from whoosh.classify import Bo1Model
from whoosh.searching import Results

from steadyrank.collecting.selection import Selection
from steadyrank.order import Placement


class SteadyResults(Results):  # type: ignore[misc]
    """Results in a total order; ``placements`` says what decided each place.

    ``partial`` is True when a time limit ended the search before all matches were known.
    """

    selection: Selection | None = None
    partial: bool = False

    @cached_property
    def placements(self) -> list[Placement]:
        """One :class:`steadyrank.Placement` per hit, in the order of the hits.

        Empty for results whose order is not by score (``sortedby``, ``scored=False``). After
        ``extend``, ``filter`` or ``upgrade`` they still tell of the search itself.
        """
        if self.selection is None:
            return []
        found = self.selection.placements()
        return found[::-1] if self.selection.reverse else found

    def copy(self) -> Any:
        copied = super().copy()
        copied.selection = self.selection
        return copied

    def key_terms(
        self,
        fieldname: str,
        docs: int = 10,
        numterms: int = 5,
        model: Any = Bo1Model,
        normalize: bool = True,
    ) -> Any:
        """As Whoosh's, by the statistics of the searcher's policy where it has one."""
        shown = [docnum for _, docnum in self.top_n[:docs]]
        if not shown:
            return []
        return self.searcher.key_terms(
            shown, fieldname, numterms=numterms, model=model, normalize=normalize
        )

    def filter(self, results: Any) -> None:
        """Keeps the hits that are also in ``results``; empty results leave nothing.

        Stock Whoosh keeps everything then, which shows what a filter was to hide.
        """
        if len(results):
            super().filter(results)
        else:
            self.top_n: list[Any] = []
            self.docset: set[int] = set()
        self._total = len(self.docset)
