"""What Whoosh's facets say of hits: keys to group, collapse and sort by."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh.columns import NumericColumn, VarBytesColumn
from whoosh.sorting import ColumnCategorizer, PostingCategorizer

from steadyrank.postings.identity import typed
from steadyrank.postings.segment import segment_of
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


@dataclass(frozen=True, slots=True)
class Named:
    """The group of each hit as a number, and the names of the groups, in an order of their own
    that no layout decides.
    """

    numbers: NDArray[np.int64]
    names: list[Any]


def named(evaluator: Evaluator, hits: Hits, categorizer: Any, terms: Callable[[Any], Any]) -> Named:
    """What the categorizer calls the group of each hit, as its ``key_for`` says.

    A field's values are read once for all searches where they depend on the document alone.
    """
    if type(categorizer) is PostingCategorizer:
        keys, places = np.unique(np.asarray(categorizer.array)[hits.docs], return_inverse=True)
        keys = len(categorizer.values) - keys if categorizer.reverse else keys
        return _merged([categorizer.key_to_name(key) for key in keys.tolist()], places.ravel())
    if _is_plain_column(categorizer) and not any(
        segment_of(searcher.reader()).in_memory for searcher, _ in evaluator.leaves()
    ):
        return _of_column(evaluator, hits, categorizer)
    return numbered_names(
        [
            categorizer.key_to_name(categorizer.key_for(matcher, doc))
            for _, doc, matcher in stepped(evaluator, hits, [categorizer], terms)
        ]
    )


def numbered_names(names: list[Any]) -> Named:
    """The groups that have these names, one for each hit."""
    return _merged(names, np.arange(len(names)))


def _is_plain_column(categorizer: Any) -> bool:
    # Whether the names are what the column reads as.
    return (
        type(categorizer) is ColumnCategorizer
        and not categorizer._reverse
        and type(categorizer._column_type) in (VarBytesColumn, NumericColumn)
    )


def _of_column(evaluator: Evaluator, hits: Hits, categorizer: Any) -> Named:
    field = categorizer._fieldname
    found = np.empty(hits.docs.size, np.int64)
    names: list[Any] = []
    for searcher, offset in evaluator.leaves():
        segment = segment_of(searcher.reader())
        start, stop = np.searchsorted(hits.docs, (offset, offset + segment.size)).tolist()
        if start == stop:
            continue
        if segment.reader.has_column(field):
            own, values = segment.numbered(
                field, hits.docs[start:stop] - offset, evaluator.check_time
            )
            found[start:stop] = own + len(names)
            names += values
        else:  # the column's default, whatever is stored
            categorizer.set_searcher(searcher, offset)
            found[start:stop] = len(names)
            names.append(categorizer.key_to_name(categorizer.key_for(None, 0)))
    return _merged(names, found)


def _merged(names: list[Any], places: NDArray[np.int64]) -> Named:
    # ``places`` are each hit's place among the names, of which some may be equal or unused.
    used = np.zeros(len(names), np.bool_)
    used[places] = True
    distinct = dict.fromkeys(names[place] for place in np.flatnonzero(used).tolist())
    numbers = {name: number for number, name in enumerate(sorted(distinct, key=typed))}
    of_place = np.array([numbers.get(name, 0) for name in names], np.int64)
    return Named(of_place[places], list(numbers))
