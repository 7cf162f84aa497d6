"""One file per engine. Each builds its index once and then gives ids for questions."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol

from race.question import Question


class Engine(Protocol):
    """An engine with an open index. ``name`` is how tables call it, ``index`` what it reads."""

    name: str
    index: str

    def top(self, question: Question) -> list[str]:
        """The ids of the best, in the caller's hand; NotImplementedError: it cannot say this."""
        ...

    def close(self) -> None: ...


# Name -> module, class. A missing library leaves its engine out, and the report says so.
ENGINES = {
    "whoosh": ("whoosh_stock", "Stock"),
    "whoosh-reloaded": ("whoosh_stock", "Stock"),
    "whoosh3": ("whoosh_stock", "Stock"),
    "whoosh-sortedby": ("whoosh_stock", "SortedBy"),
    "sqlite-fts5": ("sqlite_fts5", "Fts5"),
    "bm25s": ("bm25s_numpy", "Bm25s"),
    "tantivy": ("tantivy_py", "Default"),
    "tantivy-id-order": ("tantivy_py", "InIdOrder"),
    "steadyrank-host": ("steady", "Host"),
    "steadyrank-array": ("steady", "Array"),
    "steadyrank-host-compiled": ("steady", "HostCompiled"),
    "steadyrank-array-compiled": ("steady", "ArrayCompiled"),
    "steadyrank-host-gap": ("steady", "HostGap"),
    "steadyrank-array-gap": ("steady", "ArrayGap"),
}

# Distributions that cannot be installed beside the Whoosh of this Python: each has its own.
ELSEWHERE = ("whoosh-reloaded", "whoosh3")


def engine_class(name: str) -> Any:
    """The class of an engine; ImportError where its library is not installed."""
    module, attribute = ENGINES[name]
    return getattr(import_module(f"race.engines.{module}"), attribute)
