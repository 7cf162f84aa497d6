"""The order: score descending, then id ascending, with optional close bands.

Nothing here knows a search engine, and nothing outside decides an order of its own: top k,
pages, bands, quotas and the drop-in collectors all end in :func:`arrange`.
"""

from steadyrank.order.bands import Band, bands
from steadyrank.order.candidate import Candidate, Ranked, checked_score
from steadyrank.order.keys import band_ends, in_band, total_order
from steadyrank.order.placement import Placement, ScoreProfile, placements, profile
from steadyrank.order.policy import Natural, Policy, Select, checked_gap, natural, natural_key
from steadyrank.order.quota import Cut, Kinded, Limits, cut, fetch, take
from steadyrank.order.ranking import arrange, checked_limit, rank

__all__ = [
    "Band",
    "Candidate",
    "Cut",
    "Kinded",
    "Limits",
    "Natural",
    "Placement",
    "Policy",
    "Ranked",
    "ScoreProfile",
    "Select",
    "arrange",
    "band_ends",
    "bands",
    "checked_gap",
    "checked_limit",
    "checked_score",
    "cut",
    "fetch",
    "in_band",
    "natural",
    "natural_key",
    "placements",
    "profile",
    "rank",
    "take",
    "total_order",
]
