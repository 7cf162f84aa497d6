"""What every test needs: workers that stay out of each other's way, and one hypothesis profile."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import Phase, settings

import support_sidecars

# Examples are the same on every run, so that a red test is red again; no deadline, since the time
# an example takes depends on what else the machine does. HYPOTHESIS_PROFILE=explore looks at new
# ones, and at more of them, and prints the blob that brings a red one back; ci does not spend
# minutes on making a red one small.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.register_profile("explore", deadline=None, max_examples=400, print_blob=True)
_FINDING = [phase for phase in Phase if phase not in (Phase.shrink, Phase.explain)]
settings.register_profile("ci", settings.get_profile("steady"), phases=_FINDING)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "steady"))

_OWN_TMP = pytest.StashKey[Path]()


def pytest_configure(config: pytest.Config) -> None:
    """A TMPDIR for each worker: Whoosh's RamStorage names its temporary files alike everywhere."""
    folder = Path(tempfile.mkdtemp(prefix="steadyrank-"))
    config.stash[_OWN_TMP] = folder
    os.environ["TMPDIR"] = str(folder)
    tempfile.tempdir = None  # read the variable again
    if sort := os.environ.get(support_sidecars.VARIABLE):
        # Any test with a compiled file of this sort beside every segment it opens. That one is not
        # used is no news then.
        support_sidecars.install(sort, told=False)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Tests that look at files of their own are not run where others are added."""
    if os.environ.get(support_sidecars.VARIABLE):
        for item in items:
            if item.get_closest_marker("own_files"):
                item.add_marker(pytest.mark.skip(reason=f"{support_sidecars.VARIABLE} is set"))


def pytest_unconfigure(config: pytest.Config) -> None:
    """Takes it away again. Workers' folders lie in their controller's."""
    folder = config.stash.get(_OWN_TMP, None)
    if folder is not None:
        os.environ["TMPDIR"] = str(folder.parent)
        tempfile.tempdir = None
        shutil.rmtree(folder, ignore_errors=True)
