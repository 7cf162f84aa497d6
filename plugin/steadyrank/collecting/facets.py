"""Groups of hits (``groupedby``)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from whoosh.sorting import Count, UnorderedList

from steadyrank.collecting.categories import stepped
from steadyrank.scoring import Evaluator, Hits


def group(
    evaluator: Evaluator,
    hits: Hits,
    facets: dict[str, Any],
    maptype: Any,
    positions: Callable[[], Sequence[int]],
    terms: Callable[[Any], Any],
) -> dict[str, Any]:
    """One of Whoosh's facet maps for each facet, with every hit in its groups.

    ``positions`` gives each hit's place in the final order, so that lists of a group stand in
    that order and the best of a group is the first of it; it is asked only by maps that have an
    order.
    """
    maps = {name: facet.map(maptype) for name, facet in facets.items()}
    categorizers = {name: facet.categorizer(evaluator.searcher) for name, facet in facets.items()}
    ordered = any(not isinstance(found, UnorderedList | Count) for found in maps.values())
    keys: Sequence[int] = positions() if ordered else range(hits.docs.size)
    docs = hits.docs.tolist()
    for place, doc, matcher in stepped(evaluator, hits, list(categorizers.values()), terms):
        for name, categorizer in categorizers.items():
            if categorizer.allow_overlap:
                names = [categorizer.key_to_name(key) for key in categorizer.keys_for(matcher, doc)]
            else:
                names = [categorizer.key_to_name(categorizer.key_for(matcher, doc))]
            for group_name in names:
                maps[name].add(group_name, docs[place], keys[place])
    return maps
