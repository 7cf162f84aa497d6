"""A ranking as a ladder of scores: where each mark stands, worked out before it is drawn.

A row per hit, from the top in the ranking's order, so that labels cannot meet however many there
are. Horizontal places are percentages and rows are pixels: a drawing fills whatever width it is
given and its text keeps its size.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from steadyrank.measure import Entry, Ranking
from steadyrank_builder.drawing.text import clipped, number, shown

ROW = 36  # a line of text and the mark below it
CAPTION = 20  # the line above a band's first row
EDGE = 8  # between bands, and at the ends
LABEL = 72  # characters of a label; what does not fit beside its score is cut off when drawn
_LEFT, _RIGHT = 3.0, 97.0  # percent; marks keep clear of the edges


@dataclass(frozen=True, slots=True)
class Rung:
    """One hit: ``y`` is the top of its row in pixels, ``x`` its score's place in percent."""

    rank: int
    id: str
    label: str
    score: str
    x: float
    y: int
    tied: bool
    leader: bool
    expected: bool
    left_out: bool


@dataclass(frozen=True, slots=True)
class BandBox:
    """One band: its rows from ``y``, and the reach of its leader from ``x``, in percent."""

    number: int
    y: int
    height: int
    x: float
    width: float
    caption: str


@dataclass(frozen=True, slots=True)
class Ladder:
    """A whole drawing. ``cut`` is the line below the last one in, None where nothing follows."""

    name: str
    description: str
    height: int
    rungs: tuple[Rung, ...]
    bands: tuple[BandBox, ...]
    cut: int | None
    cut_label: str
    low: str
    high: str


def ladder_of(ranking: Ranking, name: str, expected: Collection[str] = ()) -> Ladder:
    """The drawing of a ranking. ``name`` is unique on its page; ``expected`` ids are marked."""
    known = ranking.known
    scale = _Scale(ranking, known)
    scores = [entry.score for entry in known]
    rungs: list[Rung] = []
    boxes: list[BandBox] = []
    y, cut = EDGE, None
    for band, group in groupby(enumerate(known, start=1), key=lambda pair: pair[1].band):
        rows = list(group)
        top = y
        leader = min(rows, key=lambda row: (-row[1].score, row[1].id))[1]
        if band is not None:
            y += CAPTION
        for rank, entry in rows:
            if rank == len(ranking.entries) + 1:
                cut = y
            rungs.append(
                Rung(
                    rank=rank,
                    id=shown(entry.id),
                    label=clipped(f"{rank}. {entry.title or entry.id}", LABEL),
                    score=number(entry.score),
                    x=scale.place(entry.score),
                    y=y,
                    tied=scores.count(entry.score) > 1,
                    leader=band is not None and entry is leader,
                    expected=entry.id in expected,
                    left_out=rank > len(ranking.entries),
                )
            )
            y += ROW
        if band is not None:
            reach = scale.place(leader.score - ranking.gap)
            boxes.append(
                BandBox(
                    number=band,
                    y=top,
                    height=y - top,
                    x=reach,
                    width=scale.place(leader.score) - reach,
                    caption=_caption(band, leader, [entry for _, entry in rows], ranking),
                )
            )
            y += EDGE
    return Ladder(
        name=name,
        description=_described(ranking, boxes),
        height=y + EDGE,
        rungs=tuple(rungs),
        bands=tuple(boxes),
        cut=cut,
        cut_label=f"{len(ranking.entries)} in the answer, the rest left out",
        low=number(scale.low, 2),
        high=number(scale.high, 2),
    )


class _Scale:
    # From a score to its place in percent; the reach of every leader is on it.
    def __init__(self, ranking: Ranking, known: Sequence[Entry]) -> None:
        scores = [entry.score for entry in known] or [0.0]
        self.high = max(scores)
        self.low = min(min(scores), *_reaches(ranking, known), self.high)

    def place(self, score: float) -> float:
        if self.high == self.low:
            return 50.0
        share = (score - self.low) / (self.high - self.low)
        return round(_LEFT + (_RIGHT - _LEFT) * share, 3)


def _reaches(ranking: Ranking, known: Sequence[Entry]) -> Iterator[float]:
    for band, group in groupby(known, key=lambda entry: entry.band):
        if band is not None:
            yield max(entry.score for entry in group) - ranking.gap


def _caption(band: int, leader: Entry, members: Sequence[Entry], ranking: Ranking) -> str:
    span = leader.score - min(entry.score for entry in members)
    return (
        f"band {band}: leader {number(leader.score, 3)}, span {number(span, 3)}, "
        f"headroom {number(ranking.gap - span, 3)}"
    )


def _described(ranking: Ranking, boxes: Sequence[BandBox]) -> str:
    in_bands = f" in {len(boxes)} bands of gap {ranking.gap:g}" if boxes else ""
    return (
        f"{len(ranking.entries)} results and {len(ranking.after)} after them{in_bands}; "
        "the table has the same figures"
    )
