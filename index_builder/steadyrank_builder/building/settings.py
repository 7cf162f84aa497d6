"""How to build."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steadyrank_builder.building.guards import Limit
from steadyrank_builder.formats import ReadOptions

# Called with the stage ("read", "write", "check"), how much of it is done and, where it is
# known, how much there is; in records while reading and in documents after that.
Progress = Callable[[str, int, int | None], None]


def silent(_stage: str, _done: int, _total: int | None) -> None:
    """The progress of a build that nobody watches."""


@dataclass(frozen=True)
class BuildSettings:
    """The choices of a build or an update.

    ``language`` chooses the analyzer, and is the language of records that name none unless
    ``reading`` has another. ``reading`` can be a mapping of some fields of ``ReadOptions``; the
    others are then as if nothing was said of them. ``prefer`` names the source that decides where
    sources contradict each other. What is None is as it was at the last build for an update, and
    for a build English, nothing preferred, and each file read as what it looks like.

    ``max_lost`` limits how many of the live documents may vanish, ``max_rejects`` how many records
    may be rejected; None is no limit (the command line has 10% and none). ``force`` publishes
    over a generation that others wrote, or wrote meanwhile; ``adopt`` takes over a folder whose
    index was never built here.

    ``compile`` has decoded posting lists published beside the index. ``lock_timeout`` is in
    seconds. ``memory_mb`` is what postings, as Whoosh estimates them, may use before they go to
    temporary files; the intake uses up to half as much beside them.
    ``rejects`` is the file for rejected records, ``report`` the one for the full report.
    ``progress`` is called now and then.
    """

    reading: ReadOptions | Mapping[str, Any] | None = None
    language: str | None = None
    prefer: str | None = None
    max_lost: Limit | None = None
    max_rejects: Limit | None = None
    force: bool = False
    adopt: bool = False
    compile: bool = True
    lock_timeout: float = 5.0
    memory_mb: int = 128
    rejects: Path | None = None
    report: Path | None = None
    progress: Progress = silent

    @property
    def ledger_mb(self) -> int:
        """What the intake may keep in memory."""
        return max(1, self.memory_mb // 2)
