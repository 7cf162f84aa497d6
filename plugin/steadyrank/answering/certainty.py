"""How sure an answer is, and why."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from steadyrank.answering.tables import Confidence
from steadyrank.answering.weighing import Contribution, Weighed

Level = Literal["high", "medium", "low"]


@dataclass(frozen=True, slots=True)
class Certainty:
    """``level`` with its ``reason`` in words.

    ``share``: the first piece's score as a share of what the question could reach; ``covered``:
    the share of what the words of the question weigh that the first piece has. Both None for
    fixed thresholds. ``margin``: by how much of its score the first piece leads the best other
    candidate, negative where a route or band put it before a better one, None for a single one.
    """

    level: Level
    reason: str
    share: float | None = None
    covered: float | None = None
    margin: float | None = None


def by_share(
    score: float | None,
    others: float | None,
    weighed: Weighed,
    earned: Sequence[Contribution],
    settings: Confidence,
) -> Certainty:
    """Confidence of a shop, from the first piece's score and what its words earned it.

    ``score`` is None without a piece; ``others`` is the best score of all other candidates.
    """
    if score is None or not weighed.reachable:
        return Certainty("low", "nothing in the material has the words of the question")
    share = score / weighed.reachable
    covered = _covered(weighed, {contribution.word for contribution in earned})
    margin = None if others is None or score <= 0 else (score - others) / score
    level, reason = _judged(share, covered, margin, weighed.common, settings)
    return Certainty(level, reason, share, covered, margin)


def _judged(
    share: float, covered: float, margin: float | None, common: bool, settings: Confidence
) -> tuple[Level, str]:
    if common:
        return "low", "only very common words matched"
    if covered < settings.covered:
        return "low", (
            f"the words found make {covered:.0%} of the question's weight, "
            f"below {settings.covered:.0%}"
        )
    said = f"{share:.0%} of the score that the question could reach"
    if share < settings.medium:
        return "low", f"{said}, below {settings.medium:.0%}"
    if share < settings.high:
        return "medium", f"{said}, below {settings.high:.0%}"
    if margin is not None and margin < settings.margin:
        if margin < 0:
            return "medium", f"{said}, but another piece scores {-margin:.1%} more"
        return "medium", f"{said}, but the lead over the next is {margin:.1%} of it"
    return "high", said


def _covered(weighed: Weighed, found: set[str]) -> float:
    if found.issuperset(weighed.terms):
        return 1.0
    whole = part = 0.0
    for word, weight in weighed.worth().items():  # in the question's order: the same sum always
        whole += weight
        part += weight if word in found else 0.0
    return part / whole if whole else 0.0


def by_points(score: float | None, common: bool, settings: Confidence) -> Certainty:
    """Confidence of the guidance profile: fixed score points, as its thresholds are."""
    if score is None:
        return Certainty("low", "nothing matched")
    if common:
        return Certainty("low", "only very common words matched")
    if score >= settings.high:
        return Certainty("high", f"{score:.2f} points, {settings.high:g} is high")
    if score >= settings.medium:
        return Certainty(
            "medium", f"{score:.2f} points, from {settings.medium:g} to below {settings.high:g}"
        )
    return Certainty("low", f"{score:.2f} points, below {settings.medium:g}")
