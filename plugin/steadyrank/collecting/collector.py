"""The collector that puts hits into their one order."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh.collectors import Collector
from whoosh.searching import TimeLimit

from steadyrank.collecting.filtering import Filter
from steadyrank.collecting.results import SteadyResults
from steadyrank.collecting.selection import Selection, by_score, select
from steadyrank.errors import PolicyError, UnsupportedQueryError
from steadyrank.order import Policy, checked_limit
from steadyrank.pinned import loaded, provider
from steadyrank.postings import Identity
from steadyrank.postings.segment import segment_of
from steadyrank.scoring import DeadlineError, Evaluator, HitMatcher, Hits, evaluate, leaf_terms

# A document's key in an order that is not by score, and its number.
Item = tuple[Any, int]


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
        Collector.__init__(self)
        if policy is not None and settings:
            raise PolicyError("give either policy= or its fields as keywords, not both")
        policy = policy or Policy(**settings)
        self.policy = replace(policy, statistics=loaded(policy.statistics))
        self.limit = None if limit is None else checked_limit(limit)
        self.reverse = reverse
        self.filters: list[Filter] = []
        self.time_limit: float | None = None
        self.interrupt = False
        if reverse and self.policy.gap:
            raise PolicyError("a gap has no reverse: search with gap=0, or without reverse")

    # Whoosh's protocol. The collector is run by itself (or by a chain that we understand), or by
    # collectors around it that step through matches() and hand what they want to collect().

    def prepare(self, top_searcher: Any, q: Any, context: Any) -> None:
        super().prepare(top_searcher, q, context)
        self.docset = None  # made when somebody asks: it is a set of all matches
        weighting = context.weighting or top_searcher.weighting
        evaluator = Evaluator(top_searcher, weighting)
        self._evaluator = Evaluator(
            top_searcher,
            weighting,
            provider(self.policy.statistics, evaluator.view),
            evaluator.view,
            None if self.time_limit is None else time.monotonic() + self.time_limit,
            interrupt=self.interrupt,
        )
        self._identity = Identity(evaluator.view, self.policy)
        self._hits: Hits | None = None
        self._terms: list[tuple[str, bytes]] | None = None
        self._kept: list[int] | None = None
        self._selection: Selection | None = None
        self.partial = False
        self.filtered_count = 0

    def run(self) -> None:
        try:
            self.evaluate()
        finally:
            self.finish()

    def evaluate(self) -> Hits:
        """All matches that pass the filters; TimeLimit when the time limit is over first."""
        if self._hits is None:
            try:
                matched = evaluate(self._evaluator, self.q)
                hits = self._filtered(matched)
                self._evaluator.check_time()
            except DeadlineError as error:
                self.partial = True
                self._hits = self._without_deadline(error.hits)
                raise TimeLimit from None
            except TimeLimit:  # from a host's own timer
                self.partial = True
                self._hits = Hits.none()
                raise
            except RecursionError:
                raise UnsupportedQueryError(
                    f"the {type(self.q).__name__} query or a filter of it is nested too deeply to "
                    "be walked; give And and Or many clauses instead of many levels "
                    "(query.normalize() often does), or raise sys.setrecursionlimit",
                    query=type(self.q).__name__,
                ) from None
            self._hits = hits
        return self._hits

    def _without_deadline(self, hits: Hits | None) -> Hits:
        # What was found before the time was over, filtered all the same.
        self._evaluator.deadline = None
        return self._filtered(hits or Hits.none())

    def _filtered(self, hits: Hits) -> Hits:
        passed = hits
        for condition in self.filters:
            passed = condition.apply(self._evaluator, passed)
        self.filtered_count = int(hits.docs.size - passed.docs.size)
        return passed

    def keep(self, hits: Hits) -> None:
        """Takes these hits for all matches: what a collapse leaves."""
        self._hits = hits
        self._selection = None

    def settle(self) -> None:
        """Works out the order now, so that a time limit counts it and results() is quick."""
        self.selection()

    def finish(self) -> None:
        # What is asked after the search is not a part of it, and has no time limit.
        self._evaluator.deadline = None
        super().finish()

    @property
    def evaluator(self) -> Evaluator:
        """What evaluates this search's query, filters and facets."""
        return self._evaluator

    def set_subsearcher(self, subsearcher: Any, offset: int) -> None:
        self.subsearcher = subsearcher
        self.offset = offset
        hits = self.evaluate()
        start, stop = np.searchsorted(hits.docs, (offset, offset + subsearcher.doc_count_all()))
        own = Hits(hits.docs[start:stop] - offset, hits.scores[start:stop])
        needed = self.context.needs_current
        self.matcher = HitMatcher(own, self.terms_in(subsearcher) if needed else {})
        if self._kept is None:
            self._kept = []

    def terms_in(self, subsearcher: Any) -> dict[tuple[str, bytes], frozenset[int]]:
        """Each term of the query with the segment's documents that contain it."""
        if self._terms is None:
            self._terms = leaf_terms(self._evaluator, self.q)
        segment = segment_of(subsearcher.reader())
        return {
            (field, term): frozenset(segment.postings(field, term).docs.tolist())
            for field, term in self._terms
        }

    def matches(self) -> Iterator[int]:
        return self._step_through_matches()  # type: ignore[no-any-return]

    def collect(self, sub_docnum: int) -> Any:
        if self._kept is None:
            self._kept = []
        self._kept.append(self.offset + sub_docnum)
        return self.sort_key(sub_docnum)

    def sort_key(self, sub_docnum: int) -> Any:
        hits = self.evaluate()
        place = np.searchsorted(hits.docs, self.offset + sub_docnum)
        return 0.0 - float(hits.scores[place])

    def remove(self, global_docnum: int) -> None:
        if self._kept is None or global_docnum not in self._kept:
            raise KeyError(global_docnum)
        self._kept.remove(global_docnum)

    def computes_count(self) -> bool:
        return True

    def count(self) -> int:
        return int(self.collected().docs.size)

    def all_ids(self) -> Any:
        return self.collected().docs.tolist()

    def collected(self) -> Hits:
        """The hits that the collectors around this one left; all of them when there is none."""
        hits = self.evaluate()
        if self._kept is None:
            return hits
        return hits.only(np.array(sorted(self._kept), np.int64))

    # The order.

    @property
    def by_score_and_id(self) -> bool:
        """Whether the higher score comes first, then the lower id: no band, no route, no reversal
        and no order of the host's.
        """
        return not (self.policy.gap or self.policy.route or self.reverse)

    def first_of(self, hits: Hits, count: int) -> list[Item]:
        """The first of these hits, by score and id or by route, score and id."""
        return [
            (entry.score, entry.doc)
            for entry in select(hits, self._identity, self.policy, count).top
        ]

    def positions(self) -> NDArray[np.int64]:
        """Each hit's place in the final order of all hits, counted from 0."""
        hits = self.collected()
        if self.by_score_and_id:
            order = by_score(hits, self._identity)
        else:
            order = np.searchsorted(hits.docs, [doc for _, doc in self.ordered(None)])
        found = np.empty(order.size, np.int64)
        found[order] = np.arange(order.size)
        return found

    def ordered(self, limit: int | None) -> list[Item]:
        """The first hits (None: all) in their order, as (score, document number)."""
        selection = self._select(None if self.reverse else limit)
        items = [(entry.score, entry.doc) for entry in selection.top]
        return items[::-1] if self.reverse else items

    def selection(self) -> Selection:
        """The chosen hits and what decided their places."""
        if self._selection is None:
            self._selection = self._select(None if self.reverse else self.limit)
        return self._selection

    def _select(self, limit: int | None) -> Selection:
        chosen = select(self.collected(), self._identity, self.policy, limit)
        return replace(chosen, reverse=self.reverse)

    def results(self) -> SteadyResults:
        """Whoosh's Results with ``placements``; ``top_n`` holds (score, document number)."""
        selection = self.selection()
        items = [(entry.score, entry.doc) for entry in selection.top]
        results = self._filled(items[::-1] if self.reverse else items)
        results.selection = selection
        return results

    def _filled(self, items: list[Item]) -> SteadyResults:
        results = SteadyResults(self.top_searcher, self.q, items)
        results.runtime = self.runtime
        results.collector = self
        results.partial = self.partial
        results._total = self.count()
        return results
