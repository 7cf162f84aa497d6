"""A host's chain of Whoosh collectors, read for what it asks and answered in one order.

In stock Whoosh what a chain does depends on its nesting: a time limit around a filter drops the
filter, an empty filter lets everything through. We read the conditions off the chain, apply them
to arrays, and fill in the host's own collectors so that it finds everything where it looks.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from whoosh import collectors as stock
from whoosh.searching import TimeLimit

from steadyrank.collecting.collapsing import collapse
from steadyrank.collecting.collector import SteadyCollector
from steadyrank.collecting.facets import group
from steadyrank.collecting.filtering import Filter
from steadyrank.collecting.sorting import SteadySortingCollector, UnscoredCollector
from steadyrank.order import Policy
from steadyrank.scoring import DeadlineError

_UNDERSTOOD = (
    stock.FilterCollector,
    stock.FacetCollector,
    stock.CollapseCollector,
    stock.TermsCollector,
    stock.TimeLimitCollector,
)


@dataclass(frozen=True, slots=True)
class Chain:
    """``wrappers`` from the outermost to the innermost, and the collector at the ``base``."""

    wrappers: tuple[Any, ...]
    base: Any

    @classmethod
    def of(cls, collector: Any) -> Chain:
        """Reads a chain from its outermost collector."""
        wrappers = []
        while isinstance(collector, stock.WrappingCollector):
            wrappers.append(collector)
            collector = collector.child
        return cls(tuple(wrappers), collector)

    @property
    def understood(self) -> bool:
        """Whether all wrappers are Whoosh's own, so that we know what they mean."""
        return all(type(wrapper) in _UNDERSTOOD for wrapper in self.wrappers)

    def steady(self, policy: Policy) -> SteadyCollector | None:
        """The collector that orders what the base would; None for a base of the host's own."""
        base = self.base
        kind = type(base)
        if isinstance(base, SteadyCollector):
            return base
        if kind is stock.TopCollector:
            return SteadyCollector(base.limit, policy=policy)
        if kind is stock.UnlimitedCollector:
            return SteadyCollector(None, policy=policy, reverse=base.reverse)
        if kind is stock.SortingCollector:
            steady = SteadySortingCollector(
                "id", base.limit or None, policy=policy, reverse=base.reverse
            )
            steady.sortfacet = base.sortfacet
            return steady
        if kind is stock.UnsortedCollector:
            return UnscoredCollector(policy=policy)
        return None

    def of_type(self, kind: type) -> list[Any]:
        """The wrappers of one kind, innermost first."""
        return [wrapper for wrapper in reversed(self.wrappers) if isinstance(wrapper, kind)]


def run_chain(searcher: Any, query: Any, collector: Any, context: Any, policy: Policy) -> bool:
    """Runs a search with the host's chain; False where its base collector is not ours to order.

    Raises TimeLimit when a time limit of the chain is over before all matches are known.
    """
    chain = Chain.of(collector)
    steady = chain.steady(policy)
    if steady is None:
        return False
    steady.filters = [
        Filter(wrapper.allow, wrapper.restrict) for wrapper in chain.of_type(stock.FilterCollector)
    ]
    timers = chain.of_type(stock.TimeLimitCollector)
    steady.time_limit = min((timer.timelimit for timer in timers), default=None)
    steady.interrupt = any(timer.use_alarm for timer in timers)
    _take_the_base(chain, steady)
    if not chain.understood:
        collector.prepare(searcher, query, context)
        try:
            collector.run()
        except TimeLimit:
            steady.partial = True
            raise
        return True
    steady.prepare(searcher, query, context)
    for timer in timers:
        timer.timedout = False
    try:
        _run(chain, steady)
    except (TimeLimit, DeadlineError):
        steady.partial = True
        for timer in timers:
            timer.timedout = True
        _fill_filters(chain, steady)
        _fill_empty(chain)
        raise TimeLimit from None
    finally:
        steady.finish()
        _finish(chain, steady)
    return True


def _take_the_base(chain: Chain, steady: SteadyCollector) -> None:
    if chain.wrappers:
        chain.wrappers[-1].child = steady
    if chain.base is not steady:
        # The host may ask its own collector afterwards, so that answers what ours answers.
        for name in ("results", "count", "all_ids", "computes_count"):
            setattr(chain.base, name, getattr(steady, name))


def _run(chain: Chain, steady: SteadyCollector) -> None:
    steady.evaluate()
    _fill_filters(chain, steady)
    for wrapper in chain.of_type(stock.CollapseCollector):
        done = collapse(steady, wrapper.keyfacet, wrapper.limit, wrapper.orderfacet)
        steady.keep(done.hits)
        wrapper.collapsed_counts = defaultdict(int, done.counts)
        wrapper.collapsed_total = sum(done.counts.values())
    for wrapper in chain.of_type(stock.FacetCollector):
        wrapper.facetmaps = group(
            steady.evaluator,
            steady.evaluate(),
            dict(wrapper.facets.items()),
            wrapper.maptype,
            steady.positions,
            steady.terms_in,
        )
    for wrapper in chain.of_type(stock.TermsCollector):
        _fill_terms(wrapper, steady)
    steady.settle()


def _fill_filters(chain: Chain, steady: SteadyCollector) -> None:
    for wrapper in chain.of_type(stock.FilterCollector):
        wrapper._allow = wrapper._restrict = None  # applied already
        wrapper.filtered_count = steady.filtered_count


def _fill_empty(chain: Chain) -> None:
    # What the wrappers' results() read, for a search that was cut short.
    for wrapper in chain.of_type(stock.CollapseCollector):
        wrapper.collapsed_counts, wrapper.collapsed_total = defaultdict(int), 0
    for wrapper in chain.of_type(stock.FacetCollector):
        wrapper.facetmaps = {
            name: facet.map(wrapper.maptype) for name, facet in wrapper.facets.items()
        }
    for wrapper in chain.of_type(stock.TermsCollector):
        wrapper.termdocs, wrapper.docterms = {}, {}


def _fill_terms(wrapper: Any, steady: SteadyCollector) -> None:
    # Of the documents that are returned: Whoosh says the terms of "the top N documents".
    shown = {doc for _, doc in steady.ordered(steady.limit)}
    wrapper.termdocs = defaultdict(lambda: array("I"))
    wrapper.docterms = defaultdict(list)
    for searcher, offset in steady.evaluator.leaves():
        for term, docs in steady.terms_in(searcher).items():
            for doc in sorted(doc + offset for doc in docs):
                if doc in shown:
                    wrapper.termdocs[term].append(doc)
                    wrapper.docterms[doc].append(term)


def _finish(chain: Chain, steady: SteadyCollector) -> None:
    if chain.base is not steady:
        for name in ("top_searcher", "q", "context", "runtime"):
            setattr(chain.base, name, getattr(steady, name))
    for wrapper in chain.wrappers:
        wrapper.count = steady.count
        wrapper.all_ids = steady.all_ids
