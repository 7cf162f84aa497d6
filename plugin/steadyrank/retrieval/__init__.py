"""Questions in a shopper's words, asked of an index."""

from steadyrank.retrieval.explained import Explained, explain_words
from steadyrank.retrieval.found import Found, FoundBand, FoundHit
from steadyrank.retrieval.question import parsed
from steadyrank.retrieval.search import search_words

__all__ = [
    "Explained",
    "Found",
    "FoundBand",
    "FoundHit",
    "explain_words",
    "parsed",
    "search_words",
]
