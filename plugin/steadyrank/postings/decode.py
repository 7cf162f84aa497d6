"""One term's postings in one segment, read a block at a time."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
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


@dataclass(frozen=True, slots=True)
class Values:
    """What a term's postings hold besides weights, still coded: one for each document, deleted
    ones included. ``docs`` ascend.
    """

    docs: Docs
    coded: Sequence[bytes]


def decode(matcher: Any) -> tuple[Postings, Values | None]:
    """All postings of a matcher that stands at its first one, deleted documents included.

    Their values come with them where they were read along and have no fixed size, as positions.
    """
    if isinstance(matcher, W3LeafMatcher):
        return _decode_blocks(matcher)
    docs, weights = [], []
    while matcher.is_active():
        docs.append(matcher.id())
        weights.append(matcher.weight())
        matcher.next()
    # A segment in memory keeps weights in double precision and writing narrows them: a field
    # boost of 1.3 must not score otherwise for as long as its document is in a buffer.
    found = np.array(weights, np.float32).astype(np.float64)
    return Postings(np.array(docs, np.int64), found), None


def seek(matcher: Any, doc: int) -> None:
    """Moves an active matcher to the first posting at or after the document, or to its end."""
    if not isinstance(matcher, W3LeafMatcher):
        if matcher.is_active() and matcher.id() < doc:
            matcher.skip_to(doc)
        return
    # Whoosh's skip_to finds the block and then steps through it.
    while matcher.is_active() and matcher._maxid < doc:
        matcher._next_block()
    if matcher.is_active() and matcher.id() < doc:
        matcher._i = bisect_left(matcher._ids, doc, matcher._i)


def _decode_blocks(matcher: Any) -> tuple[Postings, Values | None]:
    # Whoosh's own block format, without its generator per posting: a block is a pickled tuple of
    # delta-coded document numbers, weights (None: all 1.0; a number: all that) and values.
    docs, weights = [], []
    coded: list[bytes] | None = []
    while matcher.is_active():
        matcher._read_data()
        deltas, block_weights, values = matcher._data
        docs.append(np.cumsum(np.array(deltas, np.int64)))
        size = len(deltas)
        if block_weights is None:
            weights.append(np.ones(size))
        elif isinstance(block_weights, float):
            weights.append(np.full(size, block_weights))
        else:
            weights.append(np.array(block_weights, np.float64))
        if coded is not None and isinstance(values, tuple | list) and len(values) == size:
            coded += values
        else:
            coded = None
        matcher._next_block()
    if not docs:
        return Postings.empty(), None
    found = Postings(
        docs[0] if len(docs) == 1 else np.concatenate(docs),
        weights[0] if len(docs) == 1 else np.concatenate(weights),
    )
    return found, None if coded is None else Values(found.docs, coded)
