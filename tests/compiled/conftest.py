"""Indexes to compile. These tests decide themselves which compiled files there are."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

import support_sidecars
from support_layouts import Layout, corpus, write


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """They are not run where every segment gets a compiled file anyway."""
    if os.environ.get(support_sidecars.VARIABLE):
        for item in items:
            if Path(__file__).parent in item.path.parents:
                item.add_marker(pytest.mark.skip(reason=f"{support_sidecars.VARIABLE} is set"))


@pytest.fixture
def grown(tmp_path: Path) -> Path:
    """Three segments with deletions."""
    folder = tmp_path / "grown"
    folder.mkdir()
    write(folder, corpus(3, 60), Layout(seed=4, segments=2, leftovers=7, resaved=5)).close()
    return folder
