"""The build: read, compare with what is live, write beside it, check, publish."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from steadyrank_builder.building.before import Before, look
from steadyrank_builder.building.meter import Meter
from steadyrank_builder.building.report import SHOWN_REJECTS, BuildReport, Changes
from steadyrank_builder.building.settings import BuildSettings
from steadyrank_builder.building.sources import find_sources
from steadyrank_builder.building.staging import Plan, plan, stage
from steadyrank_builder.failures import LockedError, NothingToBuildError
from steadyrank_builder.intake import Intake, take_in
from steadyrank_builder.intake.shelf import Shelf
from steadyrank_builder.publishing.live import check_target
from steadyrank_builder.publishing.locks import build_lock, write_lock
from steadyrank_builder.publishing.publish import publish
from steadyrank_builder.publishing.sweep import sweep
from steadyrank_builder.publishing.workshop import clear_dead, workshop
from steadyrank_builder.rejects import write_rejects
from steadyrank_builder.verification.files import check_files


def build(
    material: Sequence[Path], out: Path, settings: BuildSettings | None = None
) -> BuildReport:
    """Build the index of ``material`` and make it live in the folder ``out``.

    Where the live generation has the same logical content, and its files are whole, nothing is
    written. A crash at any point leaves the old or the new generation live.

    Raises TargetError, MaterialError and other SteadyRankErrors for bad input before anything
    changed; NothingToBuildError for material without a document; LockedError;
    StaleGenerationError where others wrote what would be replaced; OSError from the disk.
    """
    settings = settings or BuildSettings()
    started = time.monotonic()
    target = out.resolve()  # through a link: the sibling folder belongs beside the real one
    check_target(target)
    with build_lock(target, settings.lock_timeout), Shelf(settings.ledger_mb) as shelf:
        clear_dead(target)
        before = look(target, force=settings.force)
        sources, notes = find_sources(material, target, settings.rejects)
        intake = take_in(
            sources,
            replace(settings.reading, language=settings.reading.language or settings.language),
            shelf,
            prefer=settings.prefer,
            tick=Meter(settings.progress, "read"),
        )
        if settings.rejects is not None:
            write_rejects(settings.rejects, intake.rejects)
        if not intake.entries:
            raise NothingToBuildError(_nothing(len(sources), intake))
        planned = plan(intake, settings.language)
        generation = _make_live(planned, target, before, settings)
        report = BuildReport(
            generation=generation,
            previous=before.live.generation if before.live and before.manifest else None,
            documents=len(intake.entries),
            digest=planned.digest,
            published=before.live is None or generation != before.live.generation,
            sources=intake.accounts,
            changes=Changes.between(
                before.manifest.documents if before.manifest else {}, intake.entries
            ),
            rejected=intake.rejects.records,
            rejects=intake.rejects.first(SHOWN_REJECTS),
            dangling_links=intake.dangling_links,
            notes=(*before.notes, *notes),
            seconds=0.0,
        )
    return replace(report, seconds=time.monotonic() - started)


def _make_live(planned: Plan, target: Path, before: Before, settings: BuildSettings) -> int:
    """Publish unless the same is live already; the live generation's number."""
    if before.live is not None and before.manifest is not None:
        same = before.manifest.digest == planned.digest
        if same and not check_files(target, before.manifest):
            _tidy(target)
            return before.live.generation
    with workshop(target) as folder:
        staged = stage(planned, folder, settings)
        return publish(
            staged,
            target,
            began=before.live,
            force=settings.force,
            lock_timeout=settings.lock_timeout,
        )


def _tidy(target: Path) -> None:
    """Sweep as a publish does, unless a writer is at work, who will do it then."""
    try:
        with write_lock(target, 0.0):
            sweep(target)
    except LockedError:
        pass


def _nothing(sources: int, intake: Intake) -> str:
    read = sum(account.read for account in intake.accounts)
    skipped = sum(account.skipped.total() for account in intake.accounts)
    rejected = sum(account.rejected for account in intake.accounts)
    message = (
        f"The material has no document to index. Files: {sources}, records: {read}, of which "
        f"{skipped} skipped and {rejected} rejected. Nothing was published, and what was live "
        "still is."
    )
    for first in intake.rejects.first(1):
        message += f" The first reject is {first.origin}: {first.message}"
    return message
