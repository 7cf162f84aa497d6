"""Read, compare with what is live, write beside it, check, publish."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from steadyrank_builder.archive import Archive
from steadyrank_builder.building.before import Before, look
from steadyrank_builder.building.choices import Choices
from steadyrank_builder.building.comparing import compare
from steadyrank_builder.building.facts import settled
from steadyrank_builder.building.gathering import Gathered, all_of, changed_of
from steadyrank_builder.building.guards import tripped
from steadyrank_builder.building.headers import headers_of
from steadyrank_builder.building.known import Known, entry, known_sources
from steadyrank_builder.building.meter import Meter
from steadyrank_builder.building.reader_version import read_with
from steadyrank_builder.building.replays import replayed
from steadyrank_builder.building.report import SHOWN_REJECTS, BuildReport
from steadyrank_builder.building.report_file import write_report
from steadyrank_builder.building.settings import BuildSettings
from steadyrank_builder.building.sources import find_sources
from steadyrank_builder.building.staging import Plan, plan
from steadyrank_builder.building.switching import make_live, other_tool
from steadyrank_builder.building.wording import few, nothing
from steadyrank_builder.failures import GuardError, NothingToBuildError, UpdateError
from steadyrank_builder.intake import Intake, take_in
from steadyrank_builder.intake.shelf import Shelf
from steadyrank_builder.material import Source
from steadyrank_builder.publishing.layout import is_archive
from steadyrank_builder.publishing.live import check_target
from steadyrank_builder.publishing.locks import build_lock
from steadyrank_builder.publishing.workshop import clear_dead
from steadyrank_builder.rejects import write_rejects
from steadyrank_builder.verification.files import check_files


@dataclass(frozen=True)
class Job:
    """One call of ``build`` or ``update``; ``dry`` changes nothing but report and rejects file."""

    command: str
    material: tuple[Path, ...]
    out: Path
    settings: BuildSettings
    forget: tuple[str, ...] = ()
    dry: bool = False


def run(job: Job) -> BuildReport:
    """Do it. Raises as ``building.build`` says."""
    started = time.monotonic()
    settings = job.settings
    target = job.out.resolve()  # through a link: the sibling folder belongs beside the real one
    check_target(target, writing=not job.dry)
    with (
        _locked(target, job),
        Shelf(settings.ledger_mb) as shelf,
        Archive() as archive,
        ExitStack() as stack,
    ):
        before = look(target, force=settings.force, adopt=settings.adopt)
        choices = Choices.of(settings, before.manifest if job.command == "update" else None)
        sources, notes = find_sources(job.material, target, settings.rejects, settings.report)
        sources, more = replayed(sources, stack)
        notes += more
        gathered = _gather(job, target, before, choices, sources)
        intake = take_in(
            gathered.sources,
            choices.reading,
            shelf,
            prefer=choices.prefer,
            tick=Meter(settings.progress, "read"),
            earlier=gathered.earlier,
            recorder=archive,
        )
        if settings.rejects is not None:
            write_rejects(
                settings.rejects, intake.rejects, headers_of(gathered.sources, choices.reading)
            )
        if not intake.entries:
            raise NothingToBuildError(nothing(intake))
        planned = replace(
            plan(intake, archive, choices.language),
            sources=_entries(intake, gathered, archive, target),
            settings=choices.as_json(),
            made_by=job.command,
        )
        report = _report(job, target, before, planned, gathered)
        report = replace(report, notes=(*before.notes, *notes, *report.notes))
        if job.dry or report.tripped:
            report = replace(report, seconds=time.monotonic() - started)
        else:
            generation, why = make_live(planned, target, before, settings)
            report = replace(
                report,
                generation=generation,
                published=before.live is None or generation != before.live.generation,
                notes=(*report.notes, *why),
                seconds=time.monotonic() - started,
            )
        if settings.report is not None:
            documents = before.manifest.documents if before.manifest else {}
            write_report(settings.report, report, documents, intake)
    if report.tripped and not job.dry:
        lines = "".join(f"\n  {each.message}" for each in report.tripped)
        raise GuardError(f"Nothing was published; what was live still is.{lines}", report=report)
    return report


@contextmanager
def _locked(target: Path, job: Job) -> Iterator[None]:
    if job.dry:
        yield
        return
    with build_lock(target, job.settings.lock_timeout, job.command):
        clear_dead(target)
        yield


def _gather(
    job: Job, target: Path, before: Before, choices: Choices, sources: list[Source]
) -> Gathered:
    reading = read_with(choices.reading)
    if job.command == "build" or before.manifest is None:
        return all_of(sources, reading)
    known = _known(target, before)
    if known is None:
        return _without_archive(job, target, before, sources, reading)
    gathered = changed_of(sources, reading, known, job.material, job.forget)
    recorded = before.manifest.settings.get("language")
    if gathered.kept and recorded != choices.language:
        raise UpdateError(
            f"The index is analysed by the rules of {recorded!r}, and {choices.language!r} was "
            f"asked for, but not all material was named ({few(gathered.kept)} was not): name all "
            "of it, or leave out --language.",
            path=target,
        )
    return gathered


def _known(target: Path, before: Before) -> dict[str, Known] | None:
    """The live generation's sources, None where their records are not as they were written."""
    assert before.manifest is not None
    known = known_sources(target, before.manifest)
    archive = {name: file for name, file in before.manifest.files.items() if is_archive(name)}
    sound = not check_files(target, replace(before.manifest, files=archive))
    return known if sound else None


def _without_archive(
    job: Job, target: Path, before: Before, sources: list[Source], reading: str
) -> Gathered:
    """All sources read, if that leaves out none of the live generation."""
    assert before.manifest is not None
    named = {source.name for source in sources}
    missing = [name for each in before.manifest.sources if (name := each["path"]) not in named]
    if missing or job.forget:
        raise UpdateError(
            f"What the sources of generation {before.manifest.generation} of {target} were read "
            "as is not there or is damaged, so those that were not named cannot be kept: "
            f"{few(missing)}. Name all material, or build.",
            path=target,
        )
    return all_of(sources, reading)


def _entries(
    intake: Intake, gathered: Gathered, archive: Archive, target: Path
) -> tuple[dict[str, Any], ...]:
    """What the manifest says of the sources."""
    untouched = {*gathered.kept, *gathered.unchanged, *gathered.unopened}
    facts = {each.source.name: each for each in gathered.facts}
    facts |= settled(each for each in gathered.facts if each.source.name not in untouched)
    # What could not be read now is as it was, to be looked at again the next time.
    facts |= {name: gathered.before[name] for name in intake.unread}
    return tuple(
        entry(account, facts[account.path], archive.blocks[account.path], target)
        for account in intake.accounts
    )


def _report(
    job: Job, target: Path, before: Before, planned: Plan, gathered: Gathered
) -> BuildReport:
    intake, settings = planned.intake, job.settings
    documents = before.manifest.documents if before.manifest else None
    compared = compare(documents, intake, target)
    read = sum(account.read for account in intake.accounts)
    return BuildReport(
        command=job.command,
        dry=job.dry,
        generation=before.live.generation if before.live else 0,
        previous=before.live.generation if before.live and before.manifest else None,
        documents=len(intake.entries),
        digest=planned.digest,
        published=False,
        sources=intake.accounts,
        changes=compared.changes,
        renamed=compared.renamed,
        kept=gathered.kept,
        gone=gathered.gone,
        unchanged=gathered.unchanged,
        unread=(*intake.unread, *gathered.unopened),
        tripped=tripped(
            lost=compared.changes.removed,
            live=len(documents or ()),
            max_lost=settings.max_lost,
            rejected=intake.rejects.records,
            read=read,
            max_rejects=settings.max_rejects,
        ),
        rejected=intake.rejects.records,
        rejects=intake.rejects.first(SHOWN_REJECTS),
        dangling_links=intake.dangling_links,
        notes=_notes(before, planned, gathered),
        seconds=0.0,
    )


def _notes(before: Before, planned: Plan, gathered: Gathered) -> tuple[str, ...]:
    """Sentences for people about what is not as they may expect."""
    notes = [
        f"Nothing of {name} can be used now; its documents stay as they were when it was read "
        "last. Its rejects say why."
        for name in planned.intake.unread
    ]
    if inside := gathered.unopened:
        notes.append(
            f"What {few(inside)} lies in cannot be opened now; its documents stay as they were "
            "when it was read last."
        )
    if older := gathered.read_otherwise():
        notes.append(
            f"{few(older)} stay as they were read, with other options or another version "
            "than this one's: name them too, to have them read again."
        )
    if before.manifest is not None and (other := other_tool(before.manifest)):
        notes.append(other)
    return tuple(notes)
