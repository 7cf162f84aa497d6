"""The whole diagnosis."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from steadyrank.errors import SteadyRankError
from steadyrank_builder.diagnosis.finding import Finding, problem
from steadyrank_builder.diagnosis.index_state import IndexState, check_index
from steadyrank_builder.diagnosis.installation import Owner, check_installation, owners


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What was looked at and what was found; ``index`` is None where none was looked at."""

    whoosh: tuple[Owner, ...]
    index: IndexState | None
    statistics: str | None
    findings: tuple[Finding, ...]

    @property
    def sound(self) -> bool:
        """Whether there is nothing to mend."""
        return all(finding.severity != "problem" for finding in self.findings)

    def as_json(self) -> dict[str, Any]:
        """The object that ``steadyrank doctor --json`` prints."""
        return {
            "schema": 1,
            "sound": self.sound,
            "whoosh": [asdict(owner) for owner in self.whoosh],
            "index": None if self.index is None else asdict(self.index),
            "statistics": self.statistics,
            "findings": [asdict(finding) for finding in self.findings],
        }


def diagnose(
    folder: Path | None = None,
    *,
    id_field: str | None = "id",
    statistics: Path | None = None,
    max_age_days: float = 90.0,
) -> Diagnosis:
    """Looks at the installation and, where they are given, an index and pinned statistics.

    With a broken installation the index is not opened.
    """
    found = owners()
    findings = check_installation(found)
    state = None
    pinned = None
    if folder is not None and not any(f.severity == "problem" for f in findings):
        try:
            state, about_index = check_index(folder, id_field)
            findings += about_index
            if statistics is not None:
                pinned, about_statistics = _check_statistics(statistics, folder, max_age_days)
                findings += about_statistics
        except SteadyRankError as error:
            findings.append(problem("unusable", str(error)))
    return Diagnosis(tuple(found), state, pinned, tuple(findings))


def _check_statistics(path: Path, folder: Path, max_age_days: float) -> tuple[str, list[Finding]]:
    from steadyrank.index import open_index
    from steadyrank.pinned import Statistics

    pinned = Statistics.load(path)
    pinned.check(open_index(folder, id_field=None).schema)
    age = datetime.now(UTC) - datetime.fromisoformat(pinned.created)
    days = age.total_seconds() / 86400
    if days <= max_age_days:
        return pinned.name, []
    return pinned.name, [
        problem(
            "old-statistics",
            f"{path} was pinned {days:.0f} days ago ({pinned.created}), more than "
            f"{max_age_days:g}; pin again with steadyrank pin {folder} --out {path} and compare "
            "before you switch",
        )
    ]
