"""Spans of positions, and what each of Whoosh's span queries makes of those of its clauses.

A span is (first position, last position). Lists of spans are sorted and distinct.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Span = tuple[int, int]
Spans = list[Span]


def any_of(parts: Iterable[Spans]) -> Spans:
    """The spans of all clauses together."""
    return sorted({span for part in parts for span in part})


def merged(spans: Spans) -> Spans:
    """Overlapping and touching spans made into one."""
    joined: Spans = []
    for start, end in spans:
        if joined and start <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(joined[-1][1], end))
        else:
            joined.append((start, end))
    return joined


def distance(a: Span, b: Span) -> int:
    """Positions from one span to the other: 0 where they overlap, 1 for neighbours."""
    if a[1] < b[0]:
        return b[0] - a[1]
    if b[1] < a[0]:
        return a[0] - b[1]
    return 0


def near(a: Spans, b: Spans, *, slop: int, ordered: bool, mindist: int) -> Spans:
    """From a span of ``a`` to one of ``b`` at a distance of ``mindist`` to ``slop``.

    ``ordered``: the one of ``b`` must not start before the one of ``a``.
    """
    return sorted(
        {
            (min(one[0], other[0]), max(one[1], other[1]))
            for one in a
            for other in b
            if mindist <= distance(one, other) <= slop and not (ordered and one[0] > other[0])
        }
    )


def near_each(parts: list[Spans], *, slop: int, ordered: bool, mindist: int) -> Spans:
    """Every clause near what the clauses before it span."""
    found = parts[0]
    for part in parts[1:]:
        found = near(found, part, slop=slop, ordered=ordered, mindist=mindist)
    return found


def before(a: Spans, b: Spans) -> Spans:
    """Spans of ``a`` that end before the first of ``b`` starts."""
    if not b:
        return []
    first = min(start for start, _ in b)
    return [span for span in a if span[1] < first]


def without(a: Spans, b: Spans) -> Spans:
    """Spans of ``a`` that overlap none of ``b``."""
    return [span for span in a if all(distance(span, other) for other in b)]


def containing(a: Spans, b: Spans) -> Spans:
    """Spans of ``a`` with one of ``b`` inside."""
    return [
        (start, end)
        for start, end in a
        if any(start <= inner[0] and inner[1] <= end for inner in b)
    ]


def in_pairs(parts: list[Spans], combine: Callable[[Spans, Spans], Spans]) -> Spans:
    """The clauses combined as Whoosh's balanced binary tree does: by halves."""
    if len(parts) == 1:
        return parts[0]
    half = len(parts) // 2
    return combine(in_pairs(parts[:half], combine), in_pairs(parts[half:], combine))
