"""The matches of a whole query, with what its weighting model says of whole documents."""

from __future__ import annotations

from typing import Any

import numpy as np

from steadyrank.arithmetic import snap
from steadyrank.scoring.evaluator import Evaluator
from steadyrank.scoring.hits import Hits, highest, union
from steadyrank.scoring.leaf_terms import wanted_terms
from steadyrank.scoring.points import KeywordPoints


def evaluate(evaluator: Evaluator, query: Any, boost: float = 1.0) -> Hits:
    """What a search for this query ranks.

    Keyword points look at all terms of the query together, and a model's ``final()`` at all
    documents; for other models it is ``evaluator.hits(query)``.
    """
    model = evaluator.weighting
    together = isinstance(model, KeywordPoints)
    if not (together or model.use_final):
        return evaluator.hits(query, boost)
    hits = _points(evaluator, query) if together else evaluator.hits(query)
    if model.use_final and hits.docs.size:
        pairs = zip(hits.docs.tolist(), hits.scores.tolist(), strict=True)
        scores = [model.final(evaluator.searcher, doc, score) for doc, score in pairs]
        hits = Hits(hits.docs, snap(np.array(scores, np.float64)))
    return hits if boost == 1.0 else Hits(hits.docs, snap(hits.scores * boost))


def _points(evaluator: Evaluator, query: Any) -> Hits:
    # For each distinct term of the tree the points of the best field it is in. The tree decides
    # which documents match. Excluded clauses earn nothing: Or([a, Not(b)]) may match with b.
    matched = evaluator.docs(query)
    points = evaluator.weighting.points
    fields_of: dict[bytes, list[str]] = {}
    for field, term in wanted_terms(evaluator, query):
        if field in points:
            fields_of.setdefault(term, []).append(field)
    earned = [
        highest(
            [
                Hits.constant(evaluator.view.postings(field, term).docs, float(points[field]))
                for field in fields
            ]
        )
        for term, fields in fields_of.items()
    ]
    return union([Hits.constant(matched, 0.0), *(found.only(matched) for found in earned)])
