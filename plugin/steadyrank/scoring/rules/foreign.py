"""Query classes that we do not know."""

from __future__ import annotations

from typing import Any

import numpy as np

from steadyrank.arithmetic import snap
from steadyrank.scoring.evaluator import DeadlineError, Evaluator, rule
from steadyrank.scoring.hits import Hits


@rule(object)
def _foreign(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    # Matches and scores of its own matcher, which may depend on the layout. It is stepped
    # plainly: replace() and skip_to_quality() drop documents.
    docs: list[int] = []
    scores: list[float] = []
    try:
        for searcher, offset in evaluator.leaves():
            context = searcher.context(needs_current=True, weighting=evaluator.weighting)
            matcher = query.matcher(searcher, context)
            while matcher.is_active():
                docs.append(matcher.id() + offset)
                scores.append(matcher.score())
                matcher.next()
                evaluator.check_time()  # such a matcher may be as slow as it likes
    except DeadlineError:
        raise DeadlineError(_hits(evaluator, docs, scores, boost)) from None
    return _hits(evaluator, docs, scores, boost)


def _hits(evaluator: Evaluator, docs: list[int], scores: list[float], boost: float) -> Hits:
    found, first = np.unique(np.array(docs, np.int64), return_index=True)
    hits = Hits(found, snap(snap(np.array(scores, np.float64)[first]) * boost))
    return hits.only(evaluator.view.live(found))
