"""Rules that the source keeps, since no test of behaviour on one machine would notice a breach.

Each rule is shown to find what it forbids.
"""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import steadyrank
import steadyrank.order

PACKAGE = Path(steadyrank.__file__).parent
ORDER = Path(steadyrank.order.__file__).parent
SOURCES = {path.relative_to(PACKAGE).as_posix(): path for path in sorted(PACKAGE.rglob("*.py"))}

# Who may call sum(): (file, function), with what is added, which has to be integers. Sums of
# literal ones, lengths and comparisons need no entry.
SUMS_OF_INTEGERS = {
    ("answering/sections.py", "__init__"): "tokens of each section",
    ("collecting/chain.py", "_run"): "hits that each key left out",
    ("measure/evaluation.py", "metrics_of"): "questions of each kind",
    ("order/quota.py", "take"): "pieces of each kind",
    ("postings/index_view.py", "doc_count"): "documents of each segment",
    ("postings/index_view.py", "doc_frequency"): "documents of each segment",
    ("postings/index_view.py", "field_length"): "tokens of each segment",
    ("scoring/hits.py", "_is_dense"): "postings of each part",
}
LOGARITHMS = {
    ("arithmetic.py", "exact_log"): "for its errors and infinities only",
}
_LOGS = {"log", "log1p", "log2", "log10"}

Offence = tuple[str, str, int]  # file, function, line
Rule = Callable[[str, ast.AST], Iterator[Offence]]


def calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """Every call with the name of the innermost function that it is in ("" for the module)."""
    waiting: list[tuple[str, ast.AST]] = [("", tree)]
    while waiting:
        function, node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            function = node.name
        if isinstance(node, ast.Call):
            yield function, node
        waiting += [(function, child) for child in ast.iter_child_nodes(node)]


def is_integer(node: ast.expr) -> bool:
    """Whether the expression is an integer by its look: 1, len(x), a comparison."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, int)
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in ("len", "int")
    return isinstance(node, ast.Compare)


def sums(file: str, tree: ast.AST) -> Iterator[Offence]:
    """sum(), whose result for floats depends on the Python version and on their order."""
    for function, call in calls(tree):
        if not (isinstance(call.func, ast.Name) and call.func.id == "sum"):
            continue
        what = call.args[0] if call.args else None
        if isinstance(what, ast.GeneratorExp | ast.ListComp) and is_integer(what.elt):
            continue
        if (file, function) not in SUMS_OF_INTEGERS:
            yield file, function, call.lineno


def unstable_sorts(file: str, tree: ast.AST) -> Iterator[Offence]:
    """argsort() without kind="stable", and argpartition(): ties in an accidental order."""
    for function, call in calls(tree):
        name = getattr(call.func, "attr", getattr(call.func, "id", ""))
        stable = any(
            keyword.arg == "kind"
            and isinstance(keyword.value, ast.Constant)
            and keyword.value.value == "stable"
            for keyword in call.keywords
        )
        if name == "argpartition" or (name == "argsort" and not stable):
            yield file, function, call.lineno


def logarithms(file: str, tree: ast.AST) -> Iterator[Offence]:
    """Logarithms of the C library or of numpy, whose last bit depends on the machine."""
    for function, call in calls(tree):
        of_module = (
            isinstance(call.func, ast.Attribute)
            and call.func.attr in _LOGS
            and isinstance(call.func.value, ast.Name)
            and call.func.value.id in ("math", "np", "numpy", "cmath")
        )
        if of_module and (file, function) not in LOGARITHMS:
            yield file, function, call.lineno
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in ("math", "numpy", "cmath"):
            names = {alias.name for alias in node.names}
            if names & {*_LOGS, "argsort", "argpartition"}:
                yield file, "", node.lineno


RULES = [sums, unstable_sorts, logarithms]
rules = pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)


def parsed(file: str) -> ast.AST:
    return ast.parse(SOURCES[file].read_text(encoding="utf-8"))


@rules
def test_rule(rule: Rule) -> None:
    """No file of the package breaks the rule."""
    assert [offence for file in SOURCES for offence in rule(file, parsed(file))] == []


@pytest.mark.parametrize(
    ("rule", "source"),
    [
        (sums, "total = sum(scores)"),
        (sums, "def f(): return sum(s.score for s in hits)"),
        (sums, "class C:\n  def f(self): return [sum(x) for x in self.y]"),
        (sums, "def f(): return sum([1.0, 2.0])"),
        (sums, "def f(): return sum(0.5 for _ in x)"),
        (unstable_sorts, "order = np.argsort(scores)"),
        (unstable_sorts, "order = (-scores).argsort()"),
        (unstable_sorts, 'order = np.argsort(scores, kind="quicksort")'),
        (unstable_sorts, 'top = np.argpartition(scores, 4, kind="introselect")'),
        (unstable_sorts, "top = scores.argpartition(4)"),
        (logarithms, "def idf(): return math.log(n)"),
        (logarithms, "x = np.log1p(y)"),
        (logarithms, "from math import log"),
        (logarithms, "def f():\n  from numpy import log2, sqrt"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_rule_finds(rule: Rule, source: str) -> None:
    """Each rule finds what it forbids."""
    assert len(list(rule("scoring/leaf.py", ast.parse(source)))) == 1


@pytest.mark.parametrize(
    ("rule", "source"),
    [
        (sums, "n = sum(1 for _ in x) + sum(len(y) for y in x) + sum([a < b for a, b in x])"),
        (
            unstable_sorts,
            'order = np.argsort(docs, kind="stable"); y = scores.argsort(kind="stable")',
        ),
        (logarithms, "x = exact_log(y); z = logging.log(1, 'text'); record.log('text')"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.__name__,
)
def test_rule_lets_pass(rule: Rule, source: str) -> None:
    """What is harmless is no offence."""
    assert list(rule("scoring/leaf.py", ast.parse(source))) == []


def test_exceptions_are_needed() -> None:
    """Every exception is still made use of, so the lists do not outlive their reasons."""
    used = set()
    for file in SOURCES:
        for function, call in calls(parsed(file)):
            if isinstance(call.func, ast.Name) and call.func.id == "sum":
                used.add((file, function))
            if isinstance(call.func, ast.Attribute) and call.func.attr in _LOGS:
                used.add((file, function))
    assert {*SUMS_OF_INTEGERS, *LOGARITHMS} - used == set()


def foreign_imports(source: str) -> set[str]:
    """Imports other than of the standard library, the errors and the order itself."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("." * node.level + (node.module or ""))
    return {
        name
        for name in found
        if name.split(".")[0] not in sys.stdlib_module_names
        and name not in ("steadyrank.errors", "steadyrank.order")
        and not name.startswith("steadyrank.order.")
    }


def test_order_imports() -> None:
    """The order core needs the standard library only: no engine, no numpy, no models."""
    files = sorted(ORDER.rglob("*.py"))
    assert len(files) > 4
    for path in [*files, PACKAGE / "errors.py"]:
        assert foreign_imports(path.read_text(encoding="utf-8")) == set(), path.name


@pytest.mark.parametrize(
    "source",
    [
        "import numpy as np",
        "from whoosh.query import Term",
        "def f():\n    import pydantic.fields",
        "if TYPE_CHECKING:\n    from click import Context",
        "from steadyrank import arithmetic",
        "from steadyrank.arithmetic import snap",
        "from ..arithmetic import snap",
    ],
)
def test_foreign_imports_are_found(source: str) -> None:
    """An import of anything else is found, inside functions too."""
    assert len(foreign_imports(source)) == 1


ALONE = """
import sys, types
package = types.ModuleType("steadyrank")  # in place of its __init__, which may need numpy
package.__path__ = [{path!r}]
sys.modules["steadyrank"] = package
before = set(sys.modules)
import steadyrank.order
steadyrank.order.rank([steadyrank.order.Candidate("a", 1.0)], 0.5)
foreign = {{name.split(".")[0] for name in set(sys.modules) - before}}
print(*sorted(foreign - sys.stdlib_module_names - {{"steadyrank"}}))
"""


def test_order_alone() -> None:
    """The order core works in a Python that has loaded nothing but the standard library."""
    done = subprocess.run(
        [sys.executable, "-S", "-c", ALONE.format(path=str(PACKAGE))],
        env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert (done.returncode, done.stdout.strip()) == (0, ""), done.stderr
