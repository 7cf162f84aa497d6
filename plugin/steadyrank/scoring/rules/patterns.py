"""Queries that stand for many terms of one field."""

from __future__ import annotations

import re
from typing import Any

from whoosh import query as q

from steadyrank.postings.lexicon import WithCursor
from steadyrank.scoring.evaluator import Evaluator, rule
from steadyrank.scoring.hits import Hits, union, union_docs
from steadyrank.scoring.rules.single import every

_EVERYTHING = ((q.Prefix, ""), (q.Wildcard, "*"), (q.Regex, ".*"))


@rule(q.MultiTerm, q.Prefix, q.Wildcard, q.Regex, q.FuzzyTerm, q.Variations, q.TermRange)
def _multi_term(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    field = query.field()
    if not evaluator.is_indexed(field):
        return Hits.none()
    if any(isinstance(query, kind) and query.text == text for kind, text in _EVERYTHING):
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
            for term in _terms_in(query, segment.reader):
                found.add(bytes(term) if isinstance(term, bytes) else spell(term))
            evaluator.check_time()
    found.discard(b"")
    return sorted(found)


def _terms_in(query: Any, reader: Any) -> list[Any]:
    if type(query) is q.Regex and "{" in query.text:
        # Whoosh takes the "b" of "ab{0,1}" for part of every match.
        fits, spelled = re.compile(query.text).match, reader.schema[query.fieldname].from_bytes
        return [term for term in reader.lexicon(query.fieldname) if fits(spelled(term))]
    try:
        return list(query._btexts(reader))
    except NotImplementedError:  # a segment in memory has no cursor over its terms
        return list(query._btexts(WithCursor(reader)))


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
