"""A query tree in, documents and scores out: the definition of a score.

The score comes from the query tree and not from Whoosh's matcher tree, whose shape and order of
summation depend on segments, limits and the order of words. For each query class:

======================  =======================  ===================================
class                   matches                  score
======================  =======================  ===================================
Term                    its postings             boost x the model's leaf score
Or                      any child                sum of the children that match
And                     all children             sum of the children
DisjunctionMax          any child                highest of the children that match
AndNot                  first without second     of the first
AndMaybe                first                    sum of the children that match
Require                 both                     of the first
Otherwise               first, if it is empty    of the one used
                        the second
Not                     all others               1 x the boosts above it
Every                   all, or all with field   boost
ConstantScoreQuery      its child                its score
NullQuery               nothing                  -
Prefix, Wildcard, ...   any expansion            boost (``constantscore``), else the
                                                 sum of the expansions that match
NumericRange, ...       any value in it          likewise
Phrase, Span..., ...    its own matcher          of the boolean query it is made of
any other class         its own matcher          its own matcher's, snapped: outside
                                                 the promise
======================  =======================  ===================================

Boosts multiply down to the leaves. A leaf is snapped, multiplied and snapped again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from whoosh import query as q

from steadyrank.arithmetic import snap
from steadyrank.errors import UnsupportedQueryError
from steadyrank.postings import IndexView
from steadyrank.postings.decode import Docs
from steadyrank.scoring.hits import Hits, among, highest, intersection, union, union_docs
from steadyrank.scoring.leaf import leaf_scores
from steadyrank.scoring.view import StatisticsView
from steadyrank.statistics import CorpusStatistics, LiveStatistics

Rule = Callable[["Evaluator", Any, float], Hits]
_RULES: dict[type, Rule] = {}


def rule(*classes: type) -> Callable[[Rule], Rule]:
    """Marks the function that defines matches and scores of these query classes."""

    def register(function: Rule) -> Rule:
        _RULES.update(dict.fromkeys(classes, function))
        return function

    return register


class Evaluator:
    """Evaluates query trees against one reader, under one weighting and one statistics."""

    def __init__(
        self,
        searcher: Any,
        weighting: Any = None,
        statistics: CorpusStatistics | None = None,
        view: IndexView | None = None,
    ) -> None:
        self.searcher = searcher
        self.schema = searcher.schema
        self.view = view or IndexView(searcher.reader())
        self.statistics = statistics or LiveStatistics(self.view)
        self.weighting = weighting or searcher.weighting
        self._seen_by_models = StatisticsView(searcher, self.view, self.statistics, self.weighting)

    def hits(self, query: Any, boost: float = 1.0) -> Hits:
        """The live documents that match, and their scores with the boosts above multiplied in."""
        return rule_of(query)(self, query, boost)

    def docs(self, query: Any) -> Docs:
        """The live documents that match, ascending."""
        return self.hits(query).docs

    def term(self, field: str, text: Any, boost: float) -> Hits:
        """The leaf: one term of one field, as text or as bytes."""
        term = self.term_bytes(field, text)
        if term is None:
            return Hits.none()
        postings = self.view.postings(field, term)
        if not postings.docs.size:
            return Hits.none()
        scores = snap(leaf_scores(self.view, self._seen_by_models, field, term, postings))
        if boost != 1.0:
            scores = snap(scores * boost)
        return Hits(postings.docs, scores)

    def term_bytes(self, field: str, text: Any) -> bytes | None:
        """The term as the index spells it; None where the field cannot hold it."""
        if field not in self.schema or not self.schema[field].indexed:
            return None
        try:
            return bytes(self.schema[field].to_bytes(text))
        except ValueError:
            return None

    def under(self, weighting: Any) -> Evaluator:
        """The same reader and statistics under another weighting model."""
        return Evaluator(self.searcher, weighting, self.statistics, self.view)

    def leaves(self) -> Iterator[tuple[Any, int]]:
        """The host's searchers of single segments, with the offset of their documents."""
        yield from self.searcher.leaf_searchers()

    def stepped(self, query: Any) -> Docs:
        """Where the query's own matcher stops, one plain step after the other."""
        found: list[int] = []
        for searcher, offset in self.leaves():
            # A matcher of spans needs children that can show the current document; a searcher
            # whose index is empty has none.
            context = searcher.context(needs_current=True)
            try:
                matcher = query.matcher(searcher, context)
                while matcher.is_active():
                    found.append(matcher.id() + offset)
                    matcher.next()
            except NotImplementedError as error:
                raise _unsupported(query) from error
            except Exception as error:
                if "support" in str(error) and "spans" in str(error):
                    raise _unsupported(query) from error
                raise
        return self.view.live(np.unique(np.array(found, np.int64)))


def rule_of(query: Any) -> Rule:
    """The rule that defines this query: its class's, or that of the class it only renames.

    A subclass that brings a matcher of its own is a class of its own.
    """
    kind = type(query)
    for base in kind.__mro__:
        if base in _RULES:
            if kind is base or all(
                getattr(kind, name, None) is getattr(base, name, None)
                for name in ("matcher", "_matcher", "matcherclass")
            ):
                return _RULES[base]
            break
    return _foreign


def _unsupported(query: Any) -> UnsupportedQueryError:
    return UnsupportedQueryError(
        f"this Whoosh cannot tell where {type(query).__name__} matches over these clauses (their "
        f"matcher has no positions): {query!r}; use terms or phrases as its clauses, or ask for "
        "each clause by itself",
        query=repr(query),
    )


def _children(evaluator: Evaluator, query: Any, boost: float) -> list[Hits]:
    return [evaluator.hits(child, boost * query.boost) for child in query.subqueries]


@rule(q.Term)
def _term(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    return evaluator.term(query.fieldname, query.text, boost * query.boost)


@rule(q.Or, q.compound.DefaultOr, q.compound.SplitOr, q.compound.PreloadedOr)
def _or(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    return union(_children(evaluator, query, boost))


@rule(q.And)
def _and(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    return intersection(_children(evaluator, query, boost))


@rule(q.DisjunctionMax)
def _dismax(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    return highest(_children(evaluator, query, boost))


@rule(q.AndNot)
def _and_not(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    wanted = evaluator.hits(query.a, boost * query.boost)
    return wanted.without(evaluator.docs(query.b)) if wanted.docs.size else wanted


@rule(q.AndMaybe)
def _and_maybe(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    wanted = evaluator.hits(query.a, boost * query.boost)
    return union([wanted, evaluator.hits(query.b, boost * query.boost).only(wanted.docs)])


@rule(q.Require)
def _require(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    wanted = evaluator.hits(query.a, boost * query.boost)
    return wanted.only(evaluator.docs(query.b)) if wanted.docs.size else wanted


@rule(q.Otherwise)
def _otherwise(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    first = evaluator.hits(query.a, boost * query.boost)
    return first if first.docs.size else evaluator.hits(query.b, boost * query.boost)


@rule(q.Not)
def _not(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    live = evaluator.view.live_docs()
    excluded = evaluator.docs(query.query)
    return Hits.constant(live[~among(live, excluded)], boost)


@rule(q.Every)
def _every(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    field = query.fieldname
    docs = evaluator.view.live_docs() if field is None else _docs_with(evaluator, field)
    return Hits.constant(docs, boost * query.boost)


def _docs_with(evaluator: Evaluator, field: str) -> Docs:
    schema = evaluator.schema
    if field not in schema or not schema[field].indexed:
        return np.empty(0, np.int64)
    lexicon = evaluator.searcher.reader().lexicon(field)
    return union_docs([evaluator.view.postings(field, term).docs for term in lexicon])


@rule(q.ConstantScoreQuery)
def _constant(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    return Hits.constant(evaluator.docs(query.child), boost * query.score)


@rule(q.WeightingQuery)
def _weighting(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    return evaluator.under(query.weighting).hits(query.child, boost)


@rule(type(q.NullQuery))
def _null(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    return Hits.none()


@rule(q.Prefix, q.Wildcard, q.Regex, q.FuzzyTerm, q.Variations, q.TermRange, q.MultiTerm)
def _multi_term(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    field = query.field()
    schema = evaluator.schema
    if field not in schema or not schema[field].indexed:
        return Hits.none()
    every = {q.Prefix: "", q.Wildcard: "*", q.Regex: ".*"}.get(type(query))
    if every is not None and query.text == every:
        return _every(evaluator, q.Every(field, boost=query.boost), boost)
    # Over the whole index, so that no segment sees another expansion, and in the order of the
    # terms, so that no hash seed does. Whoosh leaves out the empty term.
    terms = sorted({bytes(term) for term in _expansions(evaluator, query) if term})
    if getattr(query, "constantscore", False):
        docs = union_docs([evaluator.view.postings(field, term).docs for term in terms])
        return Hits.constant(docs, boost * query.boost)
    return union([evaluator.term(field, term, boost * query.boost) for term in terms])


def _expansions(evaluator: Evaluator, query: Any) -> Iterator[bytes]:
    # Segment by segment: a reader of several segments has no fuzzy expansion in some versions.
    schema = evaluator.schema
    for segment, _ in evaluator.view.segments:
        if query.field() not in set(segment.reader.indexed_field_names()):
            continue
        for term in query._btexts(segment.reader):
            yield term if isinstance(term, bytes) else schema[query.field()].to_bytes(term)


@rule(q.NumericRange, q.DateRange)
def _numeric_range(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    if query.fieldname not in evaluator.schema:
        return Hits.none()
    compiled = query._compile_query(evaluator.searcher.reader())
    if query.constantscore:
        # The compiled tree multiplies the boost in once or twice, as the range has one part or
        # more; by definition it counts once.
        return Hits.constant(evaluator.docs(compiled), boost * query.boost)
    parts = compiled.subqueries if isinstance(compiled, q.Or) else [compiled]
    for part in parts:
        if isinstance(part, q.TermRange):
            part.constantscore = False
    return union([evaluator.hits(part, boost * query.boost) for part in parts])


@rule(q.Phrase)
def _phrase(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    words = [evaluator.term(query.fieldname, word, boost * query.boost) for word in query.words]
    found = intersection(words)
    if not found.docs.size or len(words) == 1:
        return found
    return found.only(evaluator.stepped(query))


@rule(
    q.SpanFirst,
    q.SpanNear,
    q.SpanNear2,
    q.SpanNot,
    q.SpanOr,
    q.SpanContains,
    q.SpanBefore,
    q.SpanCondition,
)
def _span(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    return _where_stepped(evaluator, query, evaluator.hits(query.q, boost))


@rule(q.Sequence, q.Ordered)
def _sequence(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    return _where_stepped(evaluator, query, intersection(_children(evaluator, query, boost)))


def _where_stepped(evaluator: Evaluator, query: Any, scored: Hits) -> Hits:
    return scored.only(evaluator.stepped(query)) if scored.docs.size else scored


def _foreign(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    docs: list[int] = []
    scores: list[float] = []
    for searcher, offset in evaluator.leaves():
        matcher = query.matcher(searcher, searcher.context(weighting=evaluator.weighting))
        while matcher.is_active():
            docs.append(matcher.id() + offset)
            scores.append(matcher.score())
            matcher.next()
    found, first = np.unique(np.array(docs, np.int64), return_index=True)
    hits = Hits(found, snap(snap(np.array(scores, np.float64)[first]) * boost))
    return hits.only(evaluator.view.live(found))


def is_promised(query: Any) -> bool:
    """Whether the score of this tree is ours by definition, with no foreign class in it."""
    if rule_of(query) is _foreign:
        return False
    children = [query.query] if isinstance(query, q.Not) else list(query.children())
    return all(is_promised(child) for child in children)


def leaf_terms(evaluator: Evaluator, query: Any) -> list[tuple[str, bytes]]:
    """The indexed terms that the tree looks for, (field, bytes), in the tree's order, once each.

    Expansions of patterns count as terms; so do the terms of excluded clauses, which no match
    contains.
    """
    found: dict[tuple[str, bytes], None] = {}

    def visit(node: Any) -> None:
        if isinstance(node, q.Term):
            pairs = [(node.fieldname, node.text)]
        elif isinstance(node, q.Phrase):
            pairs = [(node.fieldname, word) for word in node.words]
        elif isinstance(node, q.MultiTerm):
            field = node.field()
            known = field in evaluator.schema and evaluator.schema[field].indexed
            pairs = (
                [(field, term) for term in sorted(set(_expansions(evaluator, node)))]
                if known
                else []
            )
        else:
            for child in [node.query] if isinstance(node, q.Not) else node.children():
                visit(child)
            return
        for field, text in pairs:
            term = evaluator.term_bytes(field, text)
            if term is not None:
                found[field, term] = None

    visit(query)
    return list(found)
