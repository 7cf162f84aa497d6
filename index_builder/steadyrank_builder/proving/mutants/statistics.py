"""Scores from the statistics of the index at hand where pinned ones were asked for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from steadyrank.pinned import provider
from steadyrank_builder.proving.exchange import Change
from steadyrank_builder.proving.mutation import Mutation, Occasions


def _live(occasions: Occasions) -> Sequence[Change]:
    def mutant(chosen: Any, view: Any) -> Any:
        if isinstance(chosen, str):  # "live" or "whoosh"; pinned ones are loaded by now
            return provider(chosen, view)
        occasions.met()
        return provider("live", view)

    return (Change(provider, mutant),)


STATISTICS = (
    Mutation(
        name="statistics-live",
        what="scores depend on the statistics of the index, not on the pinned ones",
        guarded="the pinned statistics",
        wanted="documents whose order the other documents of the later index would turn round",
        occasion="no case is asked under pinned statistics",
        changes=_live,
        fresh=True,
    ),
)
