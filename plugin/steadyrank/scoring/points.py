"""Keyword points: a score of small integers, made for ties."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from whoosh.scoring import BaseScorer, WeightingModel

from steadyrank.errors import PolicyError


class KeywordPoints(WeightingModel):  # type: ignore[misc]
    """Each distinct query term that a document contains earns it points, once.

    A term earns the points of the best field it occurs in; fields without points earn none.
    Frequency, length, rarity and boosts do not count. ``KeywordPoints()`` gives 3 for a title
    and 1 for a text; ``KeywordPoints(title=3, text=1, tags=2)`` says it for each field.

    Under a stock searcher, which knows no terms across fields, a term earns the points of every
    field it occurs in.
    """

    def __init__(self, **points: float) -> None:
        for field, value in points.items():
            if not 0 < value < 2**16:
                raise PolicyError(
                    f"the points of field {field!r} are a number above 0 and below 65,536: {value}"
                )
        self.points: Mapping[str, float] = MappingProxyType(points or {"title": 3, "text": 1})

    def scorer(self, searcher: Any, fieldname: str, text: Any, qf: int = 1) -> Any:
        return _PointsScorer(float(self.points.get(fieldname, 0)))

    def __repr__(self) -> str:
        return f"KeywordPoints({', '.join(f'{k}={v:g}' for k, v in self.points.items())})"


class _PointsScorer(BaseScorer):  # type: ignore[misc]
    def __init__(self, points: float) -> None:
        self.points = points

    def supports_block_quality(self) -> bool:
        return True

    def score(self, matcher: Any) -> float:
        return self.points

    def max_quality(self) -> float:
        return self.points

    def block_quality(self, matcher: Any) -> float:
        return self.points
