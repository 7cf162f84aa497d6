"""What can go wrong between the material and the published index.

Each error also is a fitting builtin, keeps the offender as an attribute, and says in its
message what is wrong, where, and what to do next.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from steadyrank.errors import SteadyRankError


class LockedError(SteadyRankError, TimeoutError):
    """Another process is building or writing. ``path`` is the lock, ``holder`` who has it."""

    def __init__(self, message: str, *, path: Path, holder: str) -> None:
        super().__init__(message)
        self.path = path
        self.holder = holder


class StaleGenerationError(SteadyRankError, RuntimeError):
    """The live generation is not the one this build may replace.

    ``expected`` and ``found`` are generation numbers, None where there is no index.
    """

    def __init__(self, message: str, *, expected: int | None, found: int | None) -> None:
        super().__init__(message)
        self.expected = expected
        self.found = found


class TargetError(SteadyRankError, ValueError):
    """The folder given for the index cannot hold one. ``path`` is that folder."""

    def __init__(self, message: str, *, path: Path) -> None:
        super().__init__(message)
        self.path = path


class NoIndexError(SteadyRankError, FileNotFoundError):
    """There is no index where one was to be read. ``path`` is the folder."""

    def __init__(self, message: str, *, path: Path) -> None:
        super().__init__(message)
        self.path = path


class ManifestError(SteadyRankError, ValueError):
    """A manifest that is damaged or of a version this release cannot read."""

    def __init__(self, message: str, *, path: Path) -> None:
        super().__init__(message)
        self.path = path


class NothingToBuildError(SteadyRankError, ValueError):
    """The material has no document to index, so nothing was published."""


class PreferenceError(SteadyRankError, ValueError):
    """The preferred source is none of the sources. ``prefer`` is what was asked for."""

    def __init__(self, message: str, *, prefer: str, sources: Iterable[str]) -> None:
        super().__init__(message)
        self.prefer = prefer
        self.sources = tuple(sources)


class GuardError(SteadyRankError, RuntimeError):
    """A limit was exceeded, so nothing was published. ``report`` says what would have been."""

    def __init__(self, message: str, *, report: Any) -> None:
        super().__init__(message)
        self.report = report


class LimitError(SteadyRankError, ValueError):
    """A limit that is none. ``value`` is what was given."""

    def __init__(self, message: str, *, value: str) -> None:
        super().__init__(message)
        self.value = value


class ForgetError(SteadyRankError, ValueError):
    """A source to forget that is none of the index's. ``name`` is what was asked for."""

    def __init__(self, message: str, *, name: str) -> None:
        super().__init__(message)
        self.name = name


class UpdateError(SteadyRankError, ValueError):
    """An update that cannot keep what it was not told of. ``path`` is the index's folder."""

    def __init__(self, message: str, *, path: Path) -> None:
        super().__init__(message)
        self.path = path


class RollbackError(SteadyRankError, RuntimeError):
    """There is no sound generation to roll back to. ``path`` is the index's folder."""

    def __init__(self, message: str, *, path: Path) -> None:
        super().__init__(message)
        self.path = path


class WrittenIndexError(SteadyRankError, RuntimeError):
    """The index read back differs from what was written: a fault of ours or of the disk."""


class AccountingError(SteadyRankError, RuntimeError):
    """The records read do not add up. ``source`` is the one whose sum is broken."""

    def __init__(self, message: str, *, source: str) -> None:
        super().__init__(message)
        self.source = source


class CanonicalError(SteadyRankError, ValueError):
    """An index that has no canonical layout, as its documents have no ids that settle one."""
