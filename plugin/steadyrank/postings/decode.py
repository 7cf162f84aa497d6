"""One term's postings in one segment, read a block at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh.codec.whoosh3 import W3LeafMatcher

Docs = NDArray[np.int64]
Weights = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Postings:
    """Where a term occurs: document numbers, ascending and distinct, and its weight in each."""

    docs: Docs
    weights: Weights

    @classmethod
    def empty(cls) -> Postings:
        return cls(np.empty(0, np.int64), np.empty(0, np.float64))


def decode(matcher: Any) -> Postings:
    """All postings of a matcher that stands at its first one, deleted documents included."""
    if isinstance(matcher, W3LeafMatcher):
        return _decode_blocks(matcher)
    docs, weights = [], []
    while matcher.is_active():
        docs.append(matcher.id())
        weights.append(matcher.weight())
        matcher.next()
    # A segment in memory keeps weights in double precision and writing narrows them: a field
    # boost of 1.3 must not score otherwise for as long as its document is in a buffer.
    return Postings(np.array(docs, np.int64), np.array(weights, np.float32).astype(np.float64))


def _decode_blocks(matcher: Any) -> Postings:
    # Whoosh's own block format, without its generator per posting: a block is a pickled tuple of
    # delta-coded document numbers, weights (None: all 1.0; a number: all that) and values.
    docs, weights = [], []
    while matcher.is_active():
        matcher._read_data()
        deltas, block_weights, _ = matcher._data
        docs.append(np.cumsum(np.array(deltas, np.int64)))
        size = len(deltas)
        if block_weights is None:
            weights.append(np.ones(size))
        elif isinstance(block_weights, float):
            weights.append(np.full(size, block_weights))
        else:
            weights.append(np.array(block_weights, np.float64))
        matcher._next_block()
    if len(docs) == 1:
        return Postings(docs[0], weights[0])
    return Postings(np.concatenate(docs), np.concatenate(weights)) if docs else Postings.empty()
