"""What can go wrong while material is found and read, beyond single bad records.

A bad record is never an exception: readers yield it as ``Rejected``. These errors are about
the call itself: a path that is not there, an option that makes no sense, a parser that is not
installed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from steadyrank.errors import SteadyRankError


class MaterialError(SteadyRankError, ValueError):
    """Paths given as material that cannot be read. ``problems`` maps each path to its reason."""

    def __init__(self, problems: Mapping[Path, str]) -> None:
        self.problems = dict(sorted(problems.items()))
        lines = "".join(f"\n  {path}: {reason}" for path, reason in self.problems.items())
        noun = "path" if len(self.problems) == 1 else "paths"
        super().__init__(
            f"cannot read {len(self.problems)} {noun} given as material; nothing was read."
            f"{lines}\nCorrect or leave out these and run again."
        )

    @property
    def paths(self) -> tuple[Path, ...]:
        """The paths that cannot be read, sorted."""
        return tuple(self.problems)


class MaterialSettingsError(SteadyRankError, ValueError):
    """A ``steadyrank.toml`` that cannot be used. ``faults`` has each with file and key."""

    def __init__(self, faults: Sequence[str]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(("the settings beside the material are wrong:", *faults)))


class MissingExtraError(SteadyRankError, ImportError):
    """A library that something needs is not installed. ``package`` is its name for pip."""

    def __init__(self, package: str, *, needed_for: str, extra: str = "build") -> None:
        super().__init__(
            f"{needed_for} needs {package}, which is not installed: "
            f"pip install 'steadyrank[{extra}]'",
            name=package,
        )
        self.package = package


class FormatPluginError(SteadyRankError, TypeError):
    """A format that another distribution adds and that is none. ``entry`` is its entry point."""

    def __init__(self, message: str, *, entry: str) -> None:
        super().__init__(message)
        self.entry = entry


class ReadOptionError(SteadyRankError, ValueError):
    """A reading option that makes no sense: ``option`` names it, ``value`` is what was given."""

    def __init__(self, option: str, value: str, message: str) -> None:
        super().__init__(message)
        self.option = option
        self.value = value


def listed(words: Iterable[str]) -> str:
    """Words as people list them: ``a``, ``a and b``, ``a, b and c``."""
    *rest, last = list(words) or [""]
    return f"{', '.join(rest)} and {last}" if rest else last
