"""Making the planned generation the live one, as far as it is not that already."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from steadyrank_builder.building.before import Before
from steadyrank_builder.building.settings import BuildSettings
from steadyrank_builder.building.staging import Plan, restage, stage
from steadyrank_builder.compiled import mend
from steadyrank_builder.failures import LockedError
from steadyrank_builder.manifest import Manifest
from steadyrank_builder.provenance import made_with
from steadyrank_builder.publishing.locks import write_lock
from steadyrank_builder.publishing.publish import publish
from steadyrank_builder.publishing.sweep import sweep
from steadyrank_builder.publishing.workshop import workshop
from steadyrank_builder.verification.files import check_files


def make_live(
    planned: Plan, target: Path, before: Before, settings: BuildSettings
) -> tuple[int, tuple[str, ...]]:
    """Publish unless the same is live already; the live generation's number, and notes."""
    live = before.manifest
    same = live is not None and live.digest == planned.digest and other_tool(live) is None
    whole = same and live is not None and not check_files(target, live, compiled=False)
    if whole and live is not None and _contents(live.sources) == _contents(planned.sources):
        _tidy(target)
        return live.generation, mend(target) if settings.compile else ()
    notes: list[str] = []
    if whole and settings.compile:
        notes += mend(target)
    with workshop(target) as folder:
        if whole and live is not None:
            staged = restage(planned, folder, target, live)
            notes += ["The documents are the same, and what the sources hold is not."]
        else:
            staged = stage(planned, folder, settings)
        generation = publish(
            staged,
            target,
            began=before.live,
            force=settings.force,
            lock_timeout=settings.lock_timeout,
        )
    return generation, tuple(notes)


def other_tool(live: Manifest) -> str | None:
    """A sentence where the live generation was written by other versions than these."""
    now = made_with()
    names = ("whoosh_distribution", "whoosh_version", "steadyrank")
    if all(live.made_with.get(name) == now[name] for name in names):
        return None
    return (
        f"Generation {live.generation} was built by {_tools(live.made_with)}; this is "
        f"{_tools(now)}, so all of it is written anew."
    )


def _tools(made: Mapping[str, str]) -> str:
    return (
        f"steadyrank {made.get('steadyrank')} with {made.get('whoosh_distribution')} "
        f"{made.get('whoosh_version')}"
    )


def _contents(sources: Iterable[Mapping[str, Any]]) -> dict[str, str | None]:
    return {source["path"]: source.get("content") for source in sources}


def _tidy(target: Path) -> None:
    """Sweep as a publish does, unless a writer is at work, who will do it then."""
    try:
        with write_lock(target, 0.0):
            sweep(target)
    except LockedError:
        pass
