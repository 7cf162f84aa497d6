"""From two rankings of one question to what changed, and from many of these to shares."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from steadyrank.measure.churned import Cell, Ordering, Pairs, Perturbation, Share


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one question's answer: order, set and first differ or not.

    ``turned`` of ``compared`` pairs of documents changed their order; 0 of 0 where no pairs were
    looked at. Another set or first is always another order too.
    """

    order: bool
    set: bool
    first: bool
    turned: int = 0
    compared: int = 0


@dataclass(frozen=True, slots=True)
class Observation:
    """The change of one question under one ordering, in one draw of one perturbation."""

    ordering: str
    perturbation: str
    draw: int
    number: int
    change: Change


def change(
    before: Sequence[str], after: Sequence[str], pairs: tuple[int, int] | None = None
) -> Change:
    """How the ids of an answer differ from those before; ``pairs``: turned and compared."""
    turned, compared = pairs or (0, 0)
    return Change(
        order=list(before) != list(after),
        set=Counter(before) != Counter(after),
        first=list(before[:1]) != list(after[:1]),
        turned=turned,
        compared=compared,
    )


def turned_pairs(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    """Of the pairs of ids that are in both rankings, how many stand the other way, and all.

    Ids that occur in one of them only count for nothing. O(n log n).
    """
    places = {id: place for place, id in enumerate(after)}
    order = [places[id] for id in dict.fromkeys(before) if id in places]
    return _inversions(order)[1], len(order) * (len(order) - 1) // 2


def _inversions(order: list[int]) -> tuple[list[int], int]:
    if len(order) < 2:
        return order, 0
    middle = len(order) // 2
    left, first = _inversions(order[:middle])
    right, second = _inversions(order[middle:])
    merged: list[int] = []
    count = first + second
    place = 0
    for value in left:
        while place < len(right) and right[place] < value:
            merged.append(right[place])
            place += 1
        count += place  # each of these came after the value and is smaller
        merged.append(value)
    return merged + right[place:], count


def cells_of(
    observations: Iterable[Observation],
    orderings: Sequence[Ordering],
    perturbations: Sequence[Perturbation],
    questions: int,
    depth: int,
) -> tuple[Cell, ...]:
    """A cell for each perturbation and ordering that was observed, in their order."""
    found: dict[tuple[str, str], list[Observation]] = {}
    for one in observations:
        found.setdefault((one.perturbation, one.ordering), []).append(one)
    return tuple(
        _cell(ordering, perturbation, seen, questions, depth)
        for perturbation in perturbations
        for ordering in orderings
        if (seen := found.get((perturbation.name, ordering.name)))
    )


def _cell(
    ordering: Ordering,
    perturbation: Perturbation,
    seen: Sequence[Observation],
    questions: int,
    depth: int,
) -> Cell:
    def share(count: int) -> Share:
        return Share.of(count, questions, perturbation.draws)

    pairs = None
    if perturbation.group == "corpus" and ordering.select == "band":
        turned, compared = 0, 0
        for one in seen:
            turned += one.change.turned
            compared += one.change.compared
        pairs = Pairs(turned, compared, depth, share(len([o for o in seen if o.change.turned])))
    return Cell(
        ordering=ordering.name,
        perturbation=perturbation.name,
        order=share(len([one for one in seen if one.change.order])),
        set=share(len([one for one in seen if one.change.set])),
        first=share(len([one for one in seen if one.change.first])),
        pairs=pairs,
        moved=tuple(sorted({one.number for one in seen if one.change.order})),
    )


def moved_by_question(
    observations: Iterable[Observation], perturbations: Sequence[Perturbation]
) -> Mapping[str, Mapping[int, int]]:
    """Ordering -> question -> in how many draws of these perturbations its order changed."""
    names = {perturbation.name for perturbation in perturbations}
    found: dict[str, dict[int, int]] = {}
    for one in observations:
        if one.perturbation in names:
            own = found.setdefault(one.ordering, {})
            own[one.number] = own.get(one.number, 0) + one.change.order
    return found
