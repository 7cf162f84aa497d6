"""What a filter or a mask lets through."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from whoosh import query as q
from whoosh.idsets import DocIdSet
from whoosh.searching import Results, ResultsPage

from steadyrank.postings.decode import Docs
from steadyrank.scoring import Evaluator, Hits


@dataclass(frozen=True, slots=True)
class Filter:
    """``allow``: only these documents; ``restrict``: none of these; None: no such condition.

    Each is a query, results of a search, or a set of document numbers. An empty one is a
    condition too: an empty ``allow`` lets nothing through, whatever Whoosh makes of it.
    """

    allow: Any = None
    restrict: Any = None

    def apply(self, evaluator: Evaluator, hits: Hits) -> Hits:
        """The hits that pass."""
        if self.allow is not None:
            hits = hits.only(documents(evaluator, self.allow))
        if self.restrict is not None:
            hits = hits.without(documents(evaluator, self.restrict))
        return hits


def documents(evaluator: Evaluator, given: Any) -> Docs:
    """The documents that a query, results or a set of numbers stands for, ascending.

    Raises TypeError for anything else.
    """
    if isinstance(given, q.Query):
        return evaluator.docs(given)
    if isinstance(given, ResultsPage):
        given = given.results
    if isinstance(given, Results):
        given = given.docs()
    if isinstance(given, np.ndarray | set | frozenset | DocIdSet | list | tuple | range):
        return np.unique(np.fromiter((int(doc) for doc in given), np.int64))
    raise TypeError(
        f"a filter or mask is a query, the results of a search or a set of document numbers, "
        f"not {type(given).__name__}: {given!r}"
    )
