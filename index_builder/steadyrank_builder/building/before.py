"""What was live when the build began."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from steadyrank_builder.failures import ManifestError, StaleGenerationError, TargetError
from steadyrank_builder.manifest import Manifest
from steadyrank_builder.publishing import layout
from steadyrank_builder.publishing.live import Live, live_generation, own_manifest
from steadyrank_builder.publishing.tocs import segment_ids


@dataclass(frozen=True, slots=True)
class Before:
    """``live`` is None without an index, ``manifest`` None where no build of ours wrote it."""

    live: Live | None
    manifest: Manifest | None
    notes: tuple[str, ...] = ()


def look(target: Path, *, force: bool, adopt: bool = False) -> Before:
    """Look at ``target``.

    TargetError where its index was never ours and is not to be adopted; StaleGenerationError
    where others wrote the live generation, ManifestError where its manifest is damaged: in these
    cases a build would drop what nobody can account for, and has to be told to with ``force``.
    An index without a document is no such case.
    """
    live = live_generation(target)
    if live is None:
        return Before(None, None)
    try:
        manifest = own_manifest(target, live)
    except ManifestError as error:
        if not force:
            raise
        return Before(live, None, (f"{error} It was replaced.",))
    if manifest is not None and manifest.made_by in ("build", "update"):
        return Before(live, manifest)
    if _empty(target, live.generation):
        return Before(live, None)
    note = f"Generation {live.generation} was written by others and was replaced."
    if not any(layout.manifest_generation(name) is not None for name in layout.names(target)):
        if adopt:
            return Before(live, None, (note,))
        raise TargetError(
            f"{target} holds an index that was never built here, and a build replaces all of it. "
            "Nothing was changed. Name another folder, or say --adopt; the index then stays for "
            "a rollback until the next build. To give it a steady layout instead: steadyrank "
            "canonicalize.",
            path=target,
        )
    if force:
        return Before(live, None, (note,))
    raise StaleGenerationError(
        f"Generation {live.generation} of {target} was written by others (a Whoosh writer of your "
        "own, or canonicalize), and a build replaces all of it. Nothing was changed. Build into "
        "another folder, or say --replace; the generation then stays for a rollback until the "
        "next build.",
        expected=None,
        found=live.generation,
    )


def _empty(target: Path, generation: int) -> bool:
    """Whether the generation has no segment, as right after Whoosh's ``create_in``."""
    try:
        return not segment_ids(target, generation)
    except Exception:  # whatever a damaged TOC makes Whoosh raise: not known to be empty
        return False
