"""Making the generation before the live one live again, as the next one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from steadyrank_builder.failures import ManifestError, RollbackError
from steadyrank_builder.history.generations import no_index, previous, recorded
from steadyrank_builder.manifest import Manifest
from steadyrank_builder.publishing import layout
from steadyrank_builder.publishing.live import check_target, live_generation
from steadyrank_builder.publishing.locks import build_lock
from steadyrank_builder.publishing.publish import Staged, publish
from steadyrank_builder.publishing.tocs import read_toc, segment_ids
from steadyrank_builder.publishing.workshop import clear_dead, workshop
from steadyrank_builder.verification.files import check_files

SCHEMA = 1


@dataclass(frozen=True, slots=True)
class Rollback:
    """What a rollback did: ``generation`` is live now and has what ``restores`` had.

    ``left`` was live before, and is what another rollback would go to. ``documents`` and
    ``digest`` are None where others wrote what was restored.
    """

    generation: int
    restores: int
    left: int
    documents: int | None
    digest: str | None
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The object that ``steadyrank rollback --json`` prints."""
        return {
            "schema": SCHEMA,
            "generation": self.generation,
            "restores": self.restores,
            "left": self.left,
            "documents": self.documents,
            "digest": self.digest,
        }


def rollback(folder: Path, *, lock_timeout: float = 5.0) -> Rollback:
    """Publish the previous generation's files as the next generation.

    Their hashes are compared with what was recorded first. Open readers go on reading and see
    the change as they see any commit. NoIndexError, RollbackError where there is nothing sound
    to go back to, TargetError, LockedError; StaleGenerationError where a writer commits meanwhile.
    Nothing changed then.
    """
    target = folder.resolve()
    if not layout.generations(target):
        raise no_index(folder)
    check_target(target)
    with build_lock(target, lock_timeout, "rollback"):
        clear_dead(target)
        live = live_generation(target)
        number = previous(layout.generations(target))
        if live is None or number is None:
            raise RollbackError(
                f"{folder} holds one generation only, so there is none to roll back to. (A commit "
                "by a Whoosh writer deletes the ones before it, as does a second build after.)",
                path=folder,
            )
        manifest, notes = _sound(target, number)
        with workshop(target) as place:
            toc = read_toc(target, number)
            staged = Staged(place, (), toc.schema, toc.segments, manifest)
            generation = publish(staged, target, began=live, force=False, lock_timeout=lock_timeout)
    return Rollback(
        generation=generation,
        restores=number,
        left=live.generation,
        documents=len(manifest.documents) if manifest is not None else None,
        digest=manifest.digest if manifest is not None else None,
        notes=notes,
    )


def _sound(folder: Path, number: int) -> tuple[Manifest | None, tuple[str, ...]]:
    """What the restored generation's record will be. RollbackError where files are damaged."""
    try:
        manifest = recorded(folder, number)
    except ManifestError as error:
        raise RollbackError(
            f"Generation {number} cannot be checked: {error}", path=folder
        ) from error
    if manifest is None:
        _all_there(folder, number)
        note = (
            f"Generation {number} was written by others, so there are no hashes to check it "
            "against. What is live now is as unrecorded as it was."
        )
        return None, (note,)
    problems = check_files(folder, manifest, compiled=False)
    if problems:
        lines = "".join(f"\n  {problem.message}" for problem in problems)
        raise RollbackError(
            f"Generation {number} is damaged and was not made live:{lines}", path=folder
        )
    files = {name: entry for name, entry in manifest.files.items() if not name.endswith(".toc")}
    now = datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    notes = tuple(problem.message for problem in check_files(folder, _only_compiled(manifest)))
    return replace(manifest, files=files, created=now, restores=number), notes


def _only_compiled(manifest: Manifest) -> Manifest:
    files = {name: entry for name, entry in manifest.files.items() if layout.arrays_of(name)}
    return replace(manifest, files=files)


def _all_there(folder: Path, number: int) -> None:
    try:
        segments = segment_ids(folder, number)
    except Exception as error:  # whatever a damaged TOC makes Whoosh and pickle raise
        message = f"Generation {number} of {folder} cannot be read: {error!r}"
        raise RollbackError(message, path=folder) from error
    missing = segments - {layout.segment_of(name) for name in layout.names(folder)}
    if missing:
        names = ", ".join(sorted(missing))
        raise RollbackError(f"Generation {number} lacks the segments {names}.", path=folder)
