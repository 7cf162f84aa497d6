"""Queries that combine the matches of others."""

from __future__ import annotations

from typing import Any

import numpy as np
from whoosh import query as q
from whoosh.query import compound

from steadyrank.arithmetic import snap
from steadyrank.postings.decode import Docs
from steadyrank.scoring.evaluator import Evaluator, clauses, rule
from steadyrank.scoring.hits import Hits, among, highest, intersection, union, union_docs
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
    terms = _documents_of_terms(evaluator, query)
    count = len(terms)
    if not count:
        return Hits(summed.docs, snap(summed.scores * boost))
    if count == 1:  # the formula's last factor is 0, and its divisor may be
        return Hits.constant(summed.docs, 0.0)
    matching = np.zeros(summed.docs.size)
    for docs in terms:
        matching += among(summed.docs, docs)
    raised = (summed.scores + (matching - 1) / (count - query.scale) ** 2) * (count - 1) / count
    return Hits(summed.docs, snap(snap(raised) * boost))


def _documents_of_terms(evaluator: Evaluator, query: Any) -> list[Docs]:
    # For each place of the tree where a term stands the documents that contain it. A pattern
    # is one term, however many it expands to: else every new word of the corpus would move
    # the scores of all documents.
    view = evaluator.view
    if isinstance(query, q.MultiTerm):
        field = query.field()
        found = [view.postings(field, term).docs for term in expansions(evaluator, query)]
        return [union_docs(found)]
    if isinstance(query, q.Term):
        texts = [query.text]
    elif isinstance(query, q.Phrase):
        texts = query.words
    else:
        return [docs for part in clauses(query) for docs in _documents_of_terms(evaluator, part)]
    terms = [evaluator.term_bytes(query.fieldname, text) for text in texts]
    return [view.postings(query.fieldname, term).docs for term in terms if term is not None]


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
