"""Which documents a run's index is known to hold, and with which content."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from steadyrank.measure.run import Run


@dataclass(frozen=True, slots=True)
class Shelf:
    """``contents`` maps documents that are there to a hash of what is stored of them, "" where
    nobody knows it; ``absent`` are known not to be there. Nothing is known of all others.
    """

    contents: Mapping[str, str]
    absent: frozenset[str] = frozenset()


def shelves_of(
    base: Run,
    fresh: Run,
    base_holds: Mapping[str, str | None],
    fresh_holds: Mapping[str, str | None],
) -> tuple[Shelf, Shelf]:
    """What is known of both: from rankings, from who asked the indexes, and from equal digests."""
    shelves = _shelf(base, base_holds), _shelf(fresh, fresh_holds)
    if base.origin.digest is not None and base.origin.digest == fresh.origin.digest:
        both = Shelf(MappingProxyType({**shelves[1].contents, **shelves[0].contents}))
        return both, both
    return shelves


def _shelf(run: Run, holds: Mapping[str, str | None]) -> Shelf:
    contents = {id: content for id, content in holds.items() if content is not None}
    for ranking in run.rankings:
        contents.update((entry.id, entry.content) for entry in ranking.known)
    absent = frozenset(id for id, content in holds.items() if content is None) - contents.keys()
    return Shelf(MappingProxyType(contents), absent)
