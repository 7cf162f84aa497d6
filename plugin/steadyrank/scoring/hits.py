"""Which documents match, and with which scores: the value that every query node gives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steadyrank.arithmetic import Scores, check_range, snap
from steadyrank.postings.decode import Docs

# Sums are kept in an array over all documents if the parts have one of so many of them; else the
# parts are sorted into each other.
_SPARSE = 16

# One list is searched for the documents of another that is so many times shorter; else both are
# marked in an array over all documents.
_SEARCHED = 16


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
    merged = summed(_docs(parts), np.concatenate([part.scores for part in parts]), combine)
    check_range(merged.scores)
    return merged


def summed(docs: Docs, scores: Scores, combine: np.ufunc = np.add) -> Hits:
    """One hit for each distinct document, its scores combined; the range is not checked."""
    order = docs.argsort(kind="stable")
    docs = docs[order]
    is_first = np.empty(docs.size, np.bool_)
    is_first[:1] = True
    np.not_equal(docs[1:], docs[:-1], out=is_first[1:])
    first = is_first.nonzero()[0]
    return Hits(docs[first], combine.reduceat(scores[order], first))


def intersection(parts: Sequence[Hits]) -> Hits:
    """Documents that are in every part, with the sum of their scores: from the shortest one on."""
    if len(parts) < 2:
        return parts[0] if parts else Hits.none()
    shortest, *others = sorted(parts, key=lambda part: part.docs.size)
    docs, scores = shortest.docs, shortest.scores
    for other in others:
        if not docs.size:
            break
        here, there = _common(docs, other.docs)
        docs = docs[here]
        scores = scores[here] + other.scores[there]
    check_range(scores)
    return Hits(docs, scores)


def _common(docs: Docs, others: Docs) -> tuple[NDArray[Any], NDArray[Any]]:
    # What the two have in common, as an index into each; both ascending and distinct.
    if docs.size * _SEARCHED < others.size:
        places = others.searchsorted(docs)
        places[places == others.size] = 0
        here = others[places] == docs
        return here, places[here]
    marks = np.zeros(max(int(docs[-1]), int(others[-1])) + 1, np.bool_)
    marks[docs] = True
    there = marks[others]
    marks[docs] = False
    marks[others[there]] = True
    return marks[docs], there


def union_docs(parts: Sequence[Docs]) -> Docs:
    """Document numbers that are in any part, ascending and distinct."""
    parts = [part for part in parts if part.size]
    if not parts:
        return np.empty(0, np.int64)
    if len(parts) == 1:
        return parts[0]
    # Sorted runs one after the other. np.unique makes a hash table of them first, which takes ten
    # times as long for thousands.
    merged: Docs = np.concatenate(parts)
    merged.sort(kind="stable")
    is_new = np.empty(merged.size, np.bool_)
    is_new[0] = True
    np.not_equal(merged[1:], merged[:-1], out=is_new[1:])
    return merged[is_new]
