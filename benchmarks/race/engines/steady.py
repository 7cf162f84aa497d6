"""steadyrank on the index that Whoosh wrote: through Whoosh's own calls, and as arrays."""

from __future__ import annotations

from pathlib import Path

import steadyrank
from race.corpus import Doc
from race.engines.whoosh_stock import Stock, tree


class Host:
    """``searcher.search(query, limit=k)``, unchanged, with the ids read from the hits."""

    name = "steadyrank, host calls"
    ordered = True
    gap = 0.0

    def __init__(self, folder: Path) -> None:
        self.index = steadyrank.open_index(folder / "whoosh", id_field="id", gap=self.gap)
        self.searcher = self.index.searcher()

    @staticmethod
    def build(docs: list[Doc], folder: Path) -> None:
        Stock.build(docs, folder)

    def top(self, words: tuple[str, ...], k: int, operator: str) -> list[str]:
        return [hit["id"] for hit in self.searcher.search(tree(words, operator), limit=k)]

    def close(self) -> None:
        self.searcher.close()


class Array(Host):
    """``steadyrank.search_ids(searcher, words, k)``."""

    name = "steadyrank, array call"

    def top(self, words: tuple[str, ...], k: int, operator: str) -> list[str]:
        ids, _ = steadyrank.search_ids(
            self.searcher, list(words), k, {"title": 1.0, "text": 1.0}, operator=operator
        )
        return list(ids)
