"""The top of a union without adding up every posting.

Like MaxScore (Turtle and Flood, 1995), on whole arrays. A list's own k-th highest score is a floor
under the k-th of the union. Lists whose highest scores together stay below the floor cannot bring
a document in by themselves: only the others are added up, and these lists are looked up for the
few documents that may still get there. Scores are on the grid, so every bound is exact.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from steadyrank.arithmetic import GRID, LIMIT, Scores, largest_first
from steadyrank.postings.decode import Docs
from steadyrank.scoring.hits import Hits, summed, union

# Of a list's scores so many of the highest are kept apart, for questions of one word.
_SHORT = 128

# Sums are kept in an array over all documents if the lists have one of so many of them; else the
# lists are sorted into each other.
_SPARSE = 16

# A list that has one of so many documents is used as an array over all of them from its second
# use on: adding and looking up cost a fraction then.
_FULL = 4

_STEP = 1 / GRID


class ScoredList:
    """Hits with what pruning asks of them, each worked out once.

    ``highest`` is their highest score, 0 without any; ``positive`` says that all are above 0.
    """

    __slots__ = (
        "_by_doc", "_floors", "_top", "_used", "docs", "highest", "positive", "scores", "size",
    )  # fmt: skip

    def __init__(self, hits: Hits) -> None:
        self.docs = hits.docs
        self.scores = hits.scores
        self.size = hits.docs.size
        self.highest = float(hits.scores.max()) if self.size else 0.0
        self.positive = not self.size or float(hits.scores.min()) > 0
        self._floors: dict[int, float] = {}
        self._top: Hits | None = None
        self._used = False
        self._by_doc: Scores | None = None

    def hits(self) -> Hits:
        return Hits(self.docs, self.scores)

    def floor(self, count: int) -> float:
        """The ``count``-th highest score; minus infinity where there are fewer."""
        found = self._floors.get(count)
        if found is None:
            found = largest_first(self.scores, count) if count <= self.size else -math.inf
            self._floors[count] = found
        return found

    def top(self, count: int, gap: float) -> Hits:
        """The ``count`` highest, what ties with the last of them or is at most ``gap`` below."""
        last = self.floor(count)
        if self.size > _SHORT >= count:
            lowest = self.floor(_SHORT)
            if self._top is None:
                self._top = _near(self.hits(), lowest, 0.0)
            if not gap or last - lowest > gap:
                return _near(self._top, last, gap)
        return _near(self.hits(), last, gap)

    def added_to(self, docs: Docs, scores: Scores) -> Scores:
        """The scores of (ascending) documents with the scores that they have here added, new or
        in place.
        """
        by_doc = self.by_doc()
        if by_doc is not None:
            if docs.size and docs[-1] >= by_doc.size:
                here = docs.searchsorted(by_doc.size)
                scores[:here] += by_doc[docs[:here]]
                return scores
            return scores + by_doc[docs]
        if docs.size <= self.size:
            places = self.docs.searchsorted(docs)
            places[places == self.size] = 0
            own = self.scores[places]
            own[self.docs[places] != docs] = 0.0
            return scores + own
        places = docs.searchsorted(self.docs)
        places[places == docs.size] = 0
        both = docs[places] == self.docs
        scores[places[both]] += self.scores[both]
        return scores

    def by_doc(self) -> Scores | None:
        """The score of each document up to the last, 0 of those that are not here; None where
        that is not worth it.
        """
        if self._by_doc is None and self._used and self.size * _FULL > int(self.docs[-1]):
            by_doc = np.zeros(int(self.docs[-1]) + 1)
            by_doc[self.docs] = self.scores
            self._by_doc = by_doc
        self._used = True
        return self._by_doc


def union_top(lists: Sequence[ScoredList], count: int, gap: float) -> Hits:
    """Of the union those among its ``count`` highest, those that tie with the last of them, and
    those at most ``gap`` below it. ``count`` is at least 1, ``gap`` at least 0.
    """
    lists = sorted((each for each in lists if each.size), key=_highest)
    if len(lists) < 2:
        return lists[0].top(count, gap) if lists else Hits.none()
    if not all(each.positive for each in lists) or math.fsum(map(_highest, lists)) >= LIMIT:
        return ScoredList(union([each.hits() for each in lists])).top(count, gap)
    floor = max(each.floor(count) for each in lists)
    reach = 0.0  # what the lists that are only looked up can give a document
    looked_up = 0
    while floor - (reach + lists[looked_up].highest) > gap:  # never so of all of them
        reach += lists[looked_up].highest
        looked_up += 1
    found = _added_up(lists[looked_up:], floor - reach - gap - _STEP)
    docs, scores = found.docs, found.scores
    for each in reversed(lists[:looked_up]):
        if scores.size >= count:
            floor = max(floor, largest_first(scores, count))
        may_enter = floor - (scores + reach) <= gap
        docs = docs[may_enter]
        scores = each.added_to(docs, scores[may_enter])
        reach -= each.highest
    if scores.size <= count:
        return Hits(docs, scores)
    return _near(Hits(docs, scores), largest_first(scores, count), gap)


def _added_up(lists: Sequence[ScoredList], least: float) -> Hits:
    # Documents of the lists, whose scores are positive, with the sums of these where they are
    # not below ``least``.
    if len(lists) == 1:
        hits = lists[0].hits()
    else:
        size = max(int(each.docs[-1]) for each in lists) + 1
        if sum(int(each.size) for each in lists) * _SPARSE >= size:
            sums = np.zeros(size)
            for each in lists:
                by_doc = each.by_doc()
                if by_doc is None:
                    sums[each.docs] += each.scores
                else:
                    sums[: by_doc.size] += by_doc
            docs = (sums >= max(least, _STEP)).nonzero()[0]  # a sum of 0 is of no list
            return Hits(docs, sums[docs])
        hits = summed(
            np.concatenate([each.docs for each in lists]),
            np.concatenate([each.scores for each in lists]),
        )
    keep = hits.scores >= least
    return Hits(hits.docs[keep], hits.scores[keep])


def _near(hits: Hits, last: float, gap: float) -> Hits:
    keep = last - hits.scores <= gap
    return Hits(hits.docs[keep], hits.scores[keep])


def _highest(each: ScoredList) -> float:
    return each.highest
