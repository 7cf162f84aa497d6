"""steadyrank makes the order of Whoosh search results a promise instead of an accident.

Importing this package loads numpy and nothing heavier: whoosh, pydantic and click are imported
by the names that need them, when they are first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from steadyrank.errors import (
    DuplicateIdError,
    IdFieldError,
    PolicyError,
    ScoreError,
    SteadyRankError,
    UnsupportedQueryError,
    WhooshMissingError,
)
from steadyrank.order import Band, Candidate, Placement, Policy, bands, natural, rank

if TYPE_CHECKING:
    from steadyrank.answering import Answer, Settings, SettingsError, Store, open_store
    from steadyrank.collecting import SteadyCollector
    from steadyrank.compiling import compile_index
    from steadyrank.direct import search_ids
    from steadyrank.index import SteadyIndex, open_index, stabilize
    from steadyrank.installing import install, uninstall
    from steadyrank.pinned import Statistics, StatisticsError
    from steadyrank.postings import SteadyRankWarning
    from steadyrank.scoring import KeywordPoints
    from steadyrank.searcher import SteadySearcher

__version__ = "0.1.0"

# Where each name that needs whoosh lives.
_LAZY = {
    "Answer": "steadyrank.answering",
    "KeywordPoints": "steadyrank.scoring",
    "Settings": "steadyrank.answering",
    "SettingsError": "steadyrank.answering",
    "Statistics": "steadyrank.pinned",
    "StatisticsError": "steadyrank.pinned",
    "SteadyCollector": "steadyrank.collecting",
    "SteadyIndex": "steadyrank.index",
    "SteadyRankWarning": "steadyrank.postings",
    "SteadySearcher": "steadyrank.searcher",
    "Store": "steadyrank.answering",
    "compile_index": "steadyrank.compiling",
    "install": "steadyrank.installing",
    "open_index": "steadyrank.index",
    "open_store": "steadyrank.answering",
    "search_ids": "steadyrank.direct",
    "stabilize": "steadyrank.index",
    "uninstall": "steadyrank.installing",
}

__all__ = [
    "Answer",
    "Band",
    "Candidate",
    "DuplicateIdError",
    "IdFieldError",
    "KeywordPoints",
    "Placement",
    "Policy",
    "PolicyError",
    "ScoreError",
    "Settings",
    "SettingsError",
    "Statistics",
    "StatisticsError",
    "SteadyCollector",
    "SteadyIndex",
    "SteadyRankError",
    "SteadyRankWarning",
    "SteadySearcher",
    "Store",
    "UnsupportedQueryError",
    "WhooshMissingError",
    "bands",
    "compile_index",
    "install",
    "natural",
    "open_index",
    "open_store",
    "rank",
    "search_ids",
    "stabilize",
    "uninstall",
]


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        try:
            value = getattr(import_module(_LAZY[name]), name)
        except ModuleNotFoundError as error:
            if error.name is not None and error.name.split(".")[0] == "whoosh":
                from steadyrank.whoosh_support import require_whoosh

                require_whoosh()  # says which extras there are
            raise
        globals()[name] = value
        return value
    raise AttributeError(f"module 'steadyrank' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
