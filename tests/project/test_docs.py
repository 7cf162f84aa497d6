"""What the pages say is run, and what they name is there."""

from __future__ import annotations

import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from support_docs import PAGES, ROOT, blocks, matches, run_page, runs, shell

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
RUNNING = [page for page in PAGES if runs(page)]
KNOWN = {
    "python",
    "sh",
    "sh run",
    "text",
    "text output",
    "text demo",
    "json",
    "yaml",
    "toml",
    "csv",
}


def name(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.mark.whoosh
@pytest.mark.parametrize("page", RUNNING, ids=name)
def test_a_page_runs_from_top_to_bottom(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    run_page(page, tmp_path)


def test_the_readme_and_the_pages_on_order_and_migration_are_among_those_that_run() -> None:
    assert {"README.md", "docs/order.md", "docs/migration/dropin.md"} <= set(map(name, RUNNING))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_every_block_is_of_a_kind_that_is_run_or_known_to_be_only_read(page: Path) -> None:
    assert [str(block) for block in blocks(page) if block.info not in KNOWN] == []
    fences = re.findall(r"^\s*(?:```|~~~).*$", page.read_text(encoding="utf-8"), re.M)
    assert len(fences) == 2 * len(blocks(page)), "a fence without info string, or not closed"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_to_files_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    targets = [target.split("#")[0] for target in re.findall(r"\]\(([^)\s]+)\)", text)]
    files = [target for target in targets if target and "://" not in target]
    assert [target for target in files if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_extras_that_a_page_names_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = {
        extra
        for extras in re.findall(r"(?:steadyrank|'\.|`)\[([a-z0-9, -]+)\]", text)
        for extra in extras.split(",")
    }
    assert named - set(PROJECT["optional-dependencies"]) == set()


def test_extras_that_an_error_names_exist() -> None:
    """Likewise in the sources, where they stand in messages."""
    named = {
        extra
        for package in ("plugin", "index_builder")
        for source in (ROOT / package).rglob("*.py")
        for extras in re.findall(r"steadyrank\[([a-z0-9,-]+)\]", source.read_text("utf-8"))
        for extra in extras.split(",")
    }
    assert {"whoosh", "whoosh-reloaded", "whoosh3"} <= named
    assert named <= set(PROJECT["optional-dependencies"])


@pytest.mark.parametrize(
    ("expected", "printed", "same"),
    [
        ("a\n...\nd", "a\nb\nc\nd\n", True),
        ("a\n...\nd", "a\nd\n", True),
        ("a ... c", "a b c", True),
        ("a\n...", "a\nb\nc", True),
        ("a\n...", "b\nc", False),
        ("a\nb", "a\nb\nc", False),
        ("a (b)", "a (b)", True),
        ("a.b", "axb", False),
    ],
)
def test_dots_stand_for_what_may_differ_and_nothing_else_does(
    expected: str, printed: str, same: bool
) -> None:
    assert matches(expected, printed) is same


README_COMMANDS = [
    "python3 -m venv .venv && .venv/bin/pip install -e '.[whoosh,build]'"
    " && .venv/bin/steadyrank demo",
    "python3 -m venv .venv && .venv/bin/pip install -e '.[whoosh,build,test]' && .venv/bin/pytest",
]


@pytest.mark.parametrize("command", README_COMMANDS)
def test_the_readme_has_its_two_commands_each_once_and_on_a_line_of_its_own(command: str) -> None:
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    assert lines.count(command) == 1


def test_the_readme_has_no_other_line_that_ends_like_its_commands() -> None:
    """The checks find the two commands by their ends."""
    lines = (ROOT / "README.md").read_text(encoding="utf-8").splitlines()
    ends = [line for line in lines if re.search(r"/(pytest|steadyrank demo)$", line)]
    assert ends == README_COMMANDS


def test_the_demo_prints_what_the_readme_shows(tmp_path: Path) -> None:
    shown = [block for block in blocks(ROOT / "README.md") if block.info == "text demo"]
    assert len(shown) == 1
    printed = shell(f"cd '{ROOT}' && steadyrank demo", tmp_path, str(shown[0]))
    assert matches(shown[0].text, printed), f"run python tools/readme_demo.py\n{printed}"


def test_the_checks_run_the_commands_of_the_readme() -> None:
    """``.ci/run`` takes the commands from the README, so the two cannot come apart."""
    done = subprocess.run(
        ["bash", ".ci/run", "--plan"], cwd=ROOT, capture_output=True, encoding="utf-8", timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert set(README_COMMANDS) <= set(done.stdout.splitlines())
    assert {
        "distribution whoosh-reloaded 2.7.5",
        "distribution whoosh3 3.54.0",
    } <= set(done.stdout.splitlines())
