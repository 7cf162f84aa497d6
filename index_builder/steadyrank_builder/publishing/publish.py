"""One switch from the old generation to the new.

TOC and manifest are written in the sibling folder and synced before anything else: a manifest of
many documents takes seconds, in which a host's writer could not get the lock. Then, all under
Whoosh's write lock, and what a crash after each leaves live:

1. the live generation is the one the build began with              (old)
2. segment files moved in under their random names, then manifest   (old)
3. folder synced; TOC renamed in                                    (new)
4. folder synced; generations older than the previous one removed   (new)

What a crash leaves lying about is removed by the next ``sweep``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from steadyrank_builder.failures import StaleGenerationError
from steadyrank_builder.manifest import Manifest, write_manifest
from steadyrank_builder.publishing import layout
from steadyrank_builder.publishing.durable import measure, move_in, sync_file, sync_folder
from steadyrank_builder.publishing.live import Live, live_generation
from steadyrank_builder.publishing.locks import write_lock
from steadyrank_builder.publishing.sweep import sweep
from steadyrank_builder.publishing.tocs import write_toc


@dataclass(frozen=True)
class Staged:
    """What is to become the live generation.

    ``files`` are segment files in the sibling folder, complete and synced; none for a rollback,
    whose segments are in place. ``schema`` and ``segments`` are Whoosh's, for the TOC.
    ``manifest`` lacks generation and TOC; it is None for a rollback to what others wrote, of which
    there is no record.
    """

    folder: Path
    files: tuple[Path, ...]
    schema: Any
    segments: list[Any]
    manifest: Manifest | None


def publish(
    staged: Staged, target: Path, *, began: Live | None, force: bool, lock_timeout: float
) -> int:
    """Make ``staged`` the live generation of ``target`` and return its number.

    ``began`` is what was live when the work began. If something else is live by now, that is
    StaleGenerationError, and nothing changed, unless ``force``. LockedError after
    ``lock_timeout`` seconds, likewise without a change.
    """
    generation = _after(began)
    toc, record = _stage(staged, generation)
    with write_lock(target, lock_timeout):
        live = live_generation(target)
        if live != began and not force:
            raise _stale(target, began, live)
        if generation != _after(live):  # a writer committed meanwhile
            generation = _after(live)
            toc, record = _stage(staged, generation)
        for path in (*staged.files, *record):
            move_in(path, target / path.name)
        sync_folder(target)
        move_in(toc, target / toc.name)
        sync_folder(target)
        sweep(target)
    return generation


def _after(live: Live | None) -> int:
    # Whoosh's create_in makes generation 0, its first commit 1.
    return 1 if live is None else live.generation + 1


def _stage(staged: Staged, generation: int) -> tuple[Path, list[Path]]:
    """TOC and manifest of ``generation`` in the sibling folder, on the disk."""
    toc = _stage_toc(staged, generation)
    return toc, _stage_record(staged, generation, toc)


def _stage_toc(staged: Staged, generation: int) -> Path:
    folder = staged.folder / "toc"  # the sibling folder has the TOCs of its own making
    folder.mkdir(exist_ok=True)
    path = write_toc(folder, staged.schema, staged.segments, generation)
    sync_file(path)
    return path


def _stage_record(staged: Staged, generation: int, toc: Path) -> list[Path]:
    if staged.manifest is None:
        return []
    manifest = replace(
        staged.manifest,
        generation=generation,
        files={**staged.manifest.files, toc.name: measure(toc)},
    )
    record = staged.folder / layout.manifest_name(generation)
    write_manifest(record, manifest)
    sync_file(record)
    return [record]


def _stale(target: Path, began: Live | None, live: Live | None) -> StaleGenerationError:
    def number(state: Live | None) -> int | None:
        return None if state is None else state.generation

    before, now = number(began), number(live)
    return StaleGenerationError(
        f"{target} was at generation {before} when this work began and is at {now}: another "
        "writer committed meanwhile, and publishing would drop what it wrote. Nothing was "
        "changed. Run it again to start from what is live now, or publish over it with --replace.",
        expected=before,
        found=now,
    )
