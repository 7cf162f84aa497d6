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
    """``renamed`` pairs ids whose content is under another id now; it is a guess.

    The content may have vanished with its id, or, for a section of a page, have made way to
    another section: an equal heading that is inserted above takes its anchor.
    """

    changes: Changes
    renamed: tuple[tuple[str, str], ...]


def compare(before: Mapping[str, DocumentEntry] | None, intake: Intake, target: Path) -> Compared:
    """Compare; ``before`` is None where no generation of ours is live in ``target``."""
    changes = Changes.between(before or {}, intake.entries)
    if before is None or not changes.added or not (changes.removed or changes.changed):
        return Compared(changes, ())

    def arrived() -> Iterator[str]:
        for what, id_ in differences(before, intake.entries):
            if what == "added" or (what == "changed" and "#" in id_):
                yield id_

    def left() -> Iterator[tuple[int, str]]:
        # The ids of a generation ascend as its document numbers do.
        number = -1
        for what, id_ in differences(before, intake.entries):
            number += what != "added"
            if what == "removed" or (what == "changed" and "#" in id_):
                yield number, id_

    pairs = renamed(left(), arrived(), folder=target, document=intake.document)
    return Compared(changes, tuple(pairs))
