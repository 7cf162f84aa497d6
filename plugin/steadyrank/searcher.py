"""Whoosh's Searcher, whose results stand in a total order."""

from __future__ import annotations

from typing import Any

from whoosh import classify, collectors
from whoosh.scoring import BM25F
from whoosh.searching import ResultsPage, Searcher

from steadyrank.collecting import (
    SteadyCollector,
    SteadySortingCollector,
    UnscoredCollector,
    run_chain,
)
from steadyrank.errors import PolicyError
from steadyrank.expansion import StatisticsReader
from steadyrank.order import Policy
from steadyrank.postings import IndexView


class Steadiness:
    """The calls of a Searcher that decide an order or use statistics.

    A class of its own so that :func:`steadyrank.install` can put the same functions into
    Whoosh's Searcher. ``policy`` is how results are ordered.
    """

    policy: Policy

    def collector(
        self: Any,
        limit: int | None = 10,
        sortedby: Any = None,
        reverse: bool = False,
        groupedby: Any = None,
        collapse: Any = None,
        collapse_limit: int = 1,
        collapse_order: Any = None,
        optimize: bool = True,
        filter: Any = None,  # noqa: A002 - Whoosh's name
        mask: Any = None,
        terms: bool = False,
        maptype: Any = None,
        scored: bool = True,
    ) -> Any:
        """As Whoosh's: a collector for these arguments. ``optimize`` is taken and not needed.

        An empty ``filter`` is one: nothing passes it.
        """
        if limit is not None and limit < 1:
            raise ValueError("limit must be >= 1")
        collector: Any
        if sortedby:
            collector = SteadySortingCollector(sortedby, limit, policy=self.policy, reverse=reverse)
        elif not scored:
            collector = UnscoredCollector(policy=self.policy)
        else:
            # As in Whoosh, groups are of all matches, and then all are returned.
            collector = SteadyCollector(
                None if groupedby else limit, policy=self.policy, reverse=reverse
            )
        if groupedby:
            collector = collectors.FacetCollector(collector, groupedby, maptype=maptype)
        if terms:
            collector = collectors.TermsCollector(collector)
        if collapse:
            collector = collectors.CollapseCollector(
                collector, collapse, limit=collapse_limit, order=collapse_order
            )
        if filter is not None or mask is not None:
            collector = collectors.FilterCollector(collector, filter, mask)
        return collector

    def search_with_collector(self: Any, q: Any, collector: Any, context: Any = None) -> None:
        """As Whoosh's, for collectors of Whoosh in any nesting, ours, and the host's around them.

        A base collector of the host's own class is run as Whoosh runs it, outside the promise.
        """
        context = context or self.context()
        if not run_chain(self, q, collector, context, self.policy):
            collector.prepare(self, q, context)
            collector.run()

    def search_page(self: Any, query: Any, pagenum: int, pagelen: int = 10, **kwargs: Any) -> Any:
        """As Whoosh's; pages concatenate to the whole ranking."""
        _require_pages(self.policy)
        if pagenum < 1:
            raise ValueError("pagenum must be >= 1")
        results = self.search(query, limit=pagenum * pagelen, **kwargs)
        return ResultsPage(results, pagenum, pagelen)

    if hasattr(Searcher, "search_range"):  # whoosh3 alone has it

        def search_range(
            self: Any, query: Any, start: int, end: int | None = None, **kwargs: Any
        ) -> Any:
            """As Whoosh's: the results from ``start`` to before ``end``, counted from 0."""
            _require_pages(self.policy)
            if start < 0:
                raise ValueError("start must be >= 0")
            if end is not None and end < start:
                raise ValueError("end must be >= start")
            limit = None if end is None else max(end, 1)
            return ResultsPage.from_range(self.search(query, limit=limit, **kwargs), start, end)

    def key_terms(
        self: Any,
        docnums: Any,
        fieldname: str,
        numterms: int = 5,
        model: Any = classify.Bo1Model,
        normalize: bool = True,
    ) -> Any:
        """As Whoosh's, by the statistics of the policy."""
        expander = _expander(self, fieldname, model)
        for docnum in docnums:
            expander.add_document(docnum)
        return expander.expanded_terms(numterms, normalize=normalize)

    def key_terms_from_text(
        self: Any,
        fieldname: str,
        text: str,
        numterms: int = 5,
        model: Any = classify.Bo1Model,
        normalize: bool = True,
    ) -> Any:
        """As Whoosh's, by the statistics of the policy."""
        expander = _expander(self, fieldname, model)
        expander.add_text(text)
        return expander.expanded_terms(numterms, normalize=normalize)

    def refresh(self: Any) -> Any:
        """A searcher of the latest generation, this one if it is still that.

        Its reader is opened anew: a reader that Whoosh reuses may return deleted documents.
        """
        if not self._ix:
            raise ValueError("No reference to index")  # Whoosh's words, in some an Exception
        if self._ix.latest_generation() == self.reader().generation():
            return self
        own = {"policy": self.policy} if "policy" in self.__dict__ else {}
        reader = self._ix.reader()
        IndexView(reader)  # takes over what this one has read, before it is closed
        fresh = self.__class__(reader, weighting=self.weighting, fromindex=self._ix, **own)
        self.close()
        self._closereader = False  # a with statement around this searcher closes it once more
        return fresh


STEADY_CALLS = {
    name: value for name, value in vars(Steadiness).items() if callable(value) and name[0] != "_"
}
"""The calls that make a searcher steady, by name."""

STOCK_CALLS = {name: Searcher.__dict__[name] for name in STEADY_CALLS}
"""The same calls as Whoosh has them, kept while steadyrank may be installed in their place."""


def _expander(searcher: Any, fieldname: str, model: Any) -> Any:
    reader = StatisticsReader(searcher.ixreader, searcher.policy)
    return classify.Expander(reader, fieldname, model=model)


def _require_pages(policy: Policy) -> None:
    if policy.gap and policy.select == "score":
        raise PolicyError(
            'pages need select="band": with select="score" and a gap a longer answer does '
            "not start with the shorter one"
        )


class SteadySearcher(Steadiness, Searcher):  # type: ignore[misc]
    """A drop-in for ``whoosh.searching.Searcher``: the same calls, a promised order.

    ``policy`` is how results are ordered; searchers of single segments have their parent's.
    """

    def __init__(
        self,
        reader: Any,
        weighting: Any = BM25F,
        closereader: bool = True,
        fromindex: Any = None,
        parent: Any = None,
        policy: Policy | None = None,
    ) -> None:
        self.policy = policy or getattr(parent or fromindex, "policy", None) or Policy()
        super().__init__(
            reader,
            weighting=weighting,
            closereader=closereader,
            fromindex=fromindex,
            parent=parent,
        )
