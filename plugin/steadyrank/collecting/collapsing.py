"""Collapsing: of the hits that share a key only the best stay (``collapse``)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from steadyrank.collecting.categories import stepped
from steadyrank.scoring import Evaluator, Hits


@dataclass(frozen=True, slots=True)
class Collapsed:
    """The hits that stay, and how many went for each key."""

    hits: Hits
    counts: dict[Any, int]


def collapse(
    evaluator: Evaluator,
    hits: Hits,
    keyfacet: Any,
    limit: int,
    orderfacet: Any,
    positions: Callable[[], Sequence[int]],
    terms: Callable[[Any], Any],
) -> Collapsed:
    """Keeps ``limit`` hits of each key: the first in the order, or by ``orderfacet`` and then it.

    Hits with an empty key all stay. ``positions`` gives each hit's place in the final order and
    is asked only when a key has too many.
    """
    keyer = keyfacet.categorizer(evaluator.searcher)
    orderer = orderfacet.categorizer(evaluator.searcher) if orderfacet else None
    members: dict[Any, list[int]] = defaultdict(list)
    orders: dict[int, Any] = {}
    for place, doc, matcher in stepped(
        evaluator, hits, [keyer, orderer] if orderer else [keyer], terms
    ):
        key = keyer.key_to_name(keyer.key_for(matcher, doc))
        if key:
            members[key].append(place)
            if orderer:
                orders[place] = orderer.key_for(matcher, doc)
    crowded = {key: places for key, places in members.items() if len(places) > limit}
    if not crowded:
        return Collapsed(hits, {})
    rank = positions()
    dropped: list[int] = []
    for places in crowded.values():
        places.sort(key=lambda place: (orders[place], rank[place]) if orderer else rank[place])
        dropped += places[limit:]
    keep = np.ones(hits.docs.size, np.bool_)
    keep[dropped] = False
    return Collapsed(
        Hits(hits.docs[keep], hits.scores[keep]),
        {key: len(places) - limit for key, places in crowded.items()},
    )
