"""What an import loads, and what is said when no Whoosh is there.

Each test starts a Python of its own: in this one everything is loaded already.
"""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from support_docs import import_path

PARSERS = ["selectolax", "lxml", "markdown_it", "mdit_py_plugins", "yaml"]
HEAVY = ["whoosh", "pydantic", "click", *PARSERS]

# Installed at the front of sys.meta_path, as if the package had never been installed.
BLOCKER = """
import sys
class Absent:
    def find_spec(self, name, path=None, target=None):
        if name in {blocked!r} or name.split(".")[0] in {blocked!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Absent())
"""


def python(code: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": import_path()},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def loaded_by(statement: str) -> set[str]:
    code = f"import sys\n{statement}\nprint(*{{name.split('.')[0] for name in sys.modules}})"
    return set(python(code).split()) & {*HEAVY, "numpy", "steadyrank", "steadyrank_builder"}


def test_importing_steadyrank_loads_nothing_heavier_than_numpy() -> None:
    assert loaded_by("import steadyrank") <= {"steadyrank", "numpy"}


def test_ranking_loads_nothing_more() -> None:
    use = "import steadyrank; steadyrank.rank([steadyrank.Candidate('a', 1.0)], gap=0.5)"
    assert loaded_by(use) <= {"steadyrank", "numpy"}


def test_a_steady_index_loads_whoosh_and_no_parser() -> None:
    assert loaded_by("import steadyrank; steadyrank.stabilize") <= {
        "numpy",
        "steadyrank",
        "whoosh",
    }


def test_loaded_by_sees_what_is_loaded() -> None:
    assert loaded_by("import click, yaml") == {"click", "yaml"}


USES = [
    "steadyrank.open_index('store.idx')",
    "steadyrank.stabilize",
    "steadyrank.install(id_field='id')",
    "steadyrank.SteadyCollector",
    "steadyrank.SteadySearcher",
    "steadyrank.Statistics",
    "steadyrank.KeywordPoints",
    "__import__('steadyrank.analysis')",
    "__import__('steadyrank.schema')",
]


@pytest.mark.parametrize(
    "blocked", [{"whoosh"}, {"whoosh.index"}], ids=["no whoosh", "half a whoosh"]
)
def test_a_missing_whoosh_is_one_sentence_that_names_the_three_extras(blocked: set[str]) -> None:
    # Half a whoosh is what pip leaves when one of two distributions is uninstalled.
    code = f"""{BLOCKER.format(blocked=blocked)}
import steadyrank
for use in {USES!r}:
    try:
        eval(use)
    except ImportError as error:
        print(use, type(error).__name__, error, sep="|")
"""
    said = [line.split("|") for line in python(code).splitlines()]
    assert [(use, kind) for use, kind, _ in said] == [(use, "WhooshMissingError") for use in USES]
    for _, _, message in said:
        for extra in ("steadyrank[whoosh]", "steadyrank[whoosh-reloaded]", "steadyrank[whoosh3]"):
            assert extra in message


def test_ranking_works_without_whoosh() -> None:
    code = BLOCKER.format(blocked={"whoosh"}) + (
        "from steadyrank import Candidate, rank\n"
        "print([c.id for c in rank([Candidate('b', 1.0), Candidate('a', 1.0)])])"
    )
    assert python(code) == "['a', 'b']\n"
