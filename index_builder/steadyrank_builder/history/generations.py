"""Which generations there are, and which of them can become live again."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steadyrank_builder.failures import ManifestError, NoIndexError
from steadyrank_builder.manifest import Manifest, read_manifest
from steadyrank_builder.publishing import layout
from steadyrank_builder.publishing.durable import measure
from steadyrank_builder.publishing.tocs import document_count, segment_ids

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Generation:
    """One generation. What only its manifest tells is None where others wrote it.

    ``made_by`` is the command that made it, ``restores`` the generation that it is a rollback
    to. ``whole`` says that its files are there, in the sizes that were recorded; ``rollback``
    that it is the one that a rollback would go to, by what can be seen without reading it.
    """

    number: int
    live: bool
    whole: bool
    rollback: bool
    documents: int | None
    created: str | None
    digest: str | None
    made_by: str | None
    restores: int | None
    problem: str | None

    def as_json(self) -> dict[str, Any]:
        """Its entry in what ``steadyrank list --json`` prints."""
        return {
            "generation": self.number,
            "live": self.live,
            "whole": self.whole,
            "rollback": self.rollback,
            "documents": self.documents,
            "created": self.created,
            "digest": self.digest,
            "made_by": self.made_by,
            "restores": self.restores,
            "problem": self.problem,
        }


def generations(folder: Path) -> list[Generation]:
    """The generations in ``folder``, oldest first. NoIndexError where there is none."""
    numbers = layout.generations(folder)
    if not numbers:
        raise no_index(folder)
    before = previous(numbers)
    return [_look(folder, number, number == numbers[-1], number == before) for number in numbers]


def previous(numbers: list[int]) -> int | None:
    """The generation that a rollback goes to, of those there are, ascending."""
    return numbers[-2] if len(numbers) > 1 else None


def no_index(folder: Path) -> NoIndexError:
    """The error for a folder without an index."""
    return NoIndexError(
        f"{folder} holds no index: build one with steadyrank build MATERIAL... --out {folder}",
        path=folder,
    )


def recorded(folder: Path, number: int) -> Manifest | None:
    """The manifest of generation ``number``, None where it is of others.

    ManifestError for a damaged one.
    """
    try:
        manifest = read_manifest(folder / layout.manifest_name(number))
        toc = measure(folder / layout.toc_name(number))
    except FileNotFoundError:
        return None
    # A manifest of a publish that died can stand beside a host's commit of the same number.
    return manifest if manifest.files.get(layout.toc_name(number)) == toc else None


def _look(folder: Path, number: int, live: bool, before: bool) -> Generation:
    problem: str | None = None
    manifest: Manifest | None = None
    try:
        manifest = recorded(folder, number)
        missing = _missing(folder, number, manifest)
        if missing:
            problem = f"{missing} is missing or has another size"
    except ManifestError as error:
        problem = str(error)
    documents = len(manifest.documents) if manifest is not None else _count(folder, number)
    return Generation(
        number=number,
        live=live,
        whole=problem is None,
        rollback=before and problem is None,
        documents=documents,
        created=manifest.created if manifest is not None else None,
        digest=manifest.digest if manifest is not None else None,
        made_by=manifest.made_by if manifest is not None else None,
        restores=manifest.restores if manifest is not None else None,
        problem=problem,
    )


def _missing(folder: Path, number: int, manifest: Manifest | None) -> str | None:
    """The first file of the generation that is not there as it was written, by name and size."""
    if manifest is None:
        try:
            segments = segment_ids(folder, number)
        except Exception:  # whatever a damaged TOC makes Whoosh raise
            return layout.toc_name(number)
        present = {layout.segment_of(name) for name in layout.names(folder)}
        return min(segments - present, default=None)
    for name, entry in sorted(manifest.files.items()):
        if layout.arrays_of(name) is not None:  # of no matter to what can be restored
            continue
        path = folder / name
        if not path.is_file() or path.stat().st_size != entry.size:
            return name
    return None


def _count(folder: Path, number: int) -> int | None:
    try:
        return document_count(folder, number)
    except Exception:  # likewise
        return None
