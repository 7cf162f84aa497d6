"""Phrases and spans: where terms stand in a document decides, their postings give the score.

Positions are read from the postings of the terms and combined by us. Whoosh's own span matchers
give the same matches where they give any; over an Or they raise or not as the index is large or
small, and their scores depend on the layout.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from whoosh import query as q

from steadyrank.errors import UnsupportedQueryError
from steadyrank.postings.decode import Docs
from steadyrank.scoring import span_algebra
from steadyrank.scoring.evaluator import Evaluator, clauses, rule
from steadyrank.scoring.hits import Hits, intersection, union
from steadyrank.scoring.rules.patterns import expansions
from steadyrank.scoring.span_algebra import Spans

# The spans of a query in one document of the index.
SpansIn = Callable[[int], Spans]


class PositionsError(UnsupportedQueryError, q.QueryError):  # type: ignore[misc]
    """A phrase or span query needs positions that the field does not store."""


@rule(q.Phrase)
def _phrase(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    degrade = getattr(query, "degrade", False)  # whoosh3: without positions, all words will do
    if evaluator.is_indexed(query.fieldname) and not degrade:
        _require_positions(evaluator, query, query.fieldname)
    words = [evaluator.term(query.fieldname, word, boost * query.boost) for word in query.words]
    found = intersection(words)
    if len(words) == 1 or (degrade and not _has_positions(evaluator, query.fieldname)):
        return found
    return _where_spanned(evaluator, query, found)


@rule(q.SpanFirst)
def _span_first(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    return _where_spanned(evaluator, query, evaluator.hits(query.q, boost))


@rule(q.SpanNear, q.SpanNear2, q.SpanContains, q.SpanBefore, q.SpanCondition)
def _span_all(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    found = intersection([evaluator.hits(clause, boost) for clause in clauses(query)])
    return _where_spanned(evaluator, query, found)


@rule(q.SpanOr)
def _span_any(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    found = union([evaluator.hits(clause, boost) for clause in clauses(query)])
    return _where_spanned(evaluator, query, found)


@rule(q.SpanNot)
def _span_not(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    return _where_spanned(evaluator, query, evaluator.hits(q.AndMaybe(query.a, query.b), boost))


@rule(q.Sequence, q.Ordered)
def _sequence(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    found = intersection(
        [evaluator.hits(clause, boost * query.boost) for clause in query.subqueries]
    )
    if len(query.subqueries) == 1:  # whatever it is, with positions or without
        return found
    return _where_spanned(evaluator, query, found)


def _where_spanned(evaluator: Evaluator, query: Any, candidates: Hits) -> Hits:
    if not candidates.docs.size:
        return candidates
    spans_in = _spans_of(evaluator, query, candidates.docs)
    kept = []
    for count, doc in enumerate(candidates.docs.tolist()):
        if spans_in(doc):
            kept.append(doc)
        if count % 1024 == 0:
            evaluator.check_time()
    return candidates.only(np.array(kept, np.int64))


def _spans_of(evaluator: Evaluator, query: Any, docs: Docs) -> SpansIn:
    if isinstance(query, q.Term):
        return _positions(evaluator, query, query.fieldname, query.text, docs)
    if isinstance(query, q.MultiTerm):
        field = query.field()
        terms = expansions(evaluator, query)
        return _combined(
            [_positions(evaluator, query, field, term, docs) for term in terms],
            span_algebra.any_of,
        )
    if isinstance(query, q.Phrase):
        words = [_positions(evaluator, query, query.fieldname, word, docs) for word in query.words]
        return _combined(
            words,
            partial(span_algebra.near_each, slop=query.slop, ordered=True, mindist=1),
        )
    parts = [_spans_of(evaluator, clause, docs) for clause in clauses(query)]
    return _combined(parts, _combination(query))


def _combined(parts: list[SpansIn], combine: Callable[[list[Spans]], Spans]) -> SpansIn:
    return lambda doc: combine([part(doc) for part in parts]) if parts else []


def _combination(query: Any) -> Callable[[list[Spans]], Spans]:
    # What the query makes of the spans of its clauses, in their order.
    if isinstance(query, q.SpanFirst):
        return lambda parts: [span for span in parts[0] if span[1] <= query.limit]
    if isinstance(query, q.SpanNear | q.SpanNear2):
        return partial(
            span_algebra.near_each,
            slop=query.slop,
            ordered=query.ordered,
            mindist=query.mindist,
        )
    if isinstance(query, q.SpanOr):
        return lambda parts: span_algebra.merged(span_algebra.any_of(parts))
    if isinstance(query, q.SpanNot):
        return lambda parts: span_algebra.without(parts[0], parts[1])
    if isinstance(query, q.SpanContains):
        return lambda parts: span_algebra.containing(parts[0], parts[1])
    if isinstance(query, q.SpanBefore):
        return lambda parts: span_algebra.before(parts[0], parts[1])
    if isinstance(query, q.SpanCondition):
        return lambda parts: parts[0] if parts[1] else []
    if isinstance(query, q.Ordered):
        return lambda parts: span_algebra.in_pairs(parts, span_algebra.before)
    if isinstance(query, q.Sequence):
        step = partial(span_algebra.near, slop=query.slop, ordered=query.ordered, mindist=1)
        return lambda parts: span_algebra.in_pairs(parts, step)
    if isinstance(query, q.Or | q.DisjunctionMax):
        return span_algebra.any_of
    if isinstance(query, q.And):
        return lambda parts: span_algebra.any_of(parts) if all(parts) else []
    if isinstance(query, q.ConstantScoreQuery | q.WeightingQuery):
        return lambda parts: parts[0]
    if isinstance(query, type(q.NullQuery)):
        return lambda parts: []
    raise PositionsError(
        f"{type(query).__name__} has no positions, so it cannot be a clause of a span query: "
        f"{query!r}; use terms, phrases, patterns, Or, And or span queries there",
        query=repr(query),
    )


def _positions(evaluator: Evaluator, query: Any, field: str, text: Any, docs: Docs) -> SpansIn:
    # The term's positions in the documents, read in one pass over its postings.
    term = evaluator.term_bytes(field, text)
    if term is None:
        return lambda doc: []
    _require_positions(evaluator, query, field)
    found: dict[int, Spans] = {}
    for segment, start, stop, offset in evaluator.view.split(docs):
        wanted = docs[start:stop] - offset
        for doc, positions in segment.positions(field, term, wanted):
            found[doc + offset] = [(position, position) for position in positions]
        evaluator.check_time()
    return lambda doc: found.get(doc, [])


def _require_positions(evaluator: Evaluator, query: Any, field: str) -> None:
    if not _has_positions(evaluator, field):
        raise PositionsError(
            f"field {field!r} stores no positions, so {query!r} cannot be answered; search its "
            "words without a phrase, or index the field with phrase=True"
            + (", or build it as Phrase(..., degrade=True)" if hasattr(query, "degrade") else ""),
            query=repr(query),
        )


def _has_positions(evaluator: Evaluator, field: str) -> bool:
    stored = evaluator.schema[field].format if field in evaluator.schema else None
    return bool(stored and stored.supports("positions"))
