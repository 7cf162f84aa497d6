"""How to build."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from steadyrank_builder.formats import ReadOptions

# Called with the stage ("read", "write", "check"), how much of it is done and, where it is
# known, how much there is; in records while reading and in documents after that.
Progress = Callable[[str, int, int | None], None]


def silent(_stage: str, _done: int, _total: int | None) -> None:
    """The progress of a build that nobody watches."""


@dataclass(frozen=True)
class BuildSettings:
    """The choices of a build.

    ``language`` chooses the analyzer, and is the language of records that name none unless
    ``reading`` has another. ``prefer`` names the source that decides where sources
    contradict each other. ``force`` publishes over a generation that others wrote, or wrote
    meanwhile. ``lock_timeout`` is in seconds, ``memory_mb`` what Whoosh may use for postings.
    ``rejects`` is the file for rejected records. ``progress`` is called now and then.
    """

    reading: ReadOptions = field(default_factory=ReadOptions)
    language: str = "en"
    prefer: str | None = None
    force: bool = False
    lock_timeout: float = 5.0
    memory_mb: int = 128
    rejects: Path | None = None
    progress: Progress = silent

    @property
    def ledger_mb(self) -> int:
        """What the intake may keep in memory."""
        return max(1, self.memory_mb // 2)
