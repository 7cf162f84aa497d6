"""Confidence that is read from the wrong piece."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from steadyrank.answering.store import sure_of
from steadyrank_builder.proving.exchange import Change
from steadyrank_builder.proving.mutation import Mutation, Occasions


def _highest(occasions: Occasions) -> Sequence[Change]:
    def mutant(chosen: Sequence[Any]) -> int | None:
        if not chosen:
            return None
        best = max(range(len(chosen)), key=lambda place: (chosen[place].score, -place))
        if best:
            occasions.met()
        return best

    return (Change(sure_of, mutant),)


CERTAINTY = (
    Mutation(
        name="confidence-of-highest",
        what="the confidence is that of the highest scorer, not of the first piece",
        guarded="the confidence",
        wanted=(
            "a stated confidence where a band or a route puts a lower scorer first, of which the "
            "answer is less sure"
        ),
        occasion="the first piece of every answer is the highest scorer",
        changes=_highest,
    ),
)
