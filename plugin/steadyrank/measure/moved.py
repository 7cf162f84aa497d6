"""Which pieces do not stand where a case wants them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from steadyrank.measure.golden import Case


@dataclass(frozen=True, slots=True)
class Move:
    """A piece out of its place.

    It should be at the rank ``expected``, or anywhere in the first ``within``, or (both None) not
    be there at all. It is at the rank ``got``; None: not among the first ``known``, which is as
    far as the ranking was read. Ranks count from 1.
    """

    id: str
    expected: int | None
    within: int | None
    got: int | None
    known: int

    def __str__(self) -> str:
        wanted = "out" if self.within is None else f"within {self.within}"
        place = wanted if self.expected is None else str(self.expected)
        return f"{self.id} {place} -> {self.got or f'not within {self.known}'}"


def moves(case: Case, ids: Sequence[str], k: int) -> Iterator[Move]:
    """The pieces of a case that are out of place; ``ids`` are all that were read, in order."""
    ranks = {id: rank for rank, id in enumerate(ids, start=1)}
    known = len(ids)
    if case.mode in ("exact", "rank-one"):
        for rank, id in enumerate(case.expected, start=1):
            if ranks.get(id) != rank:
                yield Move(id, rank, None, ranks.get(id), known)
    elif case.mode == "excludes":
        for id in case.expected:
            if ranks.get(id, k + 1) <= k:
                yield Move(id, None, None, ranks[id], known)
    else:
        wanted = case.expected if case.mode else case.right
        here = [ranks.get(id) for id in wanted]
        if case.mode is None and any(rank is not None and rank <= k for rank in here):
            return  # one right piece is enough
        for id, at in zip(wanted, here, strict=True):
            if at is None or at > k:
                yield Move(id, None, k, at, known)
    if case.mode == "required-set":
        for rank, id in enumerate(ids[:k], start=1):
            if id not in case.expected:
                yield Move(id, None, None, rank, known)
