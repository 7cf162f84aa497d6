"""steadyrank on the index that Whoosh wrote: through Whoosh's own calls, and as arrays."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from race.corpus import Doc
from race.engines.whoosh_stock import Stock
from race.question import Question
from steadyrank import open_index, search_ids  # loads what they need: opening is timed later

FIELDS = {"title": 1.0, "text": 1.0}


class Host(Stock):
    """``searcher.search(query, limit=k)``, unchanged, with the ids read from the hits."""

    name = "steadyrank, host calls"
    gap = 0.0

    def opened(self, folder: Path) -> Any:
        return open_index(folder, id_field="id", gap=self.gap)

    def scored(self, question: Question) -> tuple[list[str], list[float]]:
        """The ids and their scores."""
        hits = self.searched(question)
        return [hit["id"] for hit in hits], [hit.score for hit in hits]


class Array(Host):
    """``steadyrank.search_ids(searcher, words, k)``."""

    name = "steadyrank, array call"

    def top(self, question: Question) -> list[str]:
        return self.scored(question)[0]

    def scored(self, question: Question) -> tuple[list[str], list[float]]:
        flat = question.flat()
        if flat is None or question.kind is not None or question.per_kind is not None:
            raise NotImplementedError("search_ids takes words and one operator")
        words, operator = flat
        ids, scores = search_ids(self.searcher, words, question.k, FIELDS, operator=operator)
        return ids, scores.tolist()


class _Compiled:
    # A copy of Whoosh's index with compiled files; what is measured is compiling it.
    index = "compiled"

    @staticmethod
    def build(_docs: list[Doc], folder: Path) -> None:
        raise NotImplementedError("race.compiling does it, in a process that holds no documents")


class HostCompiled(_Compiled, Host):
    name = "steadyrank, host calls, compiled"


class ArrayCompiled(_Compiled, Array):
    name = "steadyrank, array call, compiled"


class HostGap(Host):
    name = "steadyrank, host calls, gap 0.5"
    gap = 0.5


class ArrayGap(Array):
    name = "steadyrank, array call, gap 0.5"
    gap = 0.5
