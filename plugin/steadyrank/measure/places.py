"""Places in a file's content, and faults that say where they are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

# The keys and positions that lead to a part of a file's content: ("cases", 2, "mode").
Place = tuple[object, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong at a place; ``line`` where the place alone does not tell it."""

    place: Place
    said: str
    line: int | None = None


def line_of(fault: Fault, lines: Mapping[Place, int]) -> int | None:
    """The line of the fault's place, or of the nearest thing around it that has one."""
    if fault.line is not None:
        return fault.line
    place = fault.place
    while place and place not in lines:
        place = place[:-1]
    return lines.get(place)


def in_order(faults: Sequence[Fault], lines: Mapping[Place, int]) -> list[str]:
    """The faults in the order of their lines, each with its line in front."""
    placed = [(line_of(fault, lines), fault.said) for fault in faults]
    placed.sort(key=lambda one: one[0] or 0)
    return [said if line is None else f"line {line}: {said}" for line, said in placed]
