"""What a build did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from steadyrank_builder.building.differences import differences
from steadyrank_builder.intake import SourceAccount
from steadyrank_builder.manifest import DocumentEntry
from steadyrank_builder.records import Rejected

SCHEMA = 1
SHOWN_REJECTS = 100  # kept in memory with their raw records


@dataclass(frozen=True, slots=True)
class Changes:
    """How many documents differ from the previous generation's, by id and content."""

    added: int
    changed: int
    removed: int
    unchanged: int

    @classmethod
    def between(
        cls, before: Mapping[str, DocumentEntry], now: Mapping[str, DocumentEntry]
    ) -> Changes:
        """Compare two generations' documents, ids ascending. Origins do not count as content."""
        counts = Counter(what for what, _ in differences(before, now))
        return cls(*(counts[what] for what in ("added", "changed", "removed", "unchanged")))


@dataclass(frozen=True, slots=True)
class BuildReport:
    """The outcome of a build.

    ``generation`` is the live one afterwards, ``previous`` the one before (None without an index
    of ours). ``published`` is False where the live generation had the same content already.
    ``digest`` is the logical one, ``seconds`` the wall time. ``rejected`` counts rejected records,
    ``rejects`` has the first hundred rejects by origin. ``notes`` are sentences for people.
    """

    generation: int
    previous: int | None
    documents: int
    digest: str
    published: bool
    sources: tuple[SourceAccount, ...]
    changes: Changes
    rejected: int
    rejects: tuple[Rejected, ...]
    dangling_links: int
    notes: tuple[str, ...]
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """The object that ``steadyrank build --json`` prints."""
        return {
            "schema": SCHEMA,
            "generation": self.generation,
            "documents": self.documents,
            "digest": self.digest,
            "published": self.published,
            "sources": [account.as_json() for account in self.sources],
            "changes": {
                "added": self.changes.added,
                "changed": self.changes.changed,
                "removed": self.changes.removed,
                "unchanged": self.changes.unchanged,
            },
            "seconds": round(self.seconds, 3),
        }
