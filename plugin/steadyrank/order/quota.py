"""How many of each kind: who is fetched to be ranked, and who is taken from the ranking.

Both cut by the order and keep it, so which candidates a ranking ever sees is as determined as
the ranking itself.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Protocol, TypeVar

from steadyrank.errors import PolicyError
from steadyrank.order.candidate import R, Ranked
from steadyrank.order.ranking import arrange

_NOTHING: Mapping[str, int] = MappingProxyType({})


class Kinded(Ranked, Protocol):
    """A candidate that says of which kind it is."""

    @property
    def kind(self) -> str: ...


K = TypeVar("K", bound=Kinded)


@dataclass(frozen=True, slots=True)
class Cut:
    """What a fetch quota did to one kind.

    ``candidates`` matched, ``kept`` of them were fetched; ``score`` is that of the last one
    kept (None when none was); ``in_tie`` tells that the first one left out has the same route and
    score, so that only the id decided.
    """

    kind: str
    candidates: int
    kept: int
    score: float | None
    in_tie: bool


def fetch(
    pool: Iterable[K], quotas: Mapping[str, int], other: int | None = None
) -> tuple[list[K], list[Cut]]:
    """Of each kind the first of its quota by (route, score, id); kinds without one get ``other``.

    ``other=None``: no quota. The fetched candidates come by kind, kinds by code point; the cuts
    likewise. A pool with distinct ids gives the same whatever its order.
    """
    by_kind: dict[str, list[K]] = defaultdict(list)
    for candidate in pool:
        by_kind[candidate.kind].append(candidate)
    fetched: list[K] = []
    lines: list[Cut] = []
    for kind in sorted(by_kind):
        ordered = arrange(by_kind[kind], 0.0)
        kept, line = cut(kind, ordered, quotas.get(kind, other), len(ordered))
        fetched += kept
        lines.append(line)
    return fetched, lines


def cut(
    kind: str, ordered: Sequence[R], quota: int | None, candidates: int
) -> tuple[Sequence[R], Cut]:
    """The first ``quota`` (None: all) of one kind's candidates, and what that did.

    ``ordered`` are the kind's candidates by (route, score, id), or so many of the first that one
    stands after the quota; ``candidates`` is how many there are in all.
    """
    kept = ordered if quota is None else ordered[:quota]
    in_tie = False
    if kept and len(ordered) > len(kept):
        last, out = kept[-1], ordered[len(kept)]
        in_tie = (last.route, last.score) == (out.route, out.score)
    return kept, Cut(kind, candidates, len(kept), kept[-1].score if kept else None, in_tie)


@dataclass(frozen=True, slots=True)
class Limits:
    """How many of a kind or of a document may or must be in a result.

    ``at_most`` and ``at_least`` by kind, ``per_document`` for every document alike. With
    ``backfill`` places that the upper limits leave empty are filled with the best of those that
    the limits kept out. Raises PolicyError for limits that contradict each other.
    """

    at_most: Mapping[str, int] = field(default_factory=lambda: _NOTHING)
    at_least: Mapping[str, int] = field(default_factory=lambda: _NOTHING)
    per_document: int | None = None
    backfill: bool = True

    def __post_init__(self) -> None:
        for kind, least in self.at_least.items():
            most = self.at_most.get(kind)
            if most is not None and most < least:
                raise PolicyError(
                    f"at least {least} and at most {most} of kind {kind!r} cannot both hold"
                )
        if self.per_document is not None and self.per_document < 1:
            raise PolicyError("per_document is 1 or more: 0 would let nothing in")


def take(ranking: Sequence[K], count: int, limits: Limits | None = None) -> list[K]:
    """The first ``count`` of a ranking that the limits allow, in the ranking's order.

    Lower limits come first: of each such kind its best are in, as far as there are any. Then
    the ranking is walked from the top and whoever the upper limits allow is in. ``count`` is
    never exceeded; lower limits that together exceed it are an error (PolicyError).
    """
    if limits is None:
        return list(ranking[:count])
    wanted = sum(limits.at_least.values())
    if wanted > count:
        raise PolicyError(
            f"the lower limits ask for {wanted} pieces and {count} are taken; take more or ask less"
        )
    chosen: set[int] = set()
    state = _Taken(limits)
    for kind, least in sorted(limits.at_least.items()):
        found = 0
        for place, candidate in enumerate(ranking):
            if found == least:
                break
            if candidate.kind == kind and state.allows_document(candidate):
                chosen.add(place)
                state.add(candidate)
                found += 1
    for place, candidate in enumerate(ranking):
        if len(chosen) == count:
            break
        if place not in chosen and state.allows(candidate):
            chosen.add(place)
            state.add(candidate)
    if limits.backfill:
        for place in range(len(ranking)):
            if len(chosen) == count:
                break
            chosen.add(place)
    return [ranking[place] for place in sorted(chosen)]


class _Taken:
    """Who is in so far, counted."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._kinds: Counter[str] = Counter()
        self._documents: Counter[Any] = Counter()

    def add(self, candidate: Kinded) -> None:
        self._kinds[candidate.kind] += 1
        self._documents[candidate.document] += 1

    def allows(self, candidate: Kinded) -> bool:
        most = self._limits.at_most.get(candidate.kind)
        return (most is None or self._kinds[candidate.kind] < most) and self.allows_document(
            candidate
        )

    def allows_document(self, candidate: Kinded) -> bool:
        most = self._limits.per_document
        return most is None or self._documents[candidate.document] < most
