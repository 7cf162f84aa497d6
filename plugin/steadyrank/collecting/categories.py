"""What Whoosh's facets say of hits: keys to group, collapse and sort by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from steadyrank.scoring import Evaluator, HitMatcher, Hits


def stepped(
    evaluator: Evaluator, hits: Hits, categorizers: list[Any], terms: Callable[[Any], Any]
) -> Iterator[tuple[int, int, HitMatcher]]:
    """Each hit: its place among the hits, its number within its segment, and a matcher there.

    The categorizers are told of each segment before its hits come, as Whoosh tells them.
    ``terms`` gives the matched terms of a segment's searcher, for matchers that are asked.
    """
    for searcher, offset in evaluator.leaves():
        size = searcher.reader().doc_count_all()
        start, stop = np.searchsorted(hits.docs, (offset, offset + size)).tolist()
        if start == stop:
            continue
        for categorizer in categorizers:
            categorizer.set_searcher(searcher, offset)
        own = Hits(hits.docs[start:stop] - offset, hits.scores[start:stop])
        matcher = HitMatcher(own, terms(searcher))
        for place, doc in enumerate(own.docs.tolist(), start=start):
            yield place, doc, matcher
            matcher.next()
            evaluator.check_time()  # a host's facet may be as slow as it likes
