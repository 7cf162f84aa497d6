"""The collector that puts hits into their one order."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from whoosh.collectors import Collector

from steadyrank.errors import PolicyError
from steadyrank.order import Policy, checked_limit
from steadyrank.postings import Identity
from steadyrank.postings.segment import segment_of
from steadyrank.results import SteadyResults
from steadyrank.scoring import Evaluator, HitMatcher, Hits, leaf_terms
from steadyrank.selection import Selection, select


class SteadyCollector(Collector):  # type: ignore[misc]
    """Collects all matches and orders them by score and id, with bands if asked.

    ``limit``: how many results to keep, None for all. ``reverse``: the exact reverse of the
    whole ranking, which then is kept whole, as Whoosh keeps it. The fields of
    :class:`steadyrank.Policy` are keywords, or come in one as ``policy``.

    Use it with any searcher: ``searcher.search_with_collector(query, collector)``, then
    ``collector.results()``. One collector serves one search at a time.
    """

    def __init__(
        self,
        limit: int | None = 10,
        *,
        policy: Policy | None = None,
        reverse: bool = False,
        **settings: Any,
    ) -> None:
        super().__init__()
        if policy is not None and settings:
            raise PolicyError("give either policy= or its fields as keywords, not both")
        self.policy = policy or Policy(**settings)
        self.limit = None if limit is None else checked_limit(limit)
        self.reverse = reverse
        if reverse and self.policy.gap:
            raise PolicyError("a gap has no reverse: search with gap=0, or without reverse")

    # Whoosh's protocol. It is run either by itself, or by collectors of Whoosh around it that
    # step through matches() and hand the ones they want to collect().

    def prepare(self, top_searcher: Any, q: Any, context: Any) -> None:
        super().prepare(top_searcher, q, context)
        self.docset = None  # made when somebody asks: it is a set of all matches
        weighting = context.weighting or top_searcher.weighting
        self._evaluator = Evaluator(top_searcher, weighting)
        self._identity = Identity(self._evaluator.view, self.policy)
        self._hits: Hits | None = None
        self._terms: list[tuple[str, bytes]] | None = None
        self._kept: list[int] | None = None
        self._selection: Selection | None = None

    def run(self) -> None:
        try:
            self._evaluate()
        finally:
            self.finish()

    def _evaluate(self) -> Hits:
        if self._hits is None:
            self._hits = self._evaluator.hits(self.q)
        return self._hits

    def set_subsearcher(self, subsearcher: Any, offset: int) -> None:
        self.subsearcher = subsearcher
        self.offset = offset
        hits = self._evaluate()
        start, stop = np.searchsorted(hits.docs, (offset, offset + subsearcher.doc_count_all()))
        own = Hits(hits.docs[start:stop] - offset, hits.scores[start:stop])
        self.matcher = HitMatcher(own, self._terms_of(subsearcher))
        if self._kept is None:
            self._kept = []

    def _terms_of(self, subsearcher: Any) -> dict[tuple[str, bytes], frozenset[int]]:
        if not self.context.needs_current:
            return {}
        if self._terms is None:
            self._terms = leaf_terms(self._evaluator, self.q)
        segment = segment_of(subsearcher.reader())
        return {
            (field, term): frozenset(segment.postings(field, term).docs.tolist())
            for field, term in self._terms
        }

    def matches(self) -> Iterator[int]:
        return self._step_through_matches()  # type: ignore[no-any-return]

    def collect(self, sub_docnum: int) -> float:
        assert self._kept is not None
        self._kept.append(self.offset + sub_docnum)
        return self.sort_key(sub_docnum)

    def sort_key(self, sub_docnum: int) -> float:
        return 0.0 - self._score(self.offset + sub_docnum)

    def _score(self, doc: int) -> float:
        hits = self._evaluate()
        return float(hits.scores[np.searchsorted(hits.docs, doc)])

    def remove(self, global_docnum: int) -> None:
        assert self._kept is not None
        self._kept.remove(global_docnum)

    def computes_count(self) -> bool:
        return True

    def count(self) -> int:
        return int(self._collected().docs.size)

    def all_ids(self) -> Any:
        return self._collected().docs.tolist()

    def _collected(self) -> Hits:
        hits = self._evaluate()
        if self._kept is None:
            return hits
        return hits.only(np.array(sorted(self._kept), np.int64))

    def selection(self) -> Selection:
        """The chosen hits and what decided their places."""
        if self._selection is None:
            limit = None if self.reverse else self.limit
            self._selection = select(self._collected(), self._identity, self.policy, limit)
        return self._selection

    def results(self) -> SteadyResults:
        """Whoosh's Results with ``placements``; ``top_n`` holds (score, document number)."""
        selection = self.selection()
        items = [(entry.score, entry.doc) for entry in selection.top]
        if self.reverse:
            items.reverse()
        results = SteadyResults(self.top_searcher, self.q, items)
        results.runtime = self.runtime
        results.collector = self
        results.selection = selection
        results._total = self.count()
        return results
