"""The sample store and the guidance corpus, built once for each worker."""

from __future__ import annotations

from pathlib import Path

import pytest

from steadyrank_builder.building import BuildSettings, build
from steadyrank_builder.formats import ReadOptions
from support_answers import GUIDANCE
from support_store import SAMPLE


@pytest.fixture(scope="session")
def sample_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("answers") / "sample.idx"
    build([SAMPLE / "store"], folder, BuildSettings(reading=ReadOptions(language="en")))
    return folder


@pytest.fixture(scope="session")
def guidance_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not GUIDANCE.is_dir():
        pytest.skip("the guidance corpus is not here")
    folder: Path = tmp_path_factory.mktemp("answers") / "guidance.idx"
    build([GUIDANCE / "sections.jsonl"], folder, BuildSettings())
    return folder
