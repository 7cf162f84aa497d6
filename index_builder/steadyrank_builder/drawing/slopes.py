"""Two rankings side by side, with a line from where a record stood to where it stands.

A row per rank on both sides. A record that one side does not know gets a row of its own below that
side's ranks, so that labels cannot meet.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from steadyrank.measure import Ranking
from steadyrank.measure.drift import QuestionDrift, Shift
from steadyrank_builder.drawing.text import clipped, shown

ROW = 22
EDGE = 8
LABEL = 60  # characters of a label; what does not fit beside the lines is cut off when drawn

Kind = Literal["still", "inside", "across"]


@dataclass(frozen=True, slots=True)
class Passage:
    """One record on both sides: its rank on each, None where that side does not know it."""

    id: str
    title: str
    base: int | None
    fresh: int | None
    kind: Kind


@dataclass(frozen=True, slots=True)
class Slope:
    """A passage with its labels and its places in pixels."""

    id: str
    kind: Kind
    left: str
    right: str
    y1: int
    y2: int


@dataclass(frozen=True, slots=True)
class Slopes:
    """A whole drawing. ``cuts`` are the lines below the last in, for the two sides."""

    name: str
    description: str
    height: int
    slopes: tuple[Slope, ...]
    cuts: tuple[int, int]


def slopes_of(question: QuestionDrift, name: str) -> Slopes:
    """The records of either answer of a question."""
    passages = [_passage(move) for move in question.moves]
    return drawn(passages, name, (len(question.base.entries), len(question.fresh.entries)))


def slopes_between(base: Ranking, fresh: Ranking, name: str) -> Slopes:
    """The records of either answer of two rankings; whoever changed its rank is ``across``."""
    ranks = [
        {entry.id: rank for rank, entry in enumerate(side.known, start=1)} for side in (base, fresh)
    ]
    titles = {entry.id: entry.title for entry in (*base.known, *fresh.known)}
    passages = [
        Passage(
            id=id,
            title=titles[id],
            base=ranks[0].get(id),
            fresh=ranks[1].get(id),
            kind="still" if ranks[0].get(id) == ranks[1].get(id) else "across",
        )
        for id in dict.fromkeys((*base.ids, *fresh.ids))
    ]
    return drawn(passages, name, (len(base.entries), len(fresh.entries)))


def _passage(move: Shift) -> Passage:
    kind: Kind = "still" if move.kind == "stayed" else "inside" if move.within else "across"
    return Passage(
        id=move.id,
        title=move.title,
        base=None if move.base is None else move.base.rank,
        fresh=None if move.fresh is None else move.fresh.rank,
        kind=kind,
    )


def drawn(passages: Sequence[Passage], name: str, inside: tuple[int, int]) -> Slopes:
    """The drawing of passages; ``inside`` is how many are in the answer on each side."""
    base = _rows([passage.base for passage in passages])
    fresh = _rows([passage.fresh for passage in passages])
    slopes = tuple(
        Slope(
            id=shown(passage.id),
            kind=passage.kind,
            left=_label(passage.base, passage),
            right=_label(passage.fresh, passage),
            y1=EDGE + ROW * row + ROW // 2,
            y2=EDGE + ROW * other + ROW // 2,
        )
        for passage, row, other in zip(passages, base, fresh, strict=True)
    )
    counts = [sum(slope.kind == kind for slope in slopes) for kind in ("across", "inside", "still")]
    return Slopes(
        name=name,
        description=(
            f"{counts[0]} moved across bands or scores, {counts[1]} inside a band, "
            f"{counts[2]} stayed; the table has the same figures"
        ),
        height=2 * EDGE + ROW * (max((*base, *fresh), default=-1) + 1),
        slopes=slopes,
        cuts=(
            EDGE + ROW * _below([passage.base for passage in passages], inside[0]),
            EDGE + ROW * _below([passage.fresh for passage in passages], inside[1]),
        ),
    )


def _rows(ranks: Iterable[int | None]) -> list[int]:
    # Known ranks close up, in order; those that are not known follow.
    listed = list(ranks)
    order = {rank: row for row, rank in enumerate(sorted(r for r in listed if r is not None))}
    unknown = iter(range(len(order), len(listed)))
    return [next(unknown) if rank is None else order[rank] for rank in listed]


def _below(ranks: Iterable[int | None], inside: int) -> int:
    return sum(rank is not None and rank <= inside for rank in ranks)


def _label(rank: int | None, passage: Passage) -> str:
    name = passage.title or passage.id
    return clipped(f"{'–' if rank is None else rank}. {name}", LABEL)
