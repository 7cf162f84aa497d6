"""The way in: sources to documents."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from steadyrank_builder.failures import PreferenceError
from steadyrank_builder.formats import ReadOptions
from steadyrank_builder.intake.reading import Earlier, Reading, Recorder, Tick
from steadyrank_builder.intake.settling import Intake, settle
from steadyrank_builder.intake.shelf import Shelf
from steadyrank_builder.material import Source


def _silent(_records: int) -> None:
    pass


def take_in(
    sources: Sequence[Source],
    options: ReadOptions,
    shelf: Shelf,
    *,
    prefer: str | None = None,
    tick: Tick = _silent,
    earlier: Mapping[str, Earlier] | None = None,
    recorder: Recorder | None = None,
) -> Intake:
    """Read ``sources``, which are sorted by name, to the end; documents go to ``shelf``.

    ``earlier`` has what sources of these names were before, and ``recorder`` is told of every
    outcome.
    ``prefer`` is the name or path of the source, or of a folder of sources, that decides where
    sources contradict each other. Raises MaterialError for what cannot be read, PreferenceError
    for a preferred source that is not there, and AccountingError where a record got lost.
    """
    preferred = _preferred(sources, prefer)
    reading = Reading(shelf, earlier, recorder)
    reading.read(sources, options, tick)
    return settle(reading, preferred)


def _preferred(sources: Sequence[Source], prefer: str | None) -> frozenset[int]:
    if prefer is None:
        return frozenset()
    path = Path(prefer).resolve()
    found = frozenset(
        number
        for number, source in enumerate(sources)
        if source.name == prefer or Path(source.path).resolve().is_relative_to(path)
    )
    if not found:
        names = [source.name for source in sources]
        shown = ", ".join(names[:10]) + (f" and {len(names) - 10} more" if names[10:] else "")
        raise PreferenceError(
            f"The preferred source {prefer!r} is none of the sources: {shown}.",
            prefer=prefer,
            sources=names,
        )
    return found
