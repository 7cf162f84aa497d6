"""Writing the planned index into the sibling folder, complete, checked and on the disk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from steadyrank_builder.archive import Archive
from steadyrank_builder.building.meter import Meter
from steadyrank_builder.building.settings import BuildSettings
from steadyrank_builder.compiled import compile_staged, compiled_files
from steadyrank_builder.fingerprint import describe_schema, logical_digest
from steadyrank_builder.intake import Intake
from steadyrank_builder.manifest import Manifest
from steadyrank_builder.provenance import made_with
from steadyrank_builder.publishing.durable import FileEntry, measure, sync_file
from steadyrank_builder.publishing.layout import archive_name, segment_of
from steadyrank_builder.publishing.publish import Staged
from steadyrank_builder.publishing.tocs import read_toc
from steadyrank_builder.writing import check_index, write_index


@dataclass(frozen=True)
class Plan:
    """What is to be written: documents and schema, the digest they will have, and their sources."""

    intake: Intake
    archive: Archive
    schema: Any
    analyzer: dict[str, Any]
    digest: str
    sources: tuple[Mapping[str, Any], ...] = ()
    settings: Mapping[str, Any] = field(default_factory=dict)
    made_by: str = "build"


def plan(intake: Intake, archive: Archive, language: str) -> Plan:
    """Choose the schema for ``language`` and compute the digest. Needs Whoosh."""
    from steadyrank.analysis.languages import known_code
    from steadyrank.schema import store_schema

    # The languages of the documents themselves, so that equal documents have an equal analyzer.
    others = {code for tag in intake.languages if tag and (code := known_code(tag))}
    schema = store_schema(language, others)
    analyzer = describe_schema(schema)
    digest = logical_digest(analyzer, intake.pairs())
    return Plan(intake, archive, schema, analyzer, digest)


def stage(planned: Plan, folder: Path, settings: BuildSettings) -> Staged:
    """Write the index into the empty ``folder``, read it back, and bring it to the disk.

    WrittenIndexError where what is read is not what was written.
    """
    intake = planned.intake
    total = len(intake.entries)
    write_index(
        folder,
        planned.schema,
        intake.documents(),
        memory_mb=settings.memory_mb,
        tick=Meter(settings.progress, "write", total),
    )
    check_index(folder, intake.pairs(), count=total, tick=Meter(settings.progress, "check", total))
    toc = read_toc(folder)
    segments = [path for path in sorted(folder.iterdir()) if segment_of(path.name)]
    for path in segments:
        sync_file(path)
    arrays = compile_staged(folder) if settings.compile else []
    archive = _save_archive(planned, folder)
    files = (*segments, *arrays, archive)
    manifest = _manifest(planned, {path.name: measure(path) for path in files})
    return Staged(folder, files, toc.schema, toc.segments, manifest)


def restage(planned: Plan, folder: Path, target: Path, live: Manifest) -> Staged:
    """The live generation's segments, which are sound and have the planned content, once more.

    For sources that hold the same documents in another way: a later update goes by them.
    """
    toc = read_toc(target)
    archive = _save_archive(planned, folder)
    files = {name: file for name, file in live.files.items() if segment_of(name)}
    segments = {segment for name in files if (segment := segment_of(name)) is not None}
    files |= {path.name: measure(path) for path in compiled_files(target, segments)}
    manifest = _manifest(planned, {**files, archive.name: measure(archive)})
    return Staged(folder, (archive,), toc.schema, toc.segments, manifest)


def _save_archive(planned: Plan, folder: Path) -> Path:
    draft = folder / "records"
    planned.archive.save(draft)
    sync_file(draft)
    return draft.rename(folder / archive_name(measure(draft).sha256))


def _manifest(planned: Plan, files: dict[str, FileEntry]) -> Manifest:
    intake = planned.intake
    return Manifest(
        generation=0,
        created=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        made_with=made_with(),
        analyzer=planned.analyzer,
        digest=planned.digest,
        files=files,
        documents=intake.entries,
        kinds=intake.kinds,
        dangling_links=intake.dangling_links,
        sources=planned.sources,
        made_by=planned.made_by,
        settings=planned.settings,
    )
