"""One term's postings in one segment, as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh.codec.whoosh3 import W3LeafMatcher

from steadyrank.postings.blocks import read_blocks, read_values

Docs = NDArray[np.int64]
Weights = NDArray[np.float64]

# A block's documents and their coded values.
Block = tuple[Sequence[int], Sequence[bytes]]


@dataclass(frozen=True, slots=True)
class Postings:
    """Where a term occurs: document numbers, ascending and distinct, and its weight in each."""

    docs: Docs
    weights: Weights

    @classmethod
    def empty(cls) -> Postings:
        return cls(np.empty(0, np.int64), np.empty(0, np.float64))


def decode(matcher: Any, wanted: Sequence[int] | None = None) -> Postings:
    """All postings of a matcher that stands at its first one, deleted documents included.

    With ``wanted`` (ascending) at least those of the documents that have the term, and what
    comes with them.
    """
    if isinstance(matcher, W3LeafMatcher):
        return Postings(*read_blocks(matcher, wanted))
    docs, weights = [], []
    while matcher.is_active():
        docs.append(matcher.id())
        weights.append(matcher.weight())
        matcher.next()
    # A segment in memory keeps weights in double precision and writing narrows them: a field
    # boost of 1.3 must not score otherwise for as long as its document is in a buffer.
    found = np.array(weights, np.float32).astype(np.float64)
    return Postings(np.array(docs, np.int64), found)


def coded_values(matcher: Any, wanted: Sequence[int]) -> Iterator[tuple[int, Block]]:
    """What the postings of the documents (ascending) hold besides weights, still coded, with
    what comes along: blocks, each with a number that tells it from the others of the term.
    """
    if isinstance(matcher, W3LeafMatcher):
        for number, docs, values in read_values(matcher, wanted):
            yield number, (docs, values)
        return
    found = []
    for doc in wanted:
        if matcher.is_active() and matcher.id() < doc:
            matcher.skip_to(doc)
        if not matcher.is_active():
            break
        if matcher.id() == doc:
            found.append((doc, matcher.value()))
    if found:
        yield wanted[-1], ([doc for doc, _ in found], [value for _, value in found])
