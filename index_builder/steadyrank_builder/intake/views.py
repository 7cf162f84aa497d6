"""What the ledger holds, as the collections that the rest of the build works with."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, Mapping

from steadyrank_builder.intake.ledger import Ledger
from steadyrank_builder.manifest import DocumentEntry
from steadyrank_builder.records import Rejected


class Entries(Mapping[str, DocumentEntry]):
    """Digest and origins by id, ascending, read as they are asked for."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def __getitem__(self, id_: str) -> DocumentEntry:
        entry = self._ledger.entry(id_)
        if entry is None:
            raise KeyError(id_)
        return entry

    def __iter__(self) -> Iterator[str]:
        return (id_ for id_, _ in self._ledger.pairs())

    def __len__(self) -> int:
        return self._ledger.count()

    def origin_names(self) -> list[str]:
        """The names of all origins, and perhaps of rejected ones too."""
        return self._ledger.origin_names()

    def items(self) -> ItemsView[str, DocumentEntry]:
        """In one pass, where the general way would look up each id."""
        return _Items(self, self._ledger)


class _Items(ItemsView[str, DocumentEntry]):
    def __init__(self, entries: Entries, ledger: Ledger) -> None:
        super().__init__(entries)
        self._ledger = ledger

    def __iter__(self) -> Iterator[tuple[str, DocumentEntry]]:
        return self._ledger.entries()


class Rejects:
    """The rejects by origin, read as they are asked for."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def __iter__(self) -> Iterator[Rejected]:
        return self._ledger.rejects()

    def __len__(self) -> int:
        return self._ledger.reject_counts()[0]

    def __getitem__(self, number: int) -> Rejected:
        return self.first(number + 1)[number]

    @property
    def records(self) -> int:
        """How many records they are."""
        return self._ledger.reject_counts()[1]

    def first(self, count: int) -> tuple[Rejected, ...]:
        """The first ``count`` of them."""
        return tuple(reject for reject, _ in zip(self, range(count), strict=False))
