"""The one order that everything ends in, with or without bands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from operator import index

from steadyrank.errors import DuplicateIdError, PolicyError
from steadyrank.order.candidate import Candidate, R
from steadyrank.order.keys import band_ends, in_band, total_order
from steadyrank.order.policy import Select, checked_gap


def rank(
    candidates: Iterable[Candidate],
    gap: float = 0.0,
    select: Select = "band",
    limit: int | None = None,
) -> list[Candidate]:
    """The candidates in their one order, however they come in.

    Without a gap: route, score descending, id. With a gap the walk of that list forms bands
    anchored at their leaders (see :func:`steadyrank.bands`), and each band is ordered by
    document. ``limit`` keeps the first so many (None: all). ``select="band"``: the bands decide
    who is among them, so the answer for k is a prefix of the answer for any n > k.
    ``select="score"``: score and id decide who is among them, and the bands arrange those only.

    Raises DuplicateIdError (a ValueError) that names ids which occur twice, PolicyError for a
    gap that is negative or not finite. O(n log n) for n candidates, of any kind of ties.
    """
    pool = list(candidates)
    counts = Counter(candidate.id for candidate in pool)
    if len(counts) < len(pool):
        twice = sorted(id for id, count in counts.items() if count > 1)
        shown = ", ".join(repr(id) for id in twice[:10]) + (", ..." if len(twice) > 10 else "")
        raise DuplicateIdError(
            f"{len(twice)} id(s) occur more than once, so they cannot settle a tie: {shown}; "
            "give each record an id of its own",
            ids=twice,
        )
    return arrange(pool, checked_gap(gap), select, limit)


def arrange(
    pool: Sequence[R], gap: float, select: Select = "band", limit: int | None = None
) -> list[R]:
    """:func:`rank` for anything that has the four attributes, its ids known to be distinct."""
    if select not in ("band", "score"):
        raise PolicyError(f'select is "band" or "score", not {select!r}')
    stop = len(pool) if limit is None else checked_limit(limit)
    ordered = sorted(pool, key=total_order)
    if not gap:
        return ordered[:stop]
    if select == "score":
        del ordered[stop:]
    arranged: list[R] = []
    start = 0
    for end in band_ends(ordered, gap):
        if start >= stop:  # the band that straddles the limit is complete, the next is not needed
            break
        arranged += sorted(ordered[start:end], key=in_band)
        start = end
    return arranged[:stop]


def checked_limit(limit: int) -> int:
    """The limit as an int, or PolicyError (a ValueError): it is a count of results, 0 or more."""
    try:
        count = -1 if isinstance(limit, bool) else index(limit)  # numbers of arrays are counts
    except TypeError:
        count = -1
    if count < 0:
        raise PolicyError(f"limit is how many results to keep, 0 or more (None: all): {limit!r}")
    return count
