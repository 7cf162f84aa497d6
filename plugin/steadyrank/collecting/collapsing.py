"""Collapsing: of the hits that share a key only the best stay (``collapse``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steadyrank.arithmetic import largest_first
from steadyrank.collecting.categories import named, stepped
from steadyrank.collecting.collector import SteadyCollector
from steadyrank.scoring import Hits


@dataclass(frozen=True, slots=True)
class Collapsed:
    """The hits that stay, and how many went for each key."""

    hits: Hits
    counts: dict[Any, int]


# The hits at these places, best first: as many as are asked for.
Best = Callable[[NDArray[np.int64], int], NDArray[np.int64]]


def collapse(
    steady: SteadyCollector, keyfacet: Any, limit: int, orderfacet: Any = None
) -> Collapsed:
    """Keeps ``limit`` hits of each key: the first in the order, or by ``orderfacet`` and then it.

    Hits with an empty key all stay.
    """
    hits = steady.evaluate()
    keyer = keyfacet.categorizer(steady.top_searcher)
    groups = named(steady.evaluator, hits, keyer, steady.terms_in)
    sizes = np.bincount(groups.numbers, minlength=len(groups.names)).tolist()
    crowded = [
        number
        for number, (name, size) in enumerate(zip(groups.names, sizes, strict=True))
        if size > limit and name
    ]
    if not crowded:
        return Collapsed(hits, {})
    best = _best(steady, hits, orderfacet)
    keep = np.ones(hits.docs.size, np.bool_)
    by_group = np.argsort(groups.numbers, kind="stable")
    ends = np.cumsum(sizes).tolist()
    for number in crowded:
        places = by_group[ends[number] - sizes[number] : ends[number]]
        keep[places] = False
        keep[best(places, limit)] = True
    return Collapsed(
        Hits(hits.docs[keep], hits.scores[keep]),
        {groups.names[number]: sizes[number] - limit for number in crowded},
    )


def _best(steady: SteadyCollector, hits: Hits, orderfacet: Any) -> Best:
    # What finds the first of some hits, given their places in ascending order.
    if orderfacet is None and steady.by_score_and_id:
        return lambda places, count: _highest(steady, hits, places, count)
    rank: Sequence[Any] = steady.positions().tolist()
    if orderfacet is not None:
        orderer = orderfacet.categorizer(steady.top_searcher)
        rank = [
            (orderer.key_for(matcher, doc), rank[place])
            for place, doc, matcher in stepped(steady.evaluator, hits, [orderer], steady.terms_in)
        ]
    return lambda places, count: np.array(
        sorted(places.tolist(), key=rank.__getitem__)[:count], np.int64
    )


def _highest(
    steady: SteadyCollector, hits: Hits, places: NDArray[np.int64], count: int
) -> NDArray[np.int64]:
    # Ids are read only where a tie is at the cut.
    scores = hits.scores[places]
    last = largest_first(scores, count)
    above, tied = places[scores > last], places[scores == last]
    if above.size + tied.size == count:
        return places[scores >= last]
    ties = Hits(hits.docs[tied], hits.scores[tied])
    lowest = [doc for _, doc in steady.first_of(ties, count - above.size)]
    return np.concatenate([above, np.searchsorted(hits.docs, lowest)])
