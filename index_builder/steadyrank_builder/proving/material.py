"""The material that an index was built from, and how it was read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from steadyrank.errors import SteadyRankError
from steadyrank_builder.building import BuildSettings
from steadyrank_builder.building.known import lies_at
from steadyrank_builder.formats import ReadOptions
from steadyrank_builder.manifest import Manifest
from steadyrank_builder.publishing.live import live_generation, own_manifest


class RebuildError(SteadyRankError, ValueError):
    """An index cannot be rebuilt from what is there. The message says what to give."""


def manifest_of(folder: Path) -> Manifest | None:
    """The record of the live generation in ``folder``, None where others wrote it."""
    live = live_generation(folder)
    return None if live is None else own_manifest(folder, live)


def recorded_material(folder: Path, manifest: Manifest | None) -> list[Path]:
    """The files and folders that a build read, as the manifest names them.

    Raises RebuildError where it names none, or one that is not there (any more).
    """
    say = "name what it was built from: --material PATH, once for each file or folder"
    if manifest is None or not manifest.sources:
        raise RebuildError(f"{folder} does not record what it was built from; {say}")
    place = folder.resolve()
    named = [_argument(source, lies_at(place, source)) for source in manifest.sources]
    found = list(dict.fromkeys(path for path in named if path is not None))
    gone = [
        str(source.get("path"))
        for source, path in zip(manifest.sources, named, strict=True)
        if path is None
    ]
    if gone:
        shown = ", ".join(gone[:3]) + (", ..." if len(gone) > 3 else "")
        raise RebuildError(
            f"{len(gone)} of the files that {folder} was built from are not here ({shown}); {say}"
        )
    return found


def _argument(source: Mapping[str, Any], real: str) -> Path | None:
    # A page's id has its path below the folder that was named, so that folder is named again.
    below = str(source.get("page_path") or "")
    for name in (str(source.get("path") or ""), real):
        if source.get("root") == "folder" and below and name.endswith(below):
            name = name[: -len(below)].rstrip("/") or ("/" if name.startswith("/") else ".")
        if name not in ("", "-") and Path(name).exists():
            return Path(name)
    return None


def recorded_settings(manifest: Manifest | None, language: str) -> BuildSettings:
    """How the material was read, as far as that is recorded; ``language`` is the analyzer's."""
    settings: Mapping[str, Any] = {} if manifest is None else manifest.settings
    return BuildSettings(
        reading=ReadOptions(**settings.get("reading", {})),
        language=settings.get("language") or language,
        prefer=settings.get("prefer"),
    )


def shuffled(material: Sequence[Path], number: int) -> list[Path]:
    """The material in another order for each number."""
    turned = list(material)[number % len(material) :] + list(material)[: number % len(material)]
    return turned[::-1] if number % 2 else turned
