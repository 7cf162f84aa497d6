"""Nothing in the repository knows the machine it was written on."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from support_docs import ROOT

# Folders of one machine: a home, a workplace, an environment under the temporary folder. Not
# preceded by a word or a dot, so that URLs and relative paths are not meant.
MACHINE = re.compile(r"(?<![\w.~}-])/(?:root|home/\w+|Users/\w+|work|workspace|mnt|tmp/envs)/[\w.]")
# Hosts and settings that say where packages come from are the installer's own business.
REGISTRY = re.compile(
    r"(?:--(?:extra-)?index-url|PIP_(?:EXTRA_)?INDEX_URL|--trusted-host|/simple/|"
    r"artifactory|devpi|nexus)",
    re.I,
)
# A line that has to name one of these says so.
ALLOWED = "hygiene: allowed"


def tracked() -> list[Path]:
    """What is in the repository; without git, as in an unpacked archive, what lies here."""
    done = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, encoding="utf-8"
    )
    if done.returncode == 0 and done.stdout:
        files = [ROOT / name for name in done.stdout.split("\0") if name]
        return [file for file in files if file.is_file()]
    folders = ["plugin", "index_builder", "tests", "tools", "docs", "sample_corpus"]
    found = [file for folder in folders for file in (ROOT / folder).rglob("*") if file.is_file()]
    return [*found, *ROOT.glob("*.md"), ROOT / "pyproject.toml"]


def offending(pattern: re.Pattern[str]) -> list[str]:
    found = []
    for file in tracked():
        if file == Path(__file__).resolve():
            continue
        text = file.read_bytes().decode("utf-8", errors="replace")
        found += [
            f"{file.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
            for number, line in enumerate(text.splitlines(), start=1)
            if pattern.search(line) and ALLOWED not in line
        ]
    return found


def test_no_tracked_file_names_a_folder_of_one_machine() -> None:
    assert offending(MACHINE) == []


def test_no_tracked_file_says_where_packages_are_to_come_from() -> None:
    assert offending(REGISTRY) == []


# Put together here, so that this file names none either.
@pytest.mark.parametrize("folder", ["root", "home/ann", "work", "mnt", "tmp/envs"])
@pytest.mark.parametrize("line", ["cd {}", "'{}'", "{}", "x={}"])
def test_such_folders_are_noticed(folder: str, line: str) -> None:
    assert MACHINE.search(line.format(f"/{folder}/x"))


@pytest.mark.parametrize("before", ["https://example.org", "..", "a"])
def test_other_paths_are_not(before: str) -> None:
    assert not MACHINE.search(f"{before}/work/x")
