"""One question asked of one layout, by stock Whoosh and under steadyrank's order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from whoosh.searching import Searcher

from steadyrank.index import stabilize
from steadyrank.order import Policy
from steadyrank.searcher import SteadySearcher
from steadyrank_builder.auditing.layouts import Written
from steadyrank_builder.auditing.source import Source
from steadyrank_builder.runs.deadline import deadline

# (score, place in the source), best first.
Found = list[tuple[float, int]]
Engine = Literal["stock", "steady"]


class Asker:
    """Asks one reader through both engines."""

    def __init__(
        self, reader: Any, index: Any, policy: Policy, places: Sequence[int], timeout: float
    ) -> None:
        """``places`` has the place in the source of each document number."""
        self._searchers = {
            # As ``index.searcher()`` of the index that Whoosh opens makes it.
            "stock": Searcher(reader, fromindex=index),
            "steady": SteadySearcher(reader, fromindex=index, policy=policy),
        }
        self._places = places
        self._reader = reader
        self._timeout = timeout

    def top(self, engine: Engine, query: Any, limit: int | None) -> Found:
        """What ``searcher.search(query, limit=limit)`` gives.

        Raises DeadlineError when it takes too long, and whatever the engine raises.
        """
        name = "stock Whoosh" if engine == "stock" else "steadyrank"
        what = f"{name} gave no answer with limit={limit} in {self._timeout:g} seconds"
        with deadline(self._timeout, what):
            results = self._searchers[engine].search(query, limit=limit)
            return [(score, self._places[doc]) for score, doc in results.top_n]

    def close(self) -> None:
        self._reader.close()


def of_source(source: Source, timeout: float) -> Asker:
    """An asker of the index as it is; closing it closes the source."""
    index = source.index
    return Asker(source.reader, index, index.policy, source.places.tolist(), timeout)


def of_written(written: Written, policy: Policy, timeout: float) -> Asker:
    """An asker of another layout."""
    index = stabilize(written.index, policy=policy)
    return Asker(index.reader(), index, index.policy, written.order, timeout)
