"""Which documents match, and with which scores: the value that every query node gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from steadyrank.arithmetic import Scores, check_range, largest_first, snap
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
    if not _is_dense(parts):
        return _merge(parts, np.add)
    sums, positive = _sums(parts)
    found = np.flatnonzero(sums > 0 if positive else np.bincount(_docs(parts)))
    return Hits(found, sums[found])


def union_top(parts: Sequence[Hits], count: int, gap: float) -> Hits:
    """At least those of the union that are among its ``count`` highest, tie with the last of
    them, or are at most ``gap`` below it. Never all documents where few are asked for.
    """
    parts = [part for part in parts if part.docs.size]
    if _is_dense(parts):
        sums, positive = _sums(parts)
        last = largest_first(sums, min(count, sums.size))
        if positive and last > 0:
            near = (sums > 0) & (last - sums <= gap) if gap else sums >= last
            found = np.flatnonzero(near)
            return Hits(found, sums[found])
    return union(parts)


def _is_dense(parts: Sequence[Hits]) -> bool:
    # Whether sums are best kept in an array over all documents.
    if len(parts) < 2:
        return False
    highest_doc = max(int(part.docs[-1]) for part in parts)
    return sum(part.docs.size for part in parts) * _SPARSE >= highest_doc


def _sums(parts: Sequence[Hits]) -> tuple[Scores, bool]:
    # The sum of each document number's scores, and whether all of these are positive: then a
    # sum of 0 is of no score at all.
    scores = np.concatenate([part.scores for part in parts])
    sums: Scores = np.bincount(_docs(parts), scores).astype(np.float64, copy=False)
    check_range(sums)
    return sums, bool(scores.min() > 0)


def _docs(parts: Sequence[Hits]) -> Docs:
    return np.concatenate([part.docs for part in parts])


def highest(parts: Sequence[Hits]) -> Hits:
    """Documents that are in any part, with the highest of their scores."""
    return _merge(parts, np.maximum)


def _merge(parts: Sequence[Hits], combine: np.ufunc) -> Hits:
    parts = [part for part in parts if part.docs.size]
    if not parts:
        return Hits.none()
    if len(parts) == 1:
        return parts[0]
    docs = _docs(parts)
    scores = np.concatenate([part.scores for part in parts])
    order = np.argsort(docs, kind="stable")
    docs = docs[order]
    first = np.flatnonzero(np.concatenate(([True], docs[1:] != docs[:-1])))
    merged = combine.reduceat(scores[order], first)
    check_range(merged)
    return Hits(docs[first], merged)


def intersection(parts: Sequence[Hits]) -> Hits:
    """Documents that are in every part, with the sum of their scores."""
    if len(parts) < 2:
        return parts[0] if parts else Hits.none()
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
