"""The sample store as built, and the same as a plain Whoosh index in a shuffled order."""

from __future__ import annotations

from pathlib import Path

import pytest

from steadyrank_builder.building import BuildSettings, build
from steadyrank_builder.formats import ReadOptions
from support_audit import copied_shuffled
from support_store import SAMPLE


@pytest.fixture(scope="session")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("audit") / "ours.idx"
    build([SAMPLE / "store"], folder, BuildSettings(reading=ReadOptions(language="en")))
    return folder


@pytest.fixture(scope="session")
def plain(ours: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied_shuffled(ours, tmp_path_factory.mktemp("audit") / "plain.idx", seed=5)
