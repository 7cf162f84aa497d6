"""Which documents match, and with which scores: the value that every query node gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from steadyrank.arithmetic import Scores, check_range, snap
from steadyrank.postings.decode import Docs

# Sums are kept in an array over all documents if the parts have one of so many of them; else the
# parts are sorted into each other.
_SPARSE = 16


@dataclass(frozen=True, slots=True)
class Hits:
    """Matching documents, ascending and distinct, and their scores on the grid, same shape.

    Since all scores lie on the grid, their sums are exact and do not depend on an order.
    """

    docs: Docs
    scores: Scores

    @classmethod
    def none(cls) -> Hits:
        return cls(np.empty(0, np.int64), np.empty(0, np.float64))

    @classmethod
    def constant(cls, docs: Docs, score: float) -> Hits:
        return cls(docs, np.full(docs.size, snap(float(score))))

    def only(self, docs: Docs) -> Hits:
        """Those whose document is among ``docs`` (ascending, distinct)."""
        keep = among(self.docs, docs)
        return Hits(self.docs[keep], self.scores[keep])

    def without(self, docs: Docs) -> Hits:
        """Those whose document is not among ``docs`` (ascending, distinct)."""
        keep = ~among(self.docs, docs)
        return Hits(self.docs[keep], self.scores[keep])


def among(docs: Docs, others: Docs) -> NDArray[np.bool_]:
    """For each of ``docs`` whether it is in ``others``; both ascending and distinct."""
    if not others.size:
        return np.zeros(docs.size, np.bool_)
    places = np.searchsorted(others, docs)
    places[places == others.size] = 0
    found: NDArray[np.bool_] = others[places] == docs
    return found


def union(parts: Sequence[Hits]) -> Hits:
    """Documents that are in any part, with the sum of their scores."""
    parts = [part for part in parts if part.docs.size]
    count = sum(part.docs.size for part in parts)
    if len(parts) < 2 or count * _SPARSE < max(int(part.docs[-1]) for part in parts):
        return _merge(parts, np.add)
    docs = np.concatenate([part.docs for part in parts])
    scores = np.concatenate([part.scores for part in parts])
    sums: Scores = np.bincount(docs, scores).astype(np.float64, copy=False)
    # Where nothing is added but positive scores, a sum of 0 is of no score at all.
    positive = all(part.scores.min() > 0 for part in parts)
    found = np.flatnonzero(sums if positive else np.bincount(docs))
    merged: Scores = sums[found]
    check_range(merged)
    return Hits(found, merged)


def highest(parts: Sequence[Hits]) -> Hits:
    """Documents that are in any part, with the highest of their scores."""
    return _merge(parts, np.maximum)


def _merge(parts: Sequence[Hits], combine: np.ufunc) -> Hits:
    parts = [part for part in parts if part.docs.size]
    if not parts:
        return Hits.none()
    if len(parts) == 1:
        return parts[0]
    docs = np.concatenate([part.docs for part in parts])
    scores = np.concatenate([part.scores for part in parts])
    order = np.argsort(docs, kind="stable")
    docs = docs[order]
    first = np.flatnonzero(np.concatenate(([True], docs[1:] != docs[:-1])))
    merged = combine.reduceat(scores[order], first)
    check_range(merged)
    return Hits(docs[first], merged)


def intersection(parts: Sequence[Hits]) -> Hits:
    """Documents that are in every part, with the sum of their scores."""
    if not parts:
        return Hits.none()
    docs, *others = sorted((part.docs for part in parts), key=len)
    for other in others:
        docs = docs[among(docs, other)] if docs.size else docs
    scores = np.zeros(docs.size)
    for part in parts:
        scores += part.scores[np.searchsorted(part.docs, docs)] if docs.size else 0.0
    check_range(scores)
    return Hits(docs, scores)


def union_docs(parts: Sequence[Docs]) -> Docs:
    """Document numbers that are in any part, ascending and distinct."""
    parts = [part for part in parts if part.size]
    if not parts:
        return np.empty(0, np.int64)
    if len(parts) == 1:
        return parts[0]
    merged: Docs = np.unique(np.concatenate(parts))
    return merged
