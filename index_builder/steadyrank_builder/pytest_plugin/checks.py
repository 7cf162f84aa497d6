"""What one test checks: a case, or a threshold over all that are measured."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from steadyrank.errors import SteadyRankError
from steadyrank_builder.evaluation import read_golden

if TYPE_CHECKING:
    from steadyrank.measure import CaseResult
    from steadyrank_builder.pytest_plugin.asking import Asking

_ASKINGS = pytest.StashKey[dict[tuple[Path, Path], "Asking"]]()
_LONGEST = 60


@dataclass(frozen=True, slots=True)
class Target:
    """A case of a golden file by its number, or (0) a threshold by its name.

    Neither: the file has nothing to judge by, which is a test that fails.
    """

    path: Path
    number: int
    name: str
    line: int | None = None

    def __str__(self) -> str:
        title = " ".join("".join(c if c.isprintable() else " " for c in self.name).split())
        title = title.replace("::", ":")[:_LONGEST]
        if self.number:
            return f"case {self.number}: {title}"
        return f"threshold {title}" if title else "nothing to judge"

    @property
    def where(self) -> str:
        """The file, the line where there is one, and the name."""
        place = self.path.name if self.line is None else f"{self.path.name}:{self.line}"
        return f"{place}: {self}"


def targets_in(path: Path) -> list[Target]:
    """The tests of a golden file: its cases that have a mode, then its thresholds.

    Cases without a mode are no tests: thresholds judge them together. Raises GoldenError,
    MissingExtraError.
    """
    golden = read_golden(path)
    found = [
        Target(path, case.number, case.question, case.line)
        for case in golden.cases
        if case.mode is not None
    ]
    if golden.cases:
        found += [Target(path, 0, name) for name in sorted(golden.thresholds)]
    return found or [Target(path, 0, "")]


def targets(paths: Sequence[Path]) -> list[Target]:
    """The tests of several golden files. Raises pytest.UsageError where there is none."""
    if not paths:
        raise pytest.UsageError(
            "the fixture steadyrank_golden needs questions: set steadyrank_golden = FILE (and "
            "steadyrank_index = DIR) in pytest's settings"
        )
    try:
        return [target for path in paths for target in targets_in(path)]
    except SteadyRankError as error:
        raise pytest.UsageError(str(error)) from error


@dataclass(frozen=True, slots=True)
class GoldenCheck:
    """What the fixture ``steadyrank_golden`` gives: one case or threshold, and its index."""

    target: Target
    asking: Asking

    @property
    def result(self) -> CaseResult | None:
        """The verdict on the case, to look at; None for a threshold."""
        return self.asking.result(self.target.number) if self.target.number else None

    def check(self) -> None:
        """Fails the test that runs, with a report, unless all is as expected."""
        from steadyrank_builder.output import printable
        from steadyrank_builder.pytest_plugin.asking import NoVerdictError

        try:
            report = self._report()
        except NoVerdictError as error:
            report = [f"no verdict: {error}"]
        if report:
            said = "\n".join([self.target.where, *report]).split("\n")
            pytest.fail("\n".join(map(printable, said)), pytrace=False)

    def _report(self) -> list[str]:
        target = self.target
        if target.number:
            result = self.asking.result(target.number)
            return [] if result.passed else [f"    {line}" for line in result.report()]
        if not target.name:
            return ["no verdict: no case has a mode, and no threshold is set"]
        threshold = self.asking.threshold(target.name)
        return [] if threshold.reached else [f"    {threshold}"]


def check_of(config: pytest.Config, target: Target, folder: Path) -> GoldenCheck:
    """The check of a target; the index is opened once for all of a file's."""
    from steadyrank_builder.pytest_plugin.asking import Asking

    known = config.stash.setdefault(_ASKINGS, {})
    key = (target.path, Path(folder))
    if key not in known:
        options = [str(option) for option in config.getini("steadyrank_options")]
        known[key] = Asking(key[1], target.path, options)
        config.add_cleanup(known[key].close)
    return GoldenCheck(target, known[key])


class AfterTheTest:
    """Checks what a test function was given once its body is through."""

    _NAME = "steadyrank-after-the-test"

    @classmethod
    def register(cls, config: pytest.Config) -> None:
        """From now on, once."""
        if not config.pluginmanager.has_plugin(cls._NAME):
            config.pluginmanager.register(cls(), cls._NAME)

    @pytest.hookimpl(wrapper=True)
    def pytest_pyfunc_call(self, pyfuncitem: pytest.Function) -> Generator[None, Any, Any]:
        """The test fails in its call, as by an assertion of its own."""
        outcome = yield
        for value in pyfuncitem.funcargs.values():
            if isinstance(value, GoldenCheck):
                value.check()
        return outcome
