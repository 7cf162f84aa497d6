"""A query tree in, documents and scores out.

The score comes from the query tree and not from Whoosh's matcher tree, whose shape and order of
summation depend on segments, limits and the order of words. What each query class means is in
``steadyrank.scoring.rules``; here is how a tree is walked. Boosts multiply down to the leaves; a
leaf is snapped to the grid, multiplied by them and snapped again.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Any

from steadyrank.postings import IndexView
from steadyrank.postings.decode import Docs
from steadyrank.scoring.hits import Hits, union
from steadyrank.scoring.leaf import snapped_leaf_scores
from steadyrank.scoring.leaf_cache import leaf_cache, scorer_key
from steadyrank.scoring.pruning import ScoredList
from steadyrank.scoring.view import StatisticsView
from steadyrank.statistics import CorpusStatistics, LiveStatistics

# A term as the index spells it: its field, the term, and the product of boosts.
Leaf = tuple[str, bytes, float]

Rule = Callable[["Evaluator", Any, float], Hits]
_RULES: dict[type, Rule] = {}

# What a query class overrides when it matches in its own way. Not ``_btexts``: a pattern of one's
# own is asked for its terms, as all patterns are.
_OWN_WAYS = ("matcher", "_matcher", "matcherclass")


def rule(*classes: type) -> Callable[[Rule], Rule]:
    """Marks the function that defines matches and scores of these query classes.

    It gets the evaluator, the query and the product of the boosts above it.
    """

    def register(function: Rule) -> Rule:
        _RULES.update(dict.fromkeys(classes, function))
        return function

    return register


class DeadlineError(Exception):
    """The time that the caller gave was over before the tree was evaluated.

    ``hits`` are what was found until then, where that can be told; None where it cannot.
    """

    def __init__(self, hits: Hits | None = None) -> None:
        super().__init__()
        self.hits = hits


class Evaluator:
    """Evaluates query trees against one reader, under one weighting and one statistics.

    ``deadline`` is a reading of ``time.monotonic()`` after which DeadlineError is raised; with
    ``interrupt`` also in the middle of a step of a foreign matcher, where signals allow that.
    """

    def __init__(
        self,
        searcher: Any,
        weighting: Any = None,
        statistics: CorpusStatistics | None = None,
        view: IndexView | None = None,
        deadline: float | None = None,
        interrupt: bool = False,
    ) -> None:
        self.searcher = searcher
        self.schema = searcher.schema
        self.view = view or IndexView(searcher.reader())
        self.statistics = statistics or LiveStatistics(self.view)
        self.weighting = weighting or searcher.weighting
        self.deadline = deadline
        self.interrupt = interrupt
        self._leaf_key = scorer_key(self.view, self.weighting, self.statistics)
        self._leaves = leaf_cache(self.view.reader)
        self._seen_by_models = StatisticsView(searcher, self.view, self.statistics, self.weighting)

    def hits(self, query: Any, boost: float = 1.0) -> Hits:
        """The live documents that match, and their scores with the boosts above multiplied in."""
        self.check_time()
        return rule_of(query)(self, query, boost)

    def docs(self, query: Any) -> Docs:
        """The live documents that match, ascending."""
        return self.hits(query).docs

    def term(self, field: str, text: Any, boost: float) -> Hits:
        """The leaf: one term of one field, as text or as bytes."""
        term = self.term_bytes(field, text)
        if term is None:
            return Hits.none()
        return self.leaf(field, term, boost)

    def leaf(self, field: str, term: bytes, boost: float) -> Hits:
        """The same for a term as the index spells it."""
        if self._leaf_key is None:
            return self._leaf(field, term, boost)
        key = (field, term, boost, self._leaf_key)
        return self._leaves.get(key, lambda: self._leaf(field, term, boost))

    def any_of(self, leaves: tuple[Leaf, ...]) -> ScoredList:
        """Documents with any of the terms as the index spells them, which are distinct."""
        if self._leaf_key is None:
            return ScoredList(union([self._leaf(*leaf) for leaf in leaves]))
        return self._leaves.get(
            (leaves, self._leaf_key),
            lambda: ScoredList(union([self._leaf(*leaf) for leaf in leaves])),
        )

    def _leaf(self, field: str, term: bytes, boost: float) -> Hits:
        postings = self.view.postings(field, term)
        if not postings.docs.size:
            return Hits.none()
        scores = snapped_leaf_scores(self.view, self._seen_by_models, field, term, postings, boost)
        return Hits(postings.docs, scores)

    def term_bytes(self, field: str, text: Any) -> bytes | None:
        """The term as the index spells it; None where the field cannot hold it."""
        if not self.is_indexed(field):
            return None
        try:
            return bytes(self.schema[field].to_bytes(text))
        except ValueError:
            return None

    def is_indexed(self, field: Any) -> bool:
        """Whether the schema has the field and it has postings."""
        return field in self.schema and bool(self.schema[field].indexed)

    def under(self, weighting: Any) -> Evaluator:
        """The same reader and statistics under another weighting model."""
        return Evaluator(
            self.searcher, weighting, self.statistics, self.view, self.deadline, self.interrupt
        )

    def leaves(self) -> Iterator[tuple[Any, int]]:
        """The host's searchers of single segments, with the offset of their documents."""
        yield from self.searcher.leaf_searchers()

    def check_time(self) -> None:
        """DeadlineError once the deadline is over."""
        if self.deadline is not None and time.monotonic() > self.deadline:
            raise DeadlineError


def rule_of(query: Any) -> Rule:
    """The rule that defines this query: its class's, or that of the class it only renames.

    A subclass that brings a matcher of its own is a class of its own.
    """
    kind = type(query)
    for base in kind.__mro__:
        if base in _RULES:
            same = all(getattr(kind, way, None) is getattr(base, way, None) for way in _OWN_WAYS)
            return _RULES[base] if same else _RULES[object]
    return _RULES[object]


def is_promised(query: Any) -> bool:
    """Whether the score of this tree is ours by definition, with no foreign class in it."""
    return rule_of(query) is not _RULES[object] and all(map(is_promised, clauses(query)))


def clauses(query: Any) -> list[Any]:
    """The queries a query is made of; some classes of Whoosh do not say so themselves."""
    for name in ("subqueries", "qs", "subqs"):
        if isinstance(getattr(query, name, None), list | tuple):
            return list(getattr(query, name))
    if hasattr(query, "a") and hasattr(query, "b"):
        return [query.a, query.b]
    for name in ("query", "child", "q"):
        if hasattr(query, name):
            return [getattr(query, name)]
    return list(query.children())
