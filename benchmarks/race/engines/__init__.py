"""One file per engine. Each builds its index once and then gives ids for words."""

from __future__ import annotations

from importlib import import_module
from typing import Any, Protocol


class Engine(Protocol):
    """An engine with an open index. ``name`` is how tables call it."""

    name: str
    #: Whether equal scores come in order of ids.
    ordered: bool

    def top(self, words: tuple[str, ...], k: int, operator: str) -> list[str]:
        """The ids of the best ``k``, best first, in the caller's hand; operator "or" or "and"."""
        ...

    def close(self) -> None: ...


# Name -> module, class. A missing library leaves its engine out, and the report says so.
ENGINES = {
    "whoosh": ("whoosh_stock", "Stock"),
    "whoosh-sortedby": ("whoosh_stock", "SortedBy"),
    "sqlite-fts5": ("sqlite_fts5", "Fts5"),
    "tantivy": ("tantivy_py", "Default"),
    "tantivy-id-order": ("tantivy_py", "InIdOrder"),
    "bm25s": ("bm25s_numpy", "Bm25s"),
    "steadyrank-host": ("steady", "Host"),
    "steadyrank-array": ("steady", "Array"),
}


def engine_class(name: str) -> Any:
    """The class of an engine; ImportError where its library is not installed."""
    module, attribute = ENGINES[name]
    return getattr(import_module(f"race.engines.{module}"), attribute)
