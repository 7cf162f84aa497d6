"""What a search for words found, as plain records."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class FoundHit:
    """One result: where it stands, what it is, and what decided its place.

    ``rank`` counts from 1. ``kind`` and ``title`` are None where the index stores none. The
    rest is as in :class:`steadyrank.Placement`.
    """

    rank: int
    id: str
    document: str
    kind: str | None
    title: str | None
    score: float
    route: int
    band: int | None
    decided_by: str
    headroom: float | None
    margin: float | None
    tie_size: int


@dataclass(frozen=True, slots=True)
class FoundBand:
    """One band with a result among the hits; scores and distances in score points."""

    band: int
    leader: str
    leader_score: float
    size: int
    span: float
    headroom: float
    clearance: float | None


@dataclass(frozen=True, slots=True)
class Found:
    """The top of a ranking and the index it came from. ``total`` counts all that match."""

    query: str
    generation: int
    digest: str | None
    statistics: str
    gap: float
    total: int
    hits: tuple[FoundHit, ...]
    bands: tuple[FoundBand, ...]

    def to_dict(self) -> dict[str, Any]:
        """For JSON; ``schema`` is the version of this shape."""
        return {
            "schema": 1,
            **asdict(self),
            "hits": [asdict(hit) for hit in self.hits],
            "bands": [asdict(band) for band in self.bands],
        }
