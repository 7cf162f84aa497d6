"""The score of a document, defined by the query tree."""

from steadyrank.scoring import rules  # registers what each query class means
from steadyrank.scoring.evaluator import DeadlineError, Evaluator, is_promised
from steadyrank.scoring.explanation import Explanation, explain
from steadyrank.scoring.hit_matcher import HitMatcher
from steadyrank.scoring.hits import Hits
from steadyrank.scoring.leaf_terms import leaf_terms
from steadyrank.scoring.points import KeywordPoints
from steadyrank.scoring.whole import evaluate

__all__ = [
    "DeadlineError",
    "Evaluator",
    "Explanation",
    "HitMatcher",
    "Hits",
    "KeywordPoints",
    "evaluate",
    "explain",
    "is_promised",
    "leaf_terms",
    "rules",
]
