"""The ways to a new generation: everything read, or what changed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from steadyrank_builder.building.report import BuildReport
from steadyrank_builder.building.run import Job, run
from steadyrank_builder.building.settings import BuildSettings


def build(
    material: Sequence[Path], out: Path, settings: BuildSettings | None = None
) -> BuildReport:
    """Build the index of ``material`` and make it live in the folder ``out``.

    Where the live generation has the same logical content, and its files are whole, nothing is
    written. A crash at any point leaves the old or the new generation live.

    Raises TargetError, MaterialError and other SteadyRankErrors for bad input before anything
    changed; NothingToBuildError for material without a document; GuardError for a limit that
    was exceeded; LockedError; StaleGenerationError where others wrote what would be replaced;
    OSError from the disk.
    """
    return run(Job("build", tuple(material), out, settings or BuildSettings()))


def update(
    material: Sequence[Path],
    out: Path,
    settings: BuildSettings | None = None,
    *,
    forget: Sequence[str] = (),
) -> BuildReport:
    """As ``build``, and reads only those of the sources that changed since the live generation.

    Sources that ``material`` does not speak of stay as they were, unless ``forget`` names them.
    A source of which nothing can be used now stays as it was too. What comes out is what a
    build of all the material would give. Raises as ``build``, and UpdateError where what is
    to be kept is damaged, ForgetError for a source that is none.
    """
    return run(Job("update", tuple(material), out, settings or BuildSettings(), tuple(forget)))


def check(
    material: Sequence[Path],
    out: Path,
    settings: BuildSettings | None = None,
    *,
    as_update: bool = False,
    forget: Sequence[str] = (),
) -> BuildReport:
    """What ``build`` or ``update`` would do, without doing it: ``published`` is False.

    Needs no right to write, and no lock. Limits that would be exceeded are in the report.
    """
    command = "update" if as_update else "build"
    job = Job(command, tuple(material), out, settings or BuildSettings(), tuple(forget), dry=True)
    return run(job)
