"""Whoosh's Searcher, whose results stand in a total order."""

from __future__ import annotations

from typing import Any

from whoosh import collectors
from whoosh.scoring import BM25F
from whoosh.searching import Searcher

from steadyrank.collector import SteadyCollector
from steadyrank.errors import PolicyError
from steadyrank.order import Policy


class SteadySearcher(Searcher):  # type: ignore[misc]
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
        self.policy: Policy = policy or getattr(parent or fromindex, "policy", None) or Policy()
        super().__init__(
            reader,
            weighting=weighting,
            closereader=closereader,
            fromindex=fromindex,
            parent=parent,
        )

    def collector(
        self,
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
        """As Whoosh's: a collector for these arguments. ``optimize`` is taken and not needed."""
        if sortedby or not scored:
            if self.policy.gap and sortedby:
                raise PolicyError("a gap orders by score: search with gap=0, or without sortedby")
            return super().collector(
                limit=limit,
                sortedby=sortedby,
                reverse=reverse,
                groupedby=groupedby,
                collapse=collapse,
                collapse_limit=collapse_limit,
                collapse_order=collapse_order,
                optimize=optimize,
                filter=filter,
                mask=mask,
                terms=terms,
                maptype=maptype,
                scored=scored,
            )
        if limit is not None and limit < 1:
            raise ValueError("limit must be >= 1")
        # As in Whoosh, groups are of all matches, and then all are returned.
        collector: Any = SteadyCollector(
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

    def search_page(self, query: Any, pagenum: int, pagelen: int = 10, **kwargs: Any) -> Any:
        """As Whoosh's; pages concatenate to the whole ranking."""
        if self.policy.gap and self.policy.select == "score":
            raise PolicyError(
                'pages need select="band": with select="score" and a gap a longer answer does '
                "not start with the shorter one"
            )
        return super().search_page(query, pagenum, pagelen=pagelen, **kwargs)

    def refresh(self) -> Any:
        """A searcher of the latest generation, this one if it is still that.

        Its reader is opened anew: a reader that Whoosh reuses may return deleted documents.
        """
        if not self._ix:
            raise ValueError("this searcher does not know its index, so it cannot be refreshed")
        if self._ix.latest_generation() == self.reader().generation():
            return self
        fresh = self.__class__(
            self._ix.reader(), weighting=self.weighting, fromindex=self._ix, policy=self.policy
        )
        self.close()
        return fresh
