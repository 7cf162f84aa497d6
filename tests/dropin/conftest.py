"""One host index for all tests of the drop-in that only read."""

from __future__ import annotations

from pathlib import Path

import pytest

from support_dropin import Host, make_host


@pytest.fixture(scope="session")
def host(tmp_path_factory: pytest.TempPathFactory) -> Host:
    """Three segments with deletions; nobody writes to it."""
    folder: Path = tmp_path_factory.mktemp("host")
    return make_host(folder)
