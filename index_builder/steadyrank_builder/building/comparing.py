"""The next generation's documents against the live one's."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from steadyrank_builder.building.differences import Changes, differences
from steadyrank_builder.building.renames import renamed
from steadyrank_builder.intake import Intake
from steadyrank_builder.manifest import DocumentEntry


@dataclass(frozen=True)
class Compared:
    """``renamed`` pairs a vanished id with a new one of the same content; it is a guess."""

    changes: Changes
    renamed: tuple[tuple[str, str], ...]


def compare(before: Mapping[str, DocumentEntry] | None, intake: Intake, target: Path) -> Compared:
    """Compare; ``before`` is None where no generation of ours is live in ``target``."""
    changes = Changes.between(before or {}, intake.entries)
    if before is None or not (changes.removed and changes.added):
        return Compared(changes, ())

    def of(kind: str) -> Iterator[str]:
        return (id_ for what, id_ in differences(before, intake.entries) if what == kind)

    def removed() -> Iterator[tuple[int, str]]:
        # The ids of a generation ascend as its document numbers do.
        number = -1
        for what, id_ in differences(before, intake.entries):
            number += what != "added"
            if what == "removed":
                yield number, id_

    pairs = renamed(removed(), of("added"), folder=target, document=intake.document)
    return Compared(changes, tuple(pairs))
