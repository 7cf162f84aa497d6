"""Queries that combine the matches of others."""

from __future__ import annotations

from typing import Any

import numpy as np
from whoosh import query as q
from whoosh.query import compound

from steadyrank.arithmetic import snap
from steadyrank.scoring.evaluator import Evaluator, clauses, rule
from steadyrank.scoring.hits import Hits, among, highest, intersection, union
from steadyrank.scoring.rules.patterns import expansions


def parts(evaluator: Evaluator, query: Any, boost: float) -> list[Hits]:
    """Each clause of a compound query with the query's own boost multiplied in."""
    return [evaluator.hits(clause, boost * query.boost) for clause in query.subqueries]


@rule(q.Or, compound.DefaultOr, compound.SplitOr, compound.PreloadedOr)
def _or(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    if query.scale and len(query.subqueries) > 1:
        return _scaled(evaluator, query, boost)
    return union(parts(evaluator, query, boost))


def _scaled(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    # Whoosh's coordination (V-twin's short query ranking): the sum is raised by the number of
    # terms that match. Not linear, so the boosts above are multiplied in afterwards.
    summed = union(parts(evaluator, query, 1.0))
    terms = _occurrences(evaluator, query)
    matching = np.zeros(summed.docs.size)
    for field, term in terms:
        matching += among(summed.docs, evaluator.view.postings(field, term).docs)
    count = len(terms)
    if not count:
        return Hits(summed.docs, snap(summed.scores * boost))
    raised = (summed.scores + (matching - 1) / (count - query.scale) ** 2) * (count - 1) / count
    return Hits(summed.docs, snap(snap(raised) * boost))


def _occurrences(evaluator: Evaluator, query: Any) -> list[tuple[str, bytes]]:
    # The terms of the tree, one for each place where it stands.
    if isinstance(query, q.Term):
        found = [(query.fieldname, query.text)]
    elif isinstance(query, q.Phrase):
        found = [(query.fieldname, word) for word in query.words]
    elif isinstance(query, q.MultiTerm):
        return [(query.field(), term) for term in expansions(evaluator, query)]
    else:
        return [pair for clause in clauses(query) for pair in _occurrences(evaluator, clause)]
    spelled = [(field, evaluator.term_bytes(field, text)) for field, text in found]
    return [(field, term) for field, term in spelled if term is not None]


@rule(q.And)
def _and(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    return intersection(parts(evaluator, query, boost))


@rule(q.DisjunctionMax)
def _dismax(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    return highest(parts(evaluator, query, boost))


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
    return Hits.constant(live[~among(live, evaluator.docs(query.query))], boost)
