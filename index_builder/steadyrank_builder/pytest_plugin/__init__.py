"""Golden questions as tests of pytest.

Configured by ``steadyrank_index`` (the folder of an index) and ``steadyrank_golden`` (golden
files), a golden file is collected as tests, one for each case and threshold, and so is a test
function that takes ``steadyrank_golden``. Not configured, this module does nothing: all that
reads or asks is imported when there is something to read and ask.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

    from steadyrank_builder.pytest_plugin.checks import GoldenCheck

_SUFFIXES = (".yaml", ".yml", ".json", ".jsonl")
_FIXTURE = "steadyrank_golden"


def pytest_addoption(parser: pytest.Parser) -> None:
    """The settings and the option."""
    parser.addini("steadyrank_index", "folder of the index that golden questions are asked of")
    parser.addini(
        "steadyrank_golden",
        "golden files: collected as tests, and what the fixture steadyrank_golden goes through",
        type="linelist",
        default=[],
    )
    parser.addini(
        "steadyrank_options",
        "options of 'steadyrank evaluate' on settings and order (--id-field sku --gap 0.5)",
        type="args",
        default=[],
    )
    parser.getgroup("steadyrank").addoption(
        "--steadyrank-index",
        metavar="DIR",
        help="the index that golden questions are asked of (in place of steadyrank_index)",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Golden files that are not there would be tests that nobody misses: an error."""
    missing = [str(path) for path in golden_files(config) if not path.is_file()]
    if missing:
        raise pytest.UsageError(
            f"steadyrank_golden: {', '.join(missing)} is no file; name golden files relative to "
            "the file that has this setting"
        )


def pytest_collect_file(file_path: Path, parent: pytest.Collector) -> pytest.Collector | None:
    """Golden files: those that the settings name, and any ``*.golden.yaml``, .json or .jsonl."""
    if file_path.suffix not in _SUFFIXES or index_of(parent.config) is None:
        return None
    named = file_path.resolve() in golden_files(parent.config)
    if not named and not file_path.stem.endswith(".golden"):
        return None
    from steadyrank_builder.pytest_plugin.items import GoldenFile

    collector: pytest.Collector = GoldenFile.from_parent(parent, path=file_path)
    return collector


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that takes ``steadyrank_golden`` runs once for each case and threshold."""
    if _FIXTURE not in metafunc.fixturenames:
        return
    from steadyrank_builder.pytest_plugin.checks import AfterTheTest, targets

    AfterTheTest.register(metafunc.config)
    found = targets(golden_files(metafunc.config))
    metafunc.parametrize(_FIXTURE, found, ids=[str(one) for one in found], indirect=True)


@pytest.fixture(scope="session")
def steadyrank_index(request: pytest.FixtureRequest) -> Path:
    """The folder of the index; a project that builds its own for its tests overrides this."""
    folder = index_of(request.config)
    if folder is None:
        pytest.fail(
            "which index? Set steadyrank_index = DIR beside steadyrank_golden, give "
            "--steadyrank-index DIR, or write a fixture steadyrank_index that returns a folder",
            pytrace=False,
        )
    return folder


@pytest.fixture
def steadyrank_golden(
    request: pytest.FixtureRequest, steadyrank_index: Path
) -> Iterator[GoldenCheck]:
    """One case or threshold; it is checked after the test's own body, which may be empty."""
    from steadyrank_builder.pytest_plugin.checks import check_of

    yield check_of(request.config, request.param, steadyrank_index)


def index_of(config: pytest.Config) -> Path | None:
    """The configured index, None without one."""
    given = config.getoption("--steadyrank-index")
    if given:
        return Path(config.invocation_params.dir, given)
    folder = str(config.getini("steadyrank_index") or "")
    return _beside_settings(config, folder) if folder else None


def golden_files(config: pytest.Config) -> list[Path]:
    """The golden files that the settings name."""
    names = [str(name) for name in config.getini("steadyrank_golden")]
    return [_beside_settings(config, name).resolve() for name in names]


def _beside_settings(config: pytest.Config, name: str) -> Path:
    base = config.rootpath if config.inipath is None else config.inipath.parent
    return base / name
