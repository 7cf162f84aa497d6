"""The ways to order results that are compared."""

from __future__ import annotations

from collections.abc import Sequence

from steadyrank.measure import Ordering

STOCK = Ordering("stock Whoosh", engine="whoosh", statistics="whoosh")


def orderings_of(gaps: Sequence[float]) -> tuple[Ordering, ...]:
    """Stock Whoosh, score then id, and each gap: under live statistics by bands and by score,
    under pinned ones without a gap and by bands. Gaps that occur twice, and 0, count once.
    """
    wanted = sorted({gap for gap in gaps if gap})
    return (
        STOCK,
        Ordering("score, then id"),
        *(Ordering(f"gap {gap:g}", gap=gap) for gap in wanted),
        *(Ordering(f"gap {gap:g}, select=score", gap=gap, select="score") for gap in wanted),
        Ordering("pinned", statistics="pinned"),
        *(Ordering(f"pinned, gap {gap:g}", gap=gap, statistics="pinned") for gap in wanted),
    )
