"""The score of a document, defined by the query tree."""

from steadyrank.scoring.evaluator import Evaluator, is_promised, leaf_terms
from steadyrank.scoring.explanation import Explanation, explain
from steadyrank.scoring.hit_matcher import HitMatcher
from steadyrank.scoring.hits import Hits

__all__ = [
    "Evaluator",
    "Explanation",
    "HitMatcher",
    "Hits",
    "explain",
    "is_promised",
    "leaf_terms",
]
