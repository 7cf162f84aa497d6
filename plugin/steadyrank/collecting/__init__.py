"""Searches through Whoosh's collectors: ours, and the host's own chains of them."""

from steadyrank.collecting.chain import Chain, run_chain
from steadyrank.collecting.collector import SteadyCollector
from steadyrank.collecting.results import SteadyResults
from steadyrank.collecting.sorting import SteadySortingCollector, UnscoredCollector

__all__ = [
    "Chain",
    "SteadyCollector",
    "SteadyResults",
    "SteadySortingCollector",
    "UnscoredCollector",
    "run_chain",
]
