"""Two rankings of one question that should be the same, compared to the last bit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from steadyrank.measure import Entry, Ranking, Run

_PARTS: tuple[tuple[str, Callable[[Ranking], Any]], ...] = (
    ("ids", lambda ranking: ranking.ids),
    ("scores", lambda ranking: _of(ranking.entries, lambda one: one.score.hex())),
    ("bands", lambda ranking: _of(ranking.entries, lambda one: (one.route, one.band))),
    (
        "content",
        lambda ranking: _of(ranking.entries, lambda one: (one.document, one.title, one.content)),
    ),
    ("confidence", lambda ranking: (ranking.confidence, ranking.concepts, ranking.unseen)),
    ("what came next", lambda ranking: _of(ranking.after, lambda one: (one, one.score.hex()))),
)


@dataclass(frozen=True, slots=True)
class Difference:
    """A question that got something else: in what, in which layout, and both rankings.

    ``run`` counts the runs on that layout from 1.
    """

    number: int
    question: str
    layout: str
    run: int
    parts: tuple[str, ...]
    expected: Ranking
    got: Ranking

    def to_dict(self) -> dict[str, Any]:
        """For JSON; scores also in hexadecimal, in which doubles that differ do differ."""
        return {
            "number": self.number,
            "question": self.question,
            "layout": self.layout,
            "run": self.run,
            "parts": list(self.parts),
            "expected": _shown(self.expected),
            "got": _shown(self.got),
        }


def differences(expected: Run, got: Run, layout: str, run: int) -> Iterator[Difference]:
    """Every question of the first run whose ranking is another in the second, by number."""
    rankings = {ranking.number: ranking for ranking in got.rankings}
    for one in expected.rankings:
        other = rankings[one.number]
        parts = tuple(name for name, part in _PARTS if part(one) != part(other))
        if parts:
            yield Difference(one.number, one.question, layout, run, parts, one, other)


def _of(entries: Sequence[Entry], part: Callable[[Entry], Any]) -> list[Any]:
    return [part(entry) for entry in entries]


def _shown(ranking: Ranking) -> dict[str, Any]:
    return {
        "confidence": ranking.confidence,
        "entries": [
            {
                "id": one.id,
                "score": one.score,
                "bits": one.score.hex(),
                "band": one.band,
                "content": one.content,
            }
            for one in ranking.known
        ],
    }
