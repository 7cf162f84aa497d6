"""Writing small material and reading it, for the tests of the readers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from steadyrank_builder.document import Document
from steadyrank_builder.formats import Opened, ReadOptions, open_source
from steadyrank_builder.material import discover
from steadyrank_builder.records import Accepted, Outcome, Rejected, Skipped

SHARED = Path(__file__).resolve().parents[1] / "../shared/data"


class Read:
    """All outcomes of one file, by what became of them."""

    def __init__(self, opened: Opened) -> None:
        self.format = opened.format
        self.outcomes: list[Outcome] = list(opened.outcomes)
        for outcome in self.outcomes:  # what no reader may break, whatever a test is about
            assert outcome.records >= 1
            assert 1 <= outcome.origin.line <= outcome.origin.end_line

    @property
    def accepted(self) -> list[Accepted]:
        return [outcome for outcome in self.outcomes if isinstance(outcome, Accepted)]

    @property
    def documents(self) -> list[Document]:
        return [outcome.document for outcome in self.accepted]

    @property
    def ids(self) -> list[str]:
        return [document.id for document in self.documents]

    @property
    def rejects(self) -> list[tuple[str, int, int, int]]:
        """Code, first line, last line, records."""
        return [
            (outcome.code, outcome.origin.line, outcome.origin.end_line, outcome.records)
            for outcome in self.outcomes
            if isinstance(outcome, Rejected)
        ]

    @property
    def skips(self) -> list[tuple[str, int, int, int]]:
        """Reason, first line, last line, records."""
        return [
            (outcome.reason, outcome.origin.line, outcome.origin.end_line, outcome.records)
            for outcome in self.outcomes
            if isinstance(outcome, Skipped)
        ]

    @property
    def message(self) -> str:
        """The message of the only reject."""
        (reject,) = [outcome for outcome in self.outcomes if isinstance(outcome, Rejected)]
        return reject.message

    @property
    def records(self) -> int:
        return sum(outcome.records for outcome in self.outcomes)


def read_path(path: Path, root: Path | None = None, **options: Any) -> Read:
    """Read a file as a file argument, or as found below the folder ``root``."""
    sources = discover([root or path])
    (source,) = [source for source in sources if source.path == path]
    return Read(open_source(source, ReadOptions(**options)))


def read(folder: Path, name: str, content: str | bytes, **options: Any) -> Read:
    """Write a file below ``folder`` and read it as found there."""
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_path(path, folder, **options)
