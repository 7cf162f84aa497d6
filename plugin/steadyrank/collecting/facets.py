"""Groups of hits (``groupedby``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh.sorting import Count, UnorderedList

from steadyrank.collecting.categories import Named, named, numbered_names, stepped
from steadyrank.scoring import Evaluator, Hits


def group(
    evaluator: Evaluator,
    hits: Hits,
    facets: dict[str, Any],
    maptype: Any,
    positions: Callable[[], NDArray[np.int64]],
    terms: Callable[[Any], Any],
) -> dict[str, Any]:
    """One of Whoosh's facet maps for each facet, with every hit in its groups.

    ``positions`` gives each hit's place in the final order, so that lists of a group stand in
    that order and the best of a group is the first of it; it is asked only by maps that have an
    order. Groups are added as their first hit comes, or by name where hits have no order.
    """
    maps = {name: facet.map(maptype) for name, facet in facets.items()}
    ordered = any(not isinstance(found, UnorderedList | Count) for found in maps.values())
    keys = positions() if ordered else None
    for name, facet in facets.items():
        groups, places = _members(evaluator, hits, facet, terms)
        if type(maps[name]) is Count:
            for number, size in enumerate(np.bincount(groups.numbers).tolist()):
                maps[name].dict[groups.names[number]] += size
            continue
        # The order in which groups are added is the order in which a host sees them.
        order = np.argsort(groups.numbers if keys is None else keys[places], kind="stable")
        for place, number in zip(
            places[order].tolist(), groups.numbers[order].tolist(), strict=True
        ):
            key = place if keys is None else int(keys[place])
            maps[name].add(groups.names[number], int(hits.docs[place]), key)
    return maps


def _members(
    evaluator: Evaluator, hits: Hits, facet: Any, terms: Callable[[Any], Any]
) -> tuple[Named, NDArray[np.int64]]:
    # Each membership in a group, and the place of its hit. A hit may be in several groups.
    categorizer = facet.categorizer(evaluator.searcher)
    if not categorizer.allow_overlap:
        return named(evaluator, hits, categorizer, terms), np.arange(hits.docs.size)
    places = []
    names = []
    for place, doc, matcher in stepped(evaluator, hits, [categorizer], terms):
        for key in categorizer.keys_for(matcher, doc):
            places.append(place)
            names.append(categorizer.key_to_name(key))
    return numbered_names(names), np.array(places, np.int64)
