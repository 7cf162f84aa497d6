"""Each query class of the installed Whoosh has a meaning, and the page on queries states it."""

from __future__ import annotations

import importlib
import pkgutil
import re
from pathlib import Path

import pytest
from whoosh import query as q

import steadyrank.scoring  # noqa: F401 - registers the rules
from steadyrank.scoring import evaluator, rules

pytestmark = pytest.mark.whoosh

PAGE = Path(__file__).parents[2] / "docs/queries.md"
ROW = re.compile(r"^\| (?P<names>`.+?) \| .+ \| .+ \| (?P<promised>yes|no) \|$", re.MULTILINE)


def classes() -> dict[str, type]:
    """Every Query class that the installed distribution defines, by its name."""
    modules = [
        importlib.import_module(found.name)
        for found in pkgutil.walk_packages(q.__path__, "whoosh.query.")
    ]
    return {
        name: value
        for module in [q, *modules]
        for name, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, q.Query)
    }


def promised() -> dict[str, bool]:
    """What the page says of each class."""
    return {
        name: row["promised"] == "yes"
        for row in ROW.finditer(PAGE.read_text("utf-8"))
        for name in re.findall(r"`(\w+)`", row["names"])
    }


def has_rule(kind: type) -> bool:
    first = next(base for base in kind.__mro__ if base in evaluator._RULES)
    return first is not object


def test_every_class_has_a_line() -> None:
    """No class of the installed Whoosh is missing on the page, and none is there that is not."""
    assert sorted(promised()) == sorted(classes())


def test_the_page_promises_what_the_rules_define() -> None:
    """Promised are exactly the classes with a rule of their own."""
    assert promised() == {name: has_rule(kind) for name, kind in classes().items()}


def test_the_docstring_names_the_classes_of_the_page() -> None:
    """The table beside the code speaks of the same classes as the page."""
    table = rules.__doc__ or ""
    told = set(re.findall(r"\b[A-Z]\w+\b", table))
    missing = {
        name
        for name, kind in promised().items()
        # NullQuery is the one instance of its class; the three kinds of Or are Whoosh's own.
        if kind and name not in told | {"_NullQuery", "DefaultOr", "SplitOr", "PreloadedOr"}
    }
    assert missing <= {"MultiTerm", "PatternQuery", "ExpandingTerm"}
