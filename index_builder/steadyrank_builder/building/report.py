"""What a build, an update or a check did."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from steadyrank_builder.building.differences import Changes
from steadyrank_builder.building.guards import Tripped
from steadyrank_builder.intake import SourceAccount
from steadyrank_builder.records import Rejected

SCHEMA = 1
SHOWN_REJECTS = 100  # kept in memory with their raw records


@dataclass(frozen=True, slots=True)
class BuildReport:
    """The outcome of a build or an update, or what it would be where it is ``dry``.

    ``generation`` is the live one afterwards (0: none), ``previous`` the one before (None without
    an index of ours). ``published`` is False where the live generation had the same content
    already, in a dry run, and where a limit was exceeded: then ``tripped`` says which.
    ``digest`` is the logical one, ``seconds`` the wall time. ``changes`` are against ``previous``;
    ``renamed`` pairs ids with those that have their content now.

    In an update ``unchanged`` names the sources that were not read again, ``kept`` those that it
    was not told of, ``gone`` those that are no more, ``unread`` those of which nothing could
    be used and which stay as they were.

    ``rejected`` counts rejected records, ``rejects`` has the first hundred rejects by origin.
    ``notes`` are sentences for people.
    """

    command: str
    dry: bool
    generation: int
    previous: int | None
    documents: int
    digest: str
    published: bool
    sources: tuple[SourceAccount, ...]
    changes: Changes
    renamed: tuple[tuple[str, str], ...]
    kept: tuple[str, ...]
    gone: tuple[str, ...]
    unchanged: tuple[str, ...]
    unread: tuple[str, ...]
    tripped: tuple[Tripped, ...]
    rejected: int
    rejects: tuple[Rejected, ...]
    dangling_links: int
    notes: tuple[str, ...]
    seconds: float

    def as_json(self) -> dict[str, Any]:
        """The object that ``--json`` prints: what a build agreed on, and what others add to it."""
        agreed = {
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
        if self.command == "build" and not self.dry and not self.tripped:
            return agreed
        return {**agreed, **self._more()}

    def as_full_json(self) -> dict[str, Any]:
        """The same with everything else that is known, for a report file."""
        return {
            **self.as_json(),
            **self._more(),
            "previous": self.previous,
            "dangling_links": self.dangling_links,
            "notes": list(self.notes),
        }

    def _more(self) -> dict[str, Any]:
        return {
            "command": self.command,
            "dry": self.dry,
            "renamed": [{"from": old, "to": new} for old, new in self.renamed],
            "kept": list(self.kept),
            "gone": list(self.gone),
            "unchanged": list(self.unchanged),
            "unread": list(self.unread),
            "guards": [each.as_json() for each in self.tripped],
            "rejected": self.rejected,
        }
