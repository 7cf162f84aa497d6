"""Writing the planned index into the sibling folder, complete, checked and on the disk."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from steadyrank_builder.building.meter import Meter
from steadyrank_builder.building.settings import BuildSettings
from steadyrank_builder.fingerprint import describe_schema, logical_digest
from steadyrank_builder.intake import Intake
from steadyrank_builder.manifest import Manifest
from steadyrank_builder.provenance import made_with
from steadyrank_builder.publishing.durable import measure, sync_file
from steadyrank_builder.publishing.layout import segment_of
from steadyrank_builder.publishing.publish import Staged
from steadyrank_builder.publishing.tocs import read_toc
from steadyrank_builder.writing import check_index, write_index


@dataclass(frozen=True)
class Plan:
    """What is to be written: the documents, the schema, and the digest they will have."""

    intake: Intake
    schema: Any
    analyzer: dict[str, Any]
    digest: str


def plan(intake: Intake, language: str) -> Plan:
    """Choose the schema for ``language`` and compute the digest. Needs Whoosh."""
    from steadyrank.schema import store_schema

    schema = store_schema(language)
    analyzer = describe_schema(schema)
    return Plan(intake, schema, analyzer, logical_digest(analyzer, intake.pairs()))


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
    files = tuple(path for path in sorted(folder.iterdir()) if segment_of(path.name))
    for path in files:
        sync_file(path)
    manifest = Manifest(
        generation=0,
        created=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        made_with=made_with(),
        analyzer=planned.analyzer,
        digest=planned.digest,
        files={path.name: measure(path) for path in files},
        documents=intake.entries,
        kinds=intake.kinds,
        dangling_links=intake.dangling_links,
        sources=tuple(
            {**account.as_json(), "reasons": dict(account.skipped)} for account in intake.accounts
        ),
    )
    return Staged(folder, files, toc.schema, toc.segments, manifest)
