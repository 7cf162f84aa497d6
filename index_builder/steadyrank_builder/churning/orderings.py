"""The ways to order results that are compared."""

from __future__ import annotations

from collections.abc import Sequence

from steadyrank.measure import Ordering

STOCK = Ordering("stock Whoosh", engine="whoosh", statistics="whoosh")


def orderings_of(gaps: Sequence[float]) -> tuple[Ordering, ...]:
    """Stock Whoosh, score then id, and each gap: under live statistics by bands and by score,
    under pinned ones without a gap and by bands. Gaps that occur twice, and 0, count once.
    """
    wanted = {f"gap {gap!r}".removesuffix(".0"): gap for gap in sorted(map(float, gaps)) if gap}
    return (
        STOCK,
        Ordering("score, then id"),
        *(Ordering(name, gap=gap) for name, gap in wanted.items()),
        *(
            Ordering(f"{name}, select=score", gap=gap, select="score")
            for name, gap in wanted.items()
        ),
        Ordering("pinned", statistics="pinned"),
        *(
            Ordering(f"pinned, {name}", gap=gap, statistics="pinned")
            for name, gap in wanted.items()
        ),
    )
