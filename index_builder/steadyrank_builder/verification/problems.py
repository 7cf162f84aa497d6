"""What verification can find."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong. ``file`` is the name in the index folder, None for the whole.

    ``code`` is a stable word: ``written-by-others``, ``damaged-manifest``, ``missing-file``,
    ``damaged-file``, ``other-digest``, ``other-seal``, ``unsafe-pickle``,
    ``unreadable``, ``other-content``.
    """

    code: str
    file: str | None
    message: str


@dataclass(frozen=True, slots=True)
class Verification:
    """The outcome: sound when there are no problems.

    All but path and generation are what the manifest says, and None without one.
    """

    path: str
    generation: int
    documents: int | None
    digest: str | None
    seal: str | None
    created: str | None
    made_with: Mapping[str, str]
    problems: tuple[Problem, ...]

    def as_json(self) -> dict[str, Any]:
        """The object that ``steadyrank verify --json`` prints."""
        return {
            "schema": SCHEMA,
            "path": self.path,
            "generation": self.generation,
            "documents": self.documents,
            "digest": self.digest,
            "seal": self.seal,
            "created": self.created,
            "made_with": dict(self.made_with),
            "sound": not self.problems,
            "problems": [
                {"code": p.code, "file": p.file, "message": p.message} for p in self.problems
            ],
        }
