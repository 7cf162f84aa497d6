"""Golden questions as tests of pytest, run as a team would run them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest
from whoosh import fields
from whoosh.index import create_in

from support_answers import piece, write

pytestmark = pytest.mark.whoosh


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    documents = [piece("a", "tent", title="tent"), piece("b", "tent"), piece("c", "lamp")]
    return write(tmp_path_factory.mktemp("plugin") / "i", documents)


def project(folder: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return folder


def pytest_in(folder: Path, *options: str) -> tuple[int, str]:
    """Exit code and output of a pytest that has our plugin, as installed, and no other."""
    command = [sys.executable, "-m", "pytest", "-p", "steadyrank_builder.pytest_plugin", *options]
    paths = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(str(Path(path).resolve()) for path in paths),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "PYTEST_ADDOPTS": "",
    }
    done = subprocess.run(
        [*command, "-p", "no:cacheprovider"],
        cwd=folder,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        timeout=120,
    )
    return done.returncode, done.stdout + done.stderr


GOLDEN = """\
thresholds: {success: 1.0, success_at_1: 0.9}
cases:
  - question: tent
    mode: exact
    expected: [a, b]
  - question: "tent :: again"
    mode: exact
    expected: [b, a]
  - question: lamp
    right: [c]
  - question: lamp tent
    right: [b]
"""


def test_golden_files_and_functions_become_tests(tmp_path: Path, folder: Path) -> None:
    """One for each case with a mode and each threshold; warnings may be errors there."""
    project(
        tmp_path,
        {
            "pytest.ini": f"[pytest]\nsteadyrank_index = {folder}\nsteadyrank_golden =\n"
            "    questions.yaml\nfilterwarnings = error\n",
            "questions.yaml": GOLDEN,
            "more/shop.golden.json": '[{"question": "lamp", "mode": "rank-one", "expected": '
            '["c"]}, {"question": "lamp", "mode": "contains", "expected": ["gone"]}]',
            "other.yaml": "no: cases\n",
            "test_ranking.py": "def test_ranking(steadyrank_golden): ...\n",
        },
    )
    code, said = pytest_in(tmp_path, "-v")
    assert code == 1, said
    outcomes = dict(re.findall(r"^(\S.*::.*?) (PASSED|FAILED)", said, re.M))
    names = {
        "case 1: tent": "PASSED",
        "case 2: tent : again": "FAILED",
        "threshold success": "PASSED",
        "threshold success_at_1": "FAILED",
    }
    assert outcomes == {
        **{f"questions.yaml::{name}": outcome for name, outcome in names.items()},
        **{f"test_ranking.py::test_ranking[{name}]": got for name, got in names.items()},
        "more/shop.golden.json::case 1: lamp": "PASSED",
        "more/shop.golden.json::case 2: lamp": "FAILED",
    }
    for line in (
        "questions.yaml:6: case 2: tent : again",
        "    at rank 1 stands a, not b",
        "    moved     b 1 -> 2",
        "    success_at_1 is 50.0%, and at least 90.0% is wanted",
        "no verdict: the index does not have gone",
    ):
        assert f"\n{line}\n" in said
    assert "Traceback" not in said


def test_one_case_can_be_chosen_and_is_all_that_is_asked(tmp_path: Path, folder: Path) -> None:
    """By its node id; what other cases name does not matter to it."""
    golden = GOLDEN.replace("right: [c]", "right: [gone]")
    project(tmp_path, {"pytest.ini": "[pytest]\n", "g.golden.yaml": golden})
    option = ("--steadyrank-index", str(folder))
    code, said = pytest_in(tmp_path, *option, "g.golden.yaml::case 1: tent")
    assert (code, "1 passed" in said) == (0, True), said
    code, said = pytest_in(tmp_path, *option, "g.golden.yaml::threshold success")
    assert (code, "the index does not have gone" in said) == (1, True), said


INERT = """\
import sys

def test_nothing_was_loaded():
    heavy = {"yaml", "whoosh", "numpy", "steadyrank", "steadyrank_builder.evaluation"}
    assert heavy & set(sys.modules) == set()
"""


def test_warnings_of_whooshs_sources_are_not_the_suites(recwarn: pytest.WarningsRecorder) -> None:
    """While a question is asked; afterwards a warning is what it was."""
    from steadyrank_builder.pytest_plugin import asking

    for kind in (DeprecationWarning, SyntaxWarning):
        with asking._told():
            warnings.warn("old", kind, stacklevel=1)
    assert [str(one.message) for one in recwarn] == []
    with asking._told():
        warnings.warn("mine", UserWarning, stacklevel=1)
    assert [str(one.message) for one in recwarn] == ["mine"]


def test_not_configured_it_does_nothing(tmp_path: Path) -> None:
    """Files with such names may be anybody's; nothing heavy is imported."""
    project(
        tmp_path,
        {
            "pytest.ini": "[pytest]\naddopts = --strict-config --strict-markers\n",
            "shop.golden.yaml": "not: [ours\n",
            "test_inert.py": INERT,
        },
    )
    code, said = pytest_in(tmp_path)
    assert (code, "1 passed" in said) == (0, True), said


BODIES = """\
import pytest

@pytest.fixture(scope="session")
def steadyrank_index(tmp_path_factory):
    from pathlib import Path
    return Path({folder!r})

def test_body(steadyrank_golden):
    if steadyrank_golden.target.number == 1:
        assert steadyrank_golden.result.got == ("a", "b")
    if steadyrank_golden.target.number == 2:
        pytest.skip("known")
    if steadyrank_golden.target.name == "success":
        assert steadyrank_golden.result is None
        raise KeyError("the body's own")
"""


def test_a_function_has_a_body_and_a_project_an_index_of_its_own(
    tmp_path: Path, folder: Path
) -> None:
    """A skip skips, an error of the body's is its own, and then the case is checked."""
    project(
        tmp_path,
        {
            "pytest.ini": "[pytest]\nsteadyrank_golden = g.yaml\n",
            "g.yaml": GOLDEN,
            "test_own.py": BODIES.format(folder=str(folder)),
        },
    )
    code, said = pytest_in(tmp_path)
    assert code == 1
    assert "2 failed, 1 passed, 1 skipped" in said, said
    assert 'KeyError: "the body\'s own"' in said
    assert "success_at_1 is 50.0%" in said


def test_what_is_broken_is_no_pass(tmp_path: Path, folder: Path) -> None:
    """A broken file is an error with all its faults, an empty one fails, and so does no index."""
    project(
        tmp_path,
        {
            "pytest.ini": f"[pytest]\nsteadyrank_index = {tmp_path / 'nowhere'}\n",
            "broken.golden.yaml": "kk: 1\ncases:\n- question: q\n  mode: exat\n  expected: [a]\n",
            "empty.golden.yaml": "cases: []\n",
            "fine.golden.yaml": GOLDEN,
        },
    )
    code, said = pytest_in(tmp_path, "--continue-on-collection-errors")
    assert code == 1
    assert "line 1: unknown key 'kk'; did you mean 'k'?" in said
    assert "line 4: case 1: mode 'exat' is not known" in said
    assert "no verdict: no case has a mode, and no threshold is set" in said
    assert "no Whoosh index here" in said
    assert "5 failed, 1 error" in said, said


def test_a_foreign_index_is_asked_by_options(tmp_path: Path) -> None:
    """Those of the command; wrong ones are told."""
    index = tmp_path / "i"
    index.mkdir()
    schema = fields.Schema(sku=fields.ID(stored=True, unique=True), body=fields.TEXT)
    writer = create_in(str(index), schema).writer()
    for sku in ("z", "y"):
        writer.add_document(sku=sku, body="tent")
    writer.commit()
    golden = "- {question: tent, mode: exact, expected: [y, z]}\n"
    ini = "[pytest]\nsteadyrank_index = i\nsteadyrank_options = --id-field sku --fields body\n"
    project(tmp_path, {"pytest.ini": ini, "g.golden.yaml": golden})
    code, said = pytest_in(tmp_path)
    assert (code, "1 passed" in said) == (0, True), said
    project(tmp_path, {"pytest.ini": ini.replace("--id-field", "--id-feild")})
    code, said = pytest_in(tmp_path)
    assert (code, "No such option" in said) == (1, True), said


def test_a_report_moves_no_cursor(tmp_path: Path, folder: Path) -> None:
    cases = r"""cases: [{question: "tent\e[2J", mode: rank-one, expected: ["zz\e[2J\u202e"]}]"""
    files = {
        "pytest.ini": f"[pytest]\nsteadyrank_index = {folder}\nsteadyrank_golden = g.yaml\n",
        "g.yaml": cases,
    }
    code, output = pytest_in(project(tmp_path, files), "--color=no")
    assert code == 1
    assert "no verdict: the index does not have zz" in output
    assert "\x1b" not in output and "\u202e" not in output


def test_a_golden_file_that_is_not_there_is_an_error(tmp_path: Path, folder: Path) -> None:
    """A misspelt name would otherwise be tests that nobody misses."""
    settings = f"[pytest]\nsteadyrank_index = {folder}\nsteadyrank_golden = gone.golden.yaml\n"
    files = {"pytest.ini": settings, "test_own.py": "def test_own():\n    pass\n"}
    code, output = pytest_in(project(tmp_path, files))
    assert code == pytest.ExitCode.USAGE_ERROR
    assert "gone.golden.yaml is no file" in output
