"""The version, the names and the files that go out."""

from __future__ import annotations

import ast
import re
import tomllib
import zipfile
from importlib import import_module
from pathlib import Path

import pytest

import steadyrank
from support_docs import ROOT

CONFIG = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PACKAGES = [ROOT / "plugin" / "steadyrank", ROOT / "index_builder" / "steadyrank_builder"]
SOURCES = sorted(source for package in PACKAGES for source in package.rglob("*.py"))


def name(source: Path) -> str:
    return str(source.relative_to(ROOT))


def test_the_package_says_the_version_of_the_distribution() -> None:
    assert steadyrank.__version__ == CONFIG["project"]["version"]


def test_the_changelog_starts_with_the_current_version() -> None:
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    versions = re.findall(r"^## (\S+)", text, re.M)
    assert versions[0] == CONFIG["project"]["version"]


@pytest.mark.parametrize("source", SOURCES, ids=name)
def test_all_is_sorted_and_names_things_once(source: Path) -> None:
    for node in ast.parse(source.read_text(encoding="utf-8")).body:
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == "__all__" for target in targets):
            names = ast.literal_eval(node.value)  # type: ignore[attr-defined]
            assert names == sorted(set(names), key=kind_then_name)


def kind_then_name(public: str) -> tuple[int, str]:
    """Constants, then classes, then functions, as the linter sorts them."""
    return (0 if public.isupper() else 1 if public[0].isupper() else 2, public)


@pytest.mark.whoosh
def test_every_public_name_of_steadyrank_is_there() -> None:
    assert [public for public in steadyrank.__all__ if not hasattr(steadyrank, public)] == []


def test_the_extras_that_hold_a_whoosh_hold_one_each() -> None:
    extras = CONFIG["project"]["optional-dependencies"]
    for extra in ("whoosh", "whoosh-reloaded", "whoosh3"):
        assert len(extras[extra]) == 1
    rest = [item for extra, items in extras.items() if "whoosh" not in extra for item in items]
    assert [item for item in rest if "whoosh" in item.lower()] == []


def test_console_scripts_lead_to_something_that_can_be_called() -> None:
    for script in CONFIG["project"]["scripts"].values():
        module, _, attribute = script.partition(":")
        assert callable(getattr(import_module(module), attribute))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The names of the files in the wheel."""
    from hatchling.builders.wheel import WheelBuilder

    folder = tmp_path_factory.mktemp("wheel")
    (built,) = WheelBuilder(str(ROOT)).build(directory=str(folder), versions=["standard"])
    with zipfile.ZipFile(built) as archive:
        return archive.namelist()


def test_the_wheel_holds_both_packages_with_all_their_modules_and_type_markers(
    wheel: list[str],
) -> None:
    expected = {
        str(path.relative_to(package.parent))
        for package in PACKAGES
        for path in package.rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert {"steadyrank/py.typed", "steadyrank_builder/py.typed"} <= expected
    assert expected - set(wheel) == set()


def test_the_wheel_holds_no_package_called_plugin_tests_or_tools(wheel: list[str]) -> None:
    tops = {file.split("/")[0] for file in wheel}
    assert tops == {
        "steadyrank",
        "steadyrank_builder",
        f"steadyrank-{steadyrank.__version__}.dist-info",
    }
