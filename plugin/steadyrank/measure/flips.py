"""Two rankings of one question: whether they differ, and what made them.

A ranking here is a list of (score, key), best first. A key stands for what a caller can tell
apart: records that are the same in all that is stored have the same key, and are no difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from steadyrank.measure.audit import Cause

Scored = tuple[float, str]
Ranked = Sequence[Scored]


def keys(ranked: Ranked) -> list[str]:
    """The keys in their order."""
    return [key for _, key in ranked]


def differing(before: Ranked, after: Ranked) -> tuple[int, ...]:
    """The places, from 1, where the two have not the same record."""
    one, other = keys(before), keys(after)
    longest = max(len(one), len(other))
    return tuple(n + 1 for n in range(longest) if one[n : n + 1] != other[n : n + 1])


def exchanged(before: Ranked, after: Ranked) -> int:
    """How many records of ``before`` are not in ``after``."""
    return (Counter(keys(before)) - Counter(keys(after))).total()


def allowed_by_ties(before: Ranked, after: Ranked, all_before: Ranked) -> bool:
    """Whether ``after`` is ``before`` but for records of equal score, by ``all_before`` alone.

    Then equal scores are all that it takes, whatever the other layout's scores are.
    """
    if len(before) != len(after):
        return False
    left = Counter((key, score) for score, key in all_before)
    for (score, _), (other, key) in zip(before, after, strict=True):
        left[key, score] -= 1
        if other != score or left[key, score] < 0:
            return False
    return True


def cause_of(
    before: Ranked, after: Ranked, all_before: Ranked, all_after: Callable[[], Ranked], k: int
) -> Cause | None:
    """What made two top-k lists differ, None where they do not.

    ``all_before`` and ``all_after`` are all matches in the layout of either list, as the engine
    gives them without a limit; the latter is called only when it is needed, since it costs most.
    """
    if keys(before) == keys(after):
        return None
    if keys(before) != keys(all_before[:k]):
        return "lost"
    tie: Cause = "cut" if exchanged(before, after) else "inside"
    if allowed_by_ties(before, after, all_before):
        return tie
    found = all_after()
    if keys(after) != keys(found[:k]):
        return "lost"
    # Would a rule for ties alone have kept the answer? Then nothing but ties decided it.
    return tie if keys(steady(all_before)[:k]) == keys(steady(found)[:k]) else "bits"


def steady(ranked: Ranked) -> list[Scored]:
    """The same matches by score, descending, and ties by key."""
    return sorted(ranked, key=lambda scored: (-scored[0], scored[1]))


def reversed_ties(ranked: Sequence[tuple[float, Any]]) -> list[tuple[float, Any]]:
    """The same matches, each run of equal scores backwards: what the reverse layout would give.

    What stands beside a score is not looked at.
    """
    backwards = list(reversed(ranked))
    return sorted(backwards, key=lambda scored: -scored[0])  # stable, so ties stay backwards


def moved(before: Ranked, after: Ranked) -> float:
    """The most that the score of a record in both lists moved."""
    scores: dict[str, list[float]] = {}
    for score, key in before:
        scores.setdefault(key, []).append(score)
    most = 0.0
    for score, key in after:
        if scores.get(key):
            most = max(most, abs(scores[key].pop(0) - score))
    return most


@dataclass(frozen=True, slots=True)
class Standing:
    """How firmly a top k stands: whether equal scores decide it, and its margins otherwise.

    ``at_cut``: the last place and the one after it tie; ``inside``: two places tie. ``cut`` is
    the margin at the last place, None where nothing comes after it, ``gap`` the smallest between
    two places, None where there are no two. Records that are alike do not count against each
    other.
    """

    at_cut: bool
    inside: bool
    cut: float | None
    gap: float | None

    @property
    def tied(self) -> bool:
        return self.at_cut or self.inside

    @property
    def smallest(self) -> float | None:
        """The smaller margin of the two."""
        margins = [margin for margin in (self.cut, self.gap) if margin is not None]
        return min(margins, default=None)


def standing(ranked: Ranked, k: int) -> Standing:
    """How firmly the first ``k`` of all matches stand."""
    top = ranked[:k]
    alike: dict[float, set[str]] = {}
    for score, key in ranked:
        if top and score >= top[-1][0]:
            alike.setdefault(score, set()).add(key)
    inside = {score: set[str]() for score in alike}
    for score, key in top:
        inside[score].add(key)
    gaps = [one[0] - two[0] for one, two in pairwise(top) if one[1] != two[1]]
    last = top[-1][0] if top else 0.0
    at_cut = len(ranked) > k and ranked[k][0] == last and len(alike[last]) > 1
    below = next((score for score, _ in ranked[k:] if score < last), None)
    cut = 0.0 if at_cut else None if below is None else last - below
    return Standing(
        at_cut=at_cut,
        inside=any(len(tied) > 1 for tied in inside.values()),
        cut=cut,
        gap=min(gaps, default=None),
    )
