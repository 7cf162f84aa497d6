"""One term's postings in one segment, as arrays."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh.codec.whoosh3 import W3LeafMatcher

from steadyrank.postings.blocks import read_blocks, read_values
from steadyrank.postings.coded import Coded

Docs = NDArray[np.int64]
Weights = NDArray[np.float64]

# A block's documents and their coded values.
Block = tuple[Sequence[int], Sequence[bytes]]


@dataclass(frozen=True, slots=True)
class Postings:
    """Where a term occurs: document numbers, ascending and distinct, and its weight in each.

    ``coded`` is the same weights, with the lengths that a score needs besides, as codes: several
    parts, one after the other, or None where they were not compiled. ``given`` are the weights
    where there are no codes.
    """

    docs: Docs
    given: Weights | None = None
    coded: tuple[Coded, ...] | None = None

    @property
    def weights(self) -> Weights:
        """The weight in each document."""
        if self.given is not None:
            return self.given
        parts = [part.weights for part in self.coded or ()]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)

    @classmethod
    def empty(cls) -> Postings:
        return cls(np.empty(0, np.int64), np.empty(0, np.float64))

    def where(self, keep: NDArray[np.bool_]) -> Postings:
        """Those of the documents for which ``keep`` is true."""
        if self.coded is None:
            return Postings(self.docs[keep], self.weights[keep])
        coded, start = [], 0
        for part in self.coded:
            stop = start + part.codes.size
            coded.append(Coded(part.codes[keep[start:stop]], part.table))
            start = stop
        return Postings(self.docs[keep], coded=tuple(coded))

    @classmethod
    def joined(cls, parts: Sequence[tuple[Postings, int]]) -> Postings:
        """Those of several segments, none of them empty, each with the number of its first
        document, ascending.
        """
        if not parts:
            return cls.empty()
        docs = [part.docs + offset if offset else part.docs for part, offset in parts]
        all_docs = docs[0] if len(docs) == 1 else np.concatenate(docs)
        if all(part.coded is not None for part, _ in parts):
            return cls(all_docs, coded=tuple(c for part, _ in parts for c in part.coded or ()))
        weights = [part.weights for part, _ in parts]
        return cls(all_docs, weights[0] if len(weights) == 1 else np.concatenate(weights))


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
