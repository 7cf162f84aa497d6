"""Orders that are not by score: the host's facets, or none. The id is always their last key."""

from __future__ import annotations

from typing import Any

import numpy as np
from whoosh.collectors import SortingCollector
from whoosh.sorting import MultiFacet

from steadyrank.collecting.categories import stepped
from steadyrank.collecting.collector import Item, SteadyCollector
from steadyrank.collecting.results import SteadyResults
from steadyrank.errors import PolicyError
from steadyrank.scoring import Hits


class _Keyed(SteadyCollector):
    """A collector whose results are sorted by a key of each document, then by its id."""

    by_score_and_id = False

    def _keys(self) -> list[Any]:
        raise NotImplementedError

    def prepare(self, top_searcher: Any, q: Any, context: Any) -> None:
        super().prepare(top_searcher, q, context)
        self._ranked: tuple[Hits, list[Item]] | None = None

    def ordered(self, limit: int | None) -> list[Item]:
        hits = self.collected()
        if self._ranked is None or not np.array_equal(self._ranked[0].docs, hits.docs):
            docs = hits.docs
            keyed = zip(self._keys(), self._identity.keys(docs), docs.tolist(), strict=True)
            ranked = sorted(keyed, key=lambda found: found[:2], reverse=self.reverse)
            self._ranked = (hits, [(key, doc) for key, _, doc in ranked])
        return self._ranked[1][:limit]

    def settle(self) -> None:
        self.ordered(None)

    def results(self) -> SteadyResults:
        return self._filled(self.ordered(self.limit or None))


class SteadySortingCollector(_Keyed, SortingCollector):  # type: ignore[misc]
    """Whoosh's ``sortedby`` with the id as its last key; hits carry the sort key for a score.

    It is one of Whoosh's sorting collectors too, for hosts that ask what they were given.
    """

    def __init__(self, sortedby: Any, limit: int | None = 10, **settings: Any) -> None:
        super().__init__(limit, **settings)
        if self.policy.gap:
            raise PolicyError("a gap orders by score: search with gap=0, or without sortedby")
        self.sortfacet = MultiFacet.from_sortedby(sortedby)

    def prepare(self, top_searcher: Any, q: Any, context: Any) -> None:
        super().prepare(top_searcher, q, context)
        self.categorizer = self.sortfacet.categorizer(top_searcher)

    def set_subsearcher(self, subsearcher: Any, offset: int) -> None:
        super().set_subsearcher(subsearcher, offset)
        self.categorizer.set_searcher(subsearcher, offset)

    def sort_key(self, sub_docnum: int) -> Any:
        return self.categorizer.key_for(self.matcher, sub_docnum)

    def _keys(self) -> list[Any]:
        categorizer = self.sortfacet.categorizer(self.top_searcher)
        terms = self.terms_in if categorizer.needs_current else lambda searcher: {}
        return [
            categorizer.key_for(matcher, doc)
            for _, doc, matcher in stepped(self.evaluator, self.collected(), [categorizer], terms)
        ]


class UnscoredCollector(_Keyed):
    """Whoosh's ``scored=False``: all matches, their score None, in id order."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(None, **settings)

    def sort_key(self, sub_docnum: int) -> Any:
        return None

    def ordered(self, limit: int | None) -> list[Item]:
        return [(None, doc) for _, doc in super().ordered(limit)]

    def _keys(self) -> list[Any]:
        return [0] * int(self.collected().docs.size)
