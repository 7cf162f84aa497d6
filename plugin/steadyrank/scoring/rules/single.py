"""Single terms, and queries without a score of their own."""

from __future__ import annotations

from typing import Any

import numpy as np
from whoosh import query as q

from steadyrank.postings.decode import Docs
from steadyrank.scoring.evaluator import Evaluator, rule
from steadyrank.scoring.hits import Hits, union_docs


@rule(q.Term)
def _term(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    return evaluator.term(query.fieldname, query.text, boost * query.boost)


@rule(type(q.NullQuery))
def _null(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    return Hits.none()


@rule(q.Every)
def every(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    """All live documents, or all with a term in the field."""
    field = query.fieldname
    docs = evaluator.view.live_docs() if field is None else _docs_with(evaluator, field)
    return Hits.constant(docs, boost * query.boost)


def _docs_with(evaluator: Evaluator, field: str) -> Docs:
    if not evaluator.is_indexed(field):
        return np.empty(0, np.int64)
    return union_docs(
        [
            segment.docs_with(field) + offset
            for segment, offset in evaluator.view.segments
            if segment.size
        ]
    )


@rule(q.ConstantScoreQuery)
def _constant(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    return Hits.constant(evaluator.docs(query.child), boost * query.score)


@rule(q.ColumnQuery)
def _column(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    field, condition = query.fieldname, query.condition
    if field not in evaluator.schema or evaluator.schema[field].column_type is None:
        return Hits.none()
    found: list[int] = []
    for segment, offset in evaluator.view.segments:
        value = segment.column(field)
        for doc in segment.live_docs().tolist():
            fits = condition(value(doc)) if callable(condition) else value(doc) == condition
            if fits:
                found.append(doc + offset)
        evaluator.check_time()
    return Hits.constant(np.array(found, np.int64), boost)
