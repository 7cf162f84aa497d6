"""Removing what no reader and no rollback needs any more."""

from __future__ import annotations

import shutil
from pathlib import Path

from steadyrank_builder.failures import ManifestError
from steadyrank_builder.manifest import read_manifest
from steadyrank_builder.publishing import layout
from steadyrank_builder.publishing.tocs import segment_ids

KEPT_GENERATIONS = 2  # the live one and the one to roll back to


def sweep(folder: Path) -> list[str]:
    """Delete files of older generations and of dead writers; returns their names, sorted.

    Call it under the write lock only: a live writer's unfinished segment looks like a dead
    one's. Open readers keep what they have mapped, as after a commit by Whoosh.

    When a kept generation cannot be read nothing of the segments is deleted, since nobody can
    tell which of them it needs; likewise the archives of records when a manifest cannot.
    """
    numbers = layout.generations(folder)
    kept = numbers[-KEPT_GENERATIONS:]
    segments = _segments(folder, kept)
    archives = _archives(folder, kept)
    gone = []
    for name in layout.names(folder):
        if _unneeded(name, kept, segments, archives) or _is_dead_draft(folder, name):
            path = folder / name
            if path.is_dir():  # MAIN.tmp, where a killed Whoosh writer kept its postings
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
            gone.append(name)
    return gone


def _is_dead_draft(folder: Path, name: str) -> bool:
    # Compiling takes no lock of the folder, so a draft can be one that is being written.
    if not layout.is_arrays_draft(name):
        return False
    from steadyrank.postings.compiled.writing import is_being_written

    try:
        return not is_being_written(folder / name)
    except OSError:
        return False


def _segments(folder: Path, kept: list[int]) -> set[str] | None:
    try:
        return set().union(*(segment_ids(folder, generation) for generation in kept))
    except Exception:  # whatever a damaged or foreign TOC makes Whoosh and pickle raise
        return None


def _archives(folder: Path, kept: list[int]) -> set[str] | None:
    needed: set[str] = set()
    for generation in kept:
        try:
            needed.update(read_manifest(folder / layout.manifest_name(generation)).files)
        except FileNotFoundError:  # of others, who have no archive
            continue
        except ManifestError:
            return None
    return needed


def _unneeded(
    name: str, kept: list[int], segments: set[str] | None, archives: set[str] | None
) -> bool:
    if layout.is_draft(name):
        return True
    if layout.is_archive(name):
        return archives is not None and name not in archives
    generation = layout.manifest_generation(name)
    if generation is not None:
        return generation not in kept
    segment = layout.segment_of(name)
    if segment is not None:
        return segments is not None and segment not in segments
    segment = layout.arrays_of(name)
    if segment is not None:
        return segments is not None and segment not in segments
    if name == f"{layout.INDEX_NAME}.tmp":
        return True
    generation = layout.toc_generation(name)
    return generation is not None and generation not in kept
