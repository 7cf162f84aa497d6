"""Counting, and telling of it now and then."""

from __future__ import annotations

from steadyrank_builder.building.settings import Progress

_STEP = 64  # a call of the progress costs more than an increment


class Meter:
    """Call it with each amount done; it calls ``progress`` every 64 or so."""

    def __init__(self, progress: Progress, stage: str, total: int | None = None) -> None:
        self._progress = progress
        self._stage = stage
        self._total = total
        self._done = 0
        self._told = 0

    def __call__(self, amount: int = 1) -> None:
        self._done += amount
        if self._done - self._told >= _STEP or self._done == self._total:
            self._told = self._done
            self._progress(self._stage, self._done, self._total)
