"""How sure an answer is, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from steadyrank.answering.settings import Confidence

Level = Literal["high", "medium", "low"]


@dataclass(frozen=True, slots=True)
class Certainty:
    """``level`` with its ``reason`` in words. ``share``: the first piece's score as a share of
    what the question could reach, None for absolute thresholds; ``margin``: by how much of its
    score the first piece leads the best other one, None for a single candidate.
    """

    level: Level
    reason: str
    share: float | None
    margin: float | None


def by_share(
    score: float | None,
    next_score: float | None,
    reachable: float | None,
    common: bool,
    settings: Confidence,
) -> Certainty:
    """Confidence of a shop: the share of the reachable score, and the lead over the next."""
    if score is None or not reachable:
        return Certainty("low", "nothing in the material has the words of the question", None, None)
    share = score / reachable
    margin = None if next_score is None or score <= 0 else (score - next_score) / score
    if common:
        return Certainty("low", "only very common words matched", share, margin)
    said = f"{share:.0%} of the score that the question could reach"
    if share < settings.medium:
        return Certainty("low", f"{said}, below {settings.medium:.0%}", share, margin)
    if share < settings.high:
        return Certainty("medium", f"{said}, below {settings.high:.0%}", share, margin)
    if margin is not None and margin < settings.margin:
        return Certainty(
            "medium", f"{said}, but the next piece is only {margin:.1%} behind", share, margin
        )
    return Certainty("high", said, share, margin)


def by_points(score: float | None, common: bool, settings: Confidence) -> Certainty:
    """Confidence of the guidance profile: fixed score points, as its thresholds are."""
    if score is None:
        return Certainty("low", "nothing matched", None, None)
    if common:
        return Certainty("low", "only very common words matched", None, None)
    if score >= settings.high:
        return Certainty("high", f"{score:.2f} points, {settings.high:g} is high", None, None)
    if score >= settings.medium:
        return Certainty(
            "medium",
            f"{score:.2f} points, from {settings.medium:g} to below {settings.high:g}",
            None,
            None,
        )
    return Certainty("low", f"{score:.2f} points, below {settings.medium:g}", None, None)
