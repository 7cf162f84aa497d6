"""A progress bar on stderr, for people only."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from steadyrank_builder.building.settings import Progress, silent

T = TypeVar("T")


def watched(items: Sequence[T]) -> Iterator[T]:
    """The items one by one, with a bar where stderr is a terminal."""
    if not sys.stderr.isatty():
        yield from items
        return
    with click.progressbar(items, file=sys.stderr, show_pos=True) as bar:
        yield from bar


class _Bars:
    """One bar per stage of a build, closed when the next begins."""

    def __init__(self) -> None:
        self._stage = ""
        self._done = 0
        self._bar: Any = None

    def __call__(self, stage: str, done: int, total: int | None) -> None:
        if stage != self._stage:
            self.close()
            self._stage, self._done = stage, 0
            if total is not None:
                self._bar = click.progressbar(
                    length=total, label=stage, file=sys.stderr, show_pos=True
                )
                self._bar.__enter__()
        if self._bar is not None:
            self._bar.update(done - self._done)
        else:
            click.echo(f"\r{stage} {done}", err=True, nl=False)
        self._done = done

    def close(self) -> None:
        """End the line that is being drawn."""
        if self._bar is not None:
            self._bar.__exit__(None, None, None)
            self._bar = None
        elif self._stage:
            click.echo(err=True)


@contextmanager
def progress(*, quiet: bool) -> Iterator[Progress]:
    """A progress that draws where stderr is a terminal, else one that is silent."""
    if quiet or not sys.stderr.isatty():
        yield silent
        return
    bars = _Bars()
    try:
        yield bars
    finally:
        bars.close()
