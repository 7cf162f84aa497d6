"""What is live in an index folder: which generation, and whether we wrote it."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from steadyrank_builder.failures import ManifestError, TargetError
from steadyrank_builder.manifest import Manifest, read_manifest
from steadyrank_builder.publishing import layout
from steadyrank_builder.publishing.durable import measure


@dataclass(frozen=True, slots=True)
class Live:
    """A live generation. Two of them are equal when they are the same commit.

    The number alone would not do: ``create_in`` over an index starts again at 0, and commits
    then reach the old number with other content.
    """

    generation: int
    toc_sha256: str


def live_generation(folder: Path) -> Live | None:
    """The live generation of ``folder``, None where there is no index."""
    while numbers := layout.generations(folder):
        try:
            entry = measure(folder / layout.toc_name(numbers[-1]))
        except FileNotFoundError:  # a writer committed in between: look again
            continue
        return Live(numbers[-1], entry.sha256)
    return None


def own_manifest(folder: Path, live: Live) -> Manifest | None:
    """The manifest of ``live`` where that generation is ours, None where others wrote it.

    ManifestError for one that is there and damaged.
    """
    path = folder / layout.manifest_name(live.generation)
    try:
        manifest = read_manifest(path)
    except FileNotFoundError:
        return None
    toc = manifest.files.get(layout.toc_name(live.generation))
    if toc is None:
        raise ManifestError(f"{path} does not list the TOC of its generation.", path=path)
    return manifest if toc.sha256 == live.toc_sha256 else None


def _exists(folder: Path) -> bool:
    try:
        return folder.exists()
    except OSError:  # inside a folder that cannot be entered
        return False


def check_target(folder: Path, *, writing: bool = True) -> None:
    """TargetError where ``folder`` cannot become, and is not, the folder of an index.

    Also where it cannot be written to, if that is meant (``writing``).

    It can be missing, empty, or hold an index with any other files beside it. A folder with
    other files and no index is more likely a slip of the hand.
    """
    if not folder.name:
        raise TargetError(f"{folder} cannot hold an index: name a folder.", path=folder)
    above = next((parent for parent in folder.parents if _exists(parent)), folder.parent)
    if not above.is_dir():
        raise TargetError(f"{above} is a file, so {folder} cannot be a folder in it.", path=folder)
    if writing and not os.access(above, os.W_OK | os.X_OK):
        raise TargetError(
            f"{above} cannot be written to, and {folder.name} is built beside itself, "
            "inside that folder: give write permission there or name another place.",
            path=folder,
        )
    if not _exists(folder):
        return
    if not folder.is_dir():
        raise TargetError(
            f"{folder} is a file, and an index is a folder: name a new or empty folder.",
            path=folder,
        )
    if writing and not os.access(folder, os.W_OK | os.X_OK):
        raise TargetError(
            f"{folder} cannot be written to: give write permission there or name another place.",
            path=folder,
        )
    if layout.generations(folder):
        return
    others = [name for name in layout.names(folder) if not layout.is_ours(name)]
    if others:
        shown = ", ".join(others[:3]) + (f" and {len(others) - 3} more" if others[3:] else "")
        raise TargetError(
            f"{folder} holds no index but other files ({shown}), which an index folder should "
            "not be mixed with: name a new or empty folder.",
            path=folder,
        )
