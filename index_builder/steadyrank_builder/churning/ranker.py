"""One index, asked under every ordering."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from contextlib import nullcontext
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from steadyrank.collecting.selection import select
from steadyrank.index import stabilize
from steadyrank.measure import Ordering
from steadyrank.order import Policy
from steadyrank.pinned import Statistics, provider
from steadyrank.postings import Identity, IndexView, record_id
from steadyrank.retrieval import parsed
from steadyrank.scoring import Evaluator, Hits, evaluate
from steadyrank_builder.runs.deadline import stock_search

# Documents are numbers of one index. Those to leave out are told by these.
NOTHING: Set[int] = frozenset()

Query = Callable[[Any], Any]  # schema -> query


@dataclass(frozen=True, slots=True)
class Asked:
    """How questions become queries and what the records are called by."""

    policy: Policy
    fields: Mapping[str, float] | None
    syntax: Any
    pinned: Statistics

    def query(self, question: str, schema: Any) -> Any:
        """The query for a question."""
        return parsed(question, schema, self.fields, self.syntax)

    def policy_of(self, ordering: Ordering) -> Policy:
        """The policy under which steadyrank orders as ``ordering`` says."""
        statistics: Any = self.pinned if ordering.statistics == "pinned" else "live"
        return replace(self.policy, gap=ordering.gap, select=ordering.select, statistics=statistics)


class Ranker:
    """Asks the index in one folder. Scores are computed once per question and statistics, and
    every ordering is then the engine's own selection of them. Closed when no longer needed.
    """

    def __init__(self, folder: Path, asked: Asked) -> None:
        from whoosh.index import open_dir

        index = open_dir(str(folder), readonly=True)
        self.asked = asked
        self.steady = stabilize(index, policy=asked.policy)
        self._searcher = self.steady.searcher()
        self._view = IndexView(self._searcher.reader())
        self._stock = index.searcher()
        self._evaluators = {
            "live": self._evaluator("live"),
            "pinned": self._evaluator(asked.pinned),
        }
        self._identity = Identity(self._view, asked.policy)
        self._hits: dict[tuple[str, str], Hits] = {}
        self._question = ""
        self._ids: dict[int, str] = {}

    def close(self) -> None:
        """Closes the files."""
        self._searcher.close()
        self._stock.close()

    def __enter__(self) -> Ranker:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _evaluator(self, statistics: Any) -> Evaluator:
        chosen = provider(statistics, self._view)
        return Evaluator(self._searcher, statistics=chosen, view=self._view)

    def first(
        self, ordering: Ordering, question: str, count: int, leave_out: Set[int] = NOTHING
    ) -> list[str]:
        """The ids of the first ``count`` results that are not to be left out, fewer if there are
        no more. Those left out are ranked like all others, and bands count them.
        """
        docs = self._grown(ordering, question, count, leave_out)
        return [self.id(doc) for doc in docs if doc not in leave_out][:count]

    def order_of(self, ordering: Ordering, question: str, ids: Sequence[str]) -> list[str]:
        """A ranking that is deep enough to have all of the ids that match in it."""
        wanted = set(ids)
        limit = 2 * len(wanted) or 1
        while True:
            docs = self._ranked(ordering, question, limit)
            found = [self.id(doc) for doc in docs]
            if len(docs) < limit or wanted <= set(found):
                return found
            limit *= 4

    def _grown(
        self, ordering: Ordering, question: str, count: int, leave_out: Set[int]
    ) -> list[int]:
        # As Whoosh is asked: for as many as are wanted, and for more where some are left out.
        if ordering.gap and ordering.select == "score" and leave_out:
            count = self._reach(ordering, question, count, leave_out)
            return self._ranked(ordering, question, count)
        limit = count
        while True:
            docs = self._ranked(ordering, question, limit)
            kept = len([doc for doc in docs if doc not in leave_out])
            if kept >= count or len(docs) < limit:
                return docs
            limit *= 2

    def _reach(self, ordering: Ordering, question: str, count: int, leave_out: Set[int]) -> int:
        """How many results by score and id have ``count`` that are not left out among them."""
        plain = replace(ordering, gap=0.0, select="band")
        docs = self._grown(plain, question, count, leave_out)
        kept = 0
        for place, doc in enumerate(docs, start=1):
            kept += doc not in leave_out
            if kept == count:
                return place
        return len(docs)

    def _ranked(self, ordering: Ordering, question: str, limit: int) -> list[int]:
        if ordering.engine == "whoosh":
            query = self.asked.query(question, self._stock.schema)
            with stock_search(question):
                return [hit.docnum for hit in self._stock.search(query, limit=limit)]
        hits = self.hits(question, ordering.statistics)
        policy = self.asked.policy_of(ordering)
        return [entry.doc for entry in select(hits, self._identity, policy, limit).top]

    def hits(self, question: str, statistics: str = "live") -> Hits:
        """All documents that match, with their scores."""
        key = (question, statistics)
        if key not in self._hits:
            if question != self._question:  # one question at a time: hits may be many
                self._hits.clear()
                self._question = question
            query = self.asked.query(question, self._searcher.schema)
            self._hits[key] = evaluate(self._evaluators[statistics], query)
        return self._hits[key]

    def searched(self, ordering: Ordering, question: str, count: int, **request: Any) -> list[str]:
        """The first ``count`` ids of a whole search, asked with other arguments."""
        searcher = self._stock if ordering.engine == "whoosh" else self._searcher
        if ordering.engine != "whoosh":
            searcher.policy = self.asked.policy_of(ordering)
        query = self.asked.query(question, searcher.schema)
        with stock_search(question) if searcher is self._stock else nullcontext():
            results = searcher.search(query, **{"limit": count, **request})
        return [self.id(hit.docnum) for hit in results][:count]

    def id(self, doc: int) -> str:
        """What a document is called by, the same in every index that has it."""
        if doc not in self._ids:
            self._ids[doc] = record_id(self._view, self.asked.policy.id_field, doc)
        return self._ids[doc]
