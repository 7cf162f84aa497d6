"""Progress on stderr, for people only: how far, how fast, how long."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import click

from steadyrank_builder.building.settings import Progress, silent
from steadyrank_builder.output import thousands

T = TypeVar("T")
_PAUSE = 0.2  # seconds between two drawings


def watched(items: Sequence[T]) -> Iterator[T]:
    """The items one by one, with a bar where stderr is a terminal."""
    if not sys.stderr.isatty():
        yield from items
        return
    with click.progressbar(items, file=sys.stderr, show_pos=True) as bar:
        yield from bar


class _Line:
    """One line per stage of a build, drawn over itself, closed when the next begins."""

    def __init__(self) -> None:
        self._stage = ""
        self._started = 0.0
        self._drawn = 0.0
        self._width = 0

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        now = time.monotonic()
        if stage != self._stage:
            self.close()
            self._stage, self._started, self._drawn = stage, now, 0.0
        if now - self._drawn < _PAUSE and done != total:
            return
        text = pace(stage, done, total, now - self._started)
        click.echo(f"\r{text:<{self._width}}", err=True, nl=False)
        self._drawn, self._width = now, len(text)

    def close(self) -> None:
        """End the line that is being drawn."""
        if self._stage:
            click.echo(err=True)
        self._stage, self._width = "", 0


def pace(stage: str, done: int, total: int | None, seconds: float) -> str:
    """How far a stage is after ``seconds``: its rate, and the time left where that is known."""
    parts = [f"{stage} {thousands(done)}" + (f" of {thousands(total)}" if total else "")]
    if seconds >= 1 and done:
        parts.append(f"{thousands(round(done / seconds))}/s")
        if total and done < total:
            parts.append(f"{_shown(seconds * (total - done) / done)} left")
    return ", ".join(parts)


def _shown(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    if hours:
        return f"{hours} h {minutes} min"
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"


@contextmanager
def progress(*, quiet: bool) -> Iterator[Progress]:
    """A progress that draws where stderr is a terminal, else one that is silent."""
    if quiet or not sys.stderr.isatty():
        yield silent
        return
    line = _Line()
    try:
        yield line
    finally:
        line.close()
