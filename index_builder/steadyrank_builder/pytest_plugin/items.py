"""A golden file among the files of tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from steadyrank.errors import SteadyRankError
from steadyrank_builder.pytest_plugin import index_of
from steadyrank_builder.pytest_plugin.checks import Target, check_of, targets_in


class GoldenFile(pytest.File):
    """Its cases and thresholds as tests; a broken file is an error with all its faults."""

    def collect(self) -> Iterator[pytest.Item]:
        """One item for each."""
        try:
            found = targets_in(self.path)
        except SteadyRankError as error:
            raise self.CollectError(str(error)) from error
        for target in found:
            yield GoldenItem.from_parent(self, name=str(target), target=target)


class GoldenItem(pytest.Item):
    """One case or threshold."""

    def __init__(self, *, target: Target, **more: Any) -> None:
        super().__init__(**more)
        self.target = target

    def runtest(self) -> None:
        """Asks and judges it."""
        folder = index_of(self.config)
        assert folder is not None  # nothing is collected without one
        check_of(self.config, self.target, folder).check()

    def reportinfo(self) -> tuple[Path, int | None, str]:
        """Where the case stands in the file."""
        line = None if self.target.line is None else self.target.line - 1
        return self.path, line, self.name
