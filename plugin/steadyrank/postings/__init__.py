"""What Whoosh stores, as arrays: postings, lengths and ids of the live documents."""

from steadyrank.errors import SteadyRankWarning
from steadyrank.postings.canonical import content_hash
from steadyrank.postings.decode import Postings
from steadyrank.postings.identity import Identity, record_id
from steadyrank.postings.index_view import IndexView
from steadyrank.postings.segment import Segment

__all__ = [
    "Identity",
    "IndexView",
    "Postings",
    "Segment",
    "SteadyRankWarning",
    "content_hash",
    "record_id",
]
