"""Queries that stand for many terms of one field."""

from __future__ import annotations

from typing import Any

from whoosh import query as q

from steadyrank.scoring.evaluator import Evaluator, rule
from steadyrank.scoring.hits import Hits, union, union_docs
from steadyrank.scoring.rules.single import every


@rule(q.MultiTerm, q.Prefix, q.Wildcard, q.Regex, q.FuzzyTerm, q.Variations, q.TermRange)
def _multi_term(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    field = query.field()
    if not evaluator.is_indexed(field):
        return Hits.none()
    everything = {q.Prefix: "", q.Wildcard: "*", q.Regex: ".*"}.get(type(query))
    if everything is not None and query.text == everything:
        return every(evaluator, q.Every(field, boost=query.boost), boost)
    terms = expansions(evaluator, query)
    if getattr(query, "constantscore", False):
        docs = union_docs([evaluator.view.postings(field, term).docs for term in terms])
        return Hits.constant(docs, boost * query.boost)
    return union([evaluator.term(field, term, boost * query.boost) for term in terms])


def expansions(evaluator: Evaluator, query: Any) -> list[bytes]:
    """The terms of the whole index that the query stands for, in the order of their bytes.

    Over the whole index, so that no segment sees another expansion; sorted, so that no hash
    seed does. Whoosh leaves out the empty term.
    """
    field = query.field()
    if not evaluator.is_indexed(field):
        return []
    spell = evaluator.schema[field].to_bytes
    found: set[bytes] = set()
    # Segment by segment: a reader of several segments has no fuzzy expansion in some versions.
    for segment, _ in evaluator.view.segments:
        if segment.has_terms(field):
            for term in query._btexts(segment.reader):
                found.add(bytes(term) if isinstance(term, bytes) else spell(term))
            evaluator.check_time()
    found.discard(b"")
    return sorted(found)


@rule(q.NumericRange, q.DateRange)
def _numeric_range(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    if not evaluator.is_indexed(query.fieldname):
        return Hits.none()
    compiled = query._compile_query(evaluator.searcher.reader())
    if isinstance(compiled, q.ConstantScoreQuery):
        # What it compiles to multiplies the boost in once or twice, as the range has one part or
        # more; by definition it counts once.
        return Hits.constant(evaluator.docs(compiled.child), boost * query.boost)
    ranges = compiled.subqueries if isinstance(compiled, q.Or) else [compiled]
    for part in ranges:
        if isinstance(part, q.TermRange):
            part.constantscore = False
    return union([evaluator.hits(part, boost * query.boost) for part in ranges])
