"""The full report as a file: also which ids are new, changed or gone, and reject counts by code."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from steadyrank_builder.building.differences import differences
from steadyrank_builder.building.report import BuildReport
from steadyrank_builder.intake import Intake
from steadyrank_builder.manifest import DocumentEntry


def write_report(
    path: Path, report: BuildReport, before: Mapping[str, DocumentEntry], intake: Intake
) -> None:
    """Replace ``path`` by one JSON object, keys sorted. OSError as it comes.

    Ids are written as they are compared, so that a report of many is not held in memory.
    """
    draft = path.with_name(f".{path.name}.{os.getpid()}.draft")
    target = path if path.exists() and not path.is_file() else draft  # a pipe, /dev/stdout
    try:
        with target.open("w", encoding="ascii") as stream:
            for piece in _pieces(report, before, intake):
                stream.write(piece)
        if target is draft:
            draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def _pieces(
    report: BuildReport, before: Mapping[str, DocumentEntry], intake: Intake
) -> Iterator[str]:
    codes: Counter[str] = Counter()
    for reject in intake.rejects:
        codes[reject.code] += reject.records
    value = {**report.as_full_json(), "reject_codes": dict(codes), "ids": None}
    start = "{\n"
    for key in sorted(value):
        yield f"{start}{json.dumps(key)}: "
        start = ",\n"
        if key != "ids":
            yield json.dumps(value[key], sort_keys=True, allow_nan=False)
            continue
        for position, kind in enumerate(("added", "changed", "removed")):
            yield f"{',' if position else '{'}\n  {json.dumps(kind)}: ["
            comma = ""
            for what, id_ in differences(before, intake.entries):
                if what == kind:
                    yield f"{comma}\n    {json.dumps(id_)}"
                    comma = ","
            yield "]"
        yield "}"
    yield "\n}\n"
