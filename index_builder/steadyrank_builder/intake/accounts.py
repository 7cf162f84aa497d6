"""What became of the records of one source; nothing is lost silently."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from steadyrank_builder.failures import AccountingError


@dataclass
class SourceAccount:
    """The sums of one source, in records.

    ``group`` is the folder argument that the source was found in, empty for one named itself.
    ``skipped`` counts by reason. ``kinds`` counts the accepted documents by kind; each is one
    record accepted, and the further records it was made of are ``merged``. ``content`` is a
    number that tells the usable records of the source from any other set of records.
    """

    path: str
    format: str
    group: str = ""
    read: int = 0
    accepted: int = 0
    merged: int = 0
    duplicates: int = 0
    rejected: int = 0
    skipped: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    content: int = 0

    def check(self) -> None:
        """AccountingError unless every record read went somewhere, once."""
        parts = (
            self.accepted, self.merged, self.duplicates, self.skipped.total(), self.rejected
        )  # fmt: skip
        if self.read != sum(parts):
            raise AccountingError(
                f"{self.path}: {self.read} records were read, and accepted, merged, duplicates, "
                f"skipped and rejected are {parts}. This is a fault in steadyrank: please "
                "report it with the file. Nothing was published.",
                source=self.path,
            )

    def as_json(self) -> dict[str, str | int]:
        """The source's entry in the build's report."""
        return {
            "path": self.path,
            "format": self.format,
            "read": self.read,
            "accepted": self.accepted,
            "merged": self.merged,
            "duplicates": self.duplicates,
            "skipped": self.skipped.total(),
            "rejected": self.rejected,
        }
