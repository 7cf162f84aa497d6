"""A clause under a weighting model of its own."""

from __future__ import annotations

from typing import Any

from whoosh import query as q

from steadyrank.scoring.evaluator import Evaluator, rule
from steadyrank.scoring.hits import Hits
from steadyrank.scoring.whole import evaluate


@rule(q.WeightingQuery)
def _weighting(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    return evaluate(evaluator.under(query.weighting), query.child, boost)
