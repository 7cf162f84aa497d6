"""One index that lives: written, merged, refreshed and searched in any order of steps."""

from __future__ import annotations

import random
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import steadyrank
from support_layouts import WORDS, Layout, Record, corpus, write
from support_oracle import Oracle, bands
from support_queries import trees

pytestmark = pytest.mark.whoosh

IDS = [f"r{number:04}" for number in range(12)] + ["new-a", "new-b", "new-c"]
GAP = 0.5


def texts(seed: int) -> tuple[str, str]:
    rng = random.Random(seed)
    return " ".join(rng.choices(WORDS[:8], k=2)), " ".join(rng.choices(WORDS[:8], k=6))


class LivingIndex(RuleBasedStateMachine):
    """``model`` is what a reader of the last commit must see, ``pending`` what the open writer
    will make of it."""

    @initialize(seed=st.integers(0, 50))
    def create(self, seed: int) -> None:
        self.folder = TemporaryDirectory()
        records = corpus(seed, 12)
        self.index = write(Path(self.folder.name), records, Layout(seed=seed, segments=2))
        self.model = {record.id: record for record in records}
        self.writer: Any = None
        self.pending: dict[str, Record | None] = {}
        self.plain = steadyrank.stabilize(self.index, id_field="id")
        self.banded = steadyrank.stabilize(self.index, id_field="id", gap=GAP)
        self.searcher = self.plain.searcher()
        self.in_bands = self.banded.searcher()
        self.seen = dict(self.model)

    def _writer(self) -> Any:
        if self.writer is None:
            self.writer = self.index.writer()
        return self.writer

    @rule(id=st.sampled_from(IDS), seed=st.integers(0, 30))
    def save(self, id: str, seed: int) -> None:
        """Adds a record, or replaces it; each once a writer, since Whoosh keeps both of two."""
        if id in self.pending:
            return
        record = Record(id, *texts(seed), "sale", 1 + seed)
        if id in self.model:
            self._writer().update_document(**record.stored())
        else:
            self._writer().add_document(**record.stored())
        self.pending[id] = record

    @rule(id=st.sampled_from(IDS))
    def resave(self, id: str) -> None:
        """Updates a record with what it is already."""
        if id in self.model and id not in self.pending:
            self._writer().update_document(**self.model[id].stored())
            self.pending[id] = self.model[id]

    @rule(id=st.sampled_from(IDS))
    def delete(self, id: str) -> None:
        if id in self.model and id not in self.pending:
            self._writer().delete_by_term("id", id)
            self.pending[id] = None

    @precondition(lambda self: self.writer is not None)
    @rule(how=st.sampled_from([{"merge": False}, {"merge": True}, {"optimize": True}]))
    def commit(self, how: dict[str, bool]) -> None:
        self.writer.commit(**how)
        self.writer = None
        for id, record in self.pending.items():
            if record is None:
                del self.model[id]
            else:
                self.model[id] = record
        self.pending = {}
        assert not self.searcher.up_to_date()
        # The open searcher goes on seeing what it saw.
        assert self._found(self.searcher) == sorted(self.seen)
        self.refresh()

    @precondition(lambda self: self.writer is not None)
    @rule()
    def cancel(self) -> None:
        self.writer.cancel()
        self.writer, self.pending = None, {}

    @rule()
    def refresh(self) -> None:
        before = self.searcher
        moved = not self.searcher.up_to_date()
        self.searcher = self.searcher.refresh()
        self.in_bands = self.in_bands.refresh()
        self.seen = dict(self.model)
        assert self.searcher.up_to_date()
        assert (self.searcher is before) == (not moved)
        assert self._found(self.searcher) == sorted(self.model)

    @precondition(lambda self: self.writer is None)
    @rule()
    def optimize(self) -> None:
        self.index.optimize()

    @rule(query=trees, k=st.integers(1, 6))
    def search(self, query: Any, k: int) -> None:
        expected = Oracle(list(self.seen.values())).ranking(query)
        assert _ranked(self.searcher.search(query, limit=None)) == expected
        assert _ranked(self.searcher.search(query, limit=k)) == expected[:k]
        assert _ranked(self.in_bands.search(query, limit=k)) == bands(expected, GAP)[:k]

    @rule(query=trees, length=st.integers(1, 5))
    def page(self, query: Any, length: int) -> None:
        whole = bands(Oracle(list(self.seen.values())).ranking(query), GAP)
        for number in range(1, len(whole) // length + 1):
            page = self.in_bands.search_page(query, number, pagelen=length)
            assert _ranked(page) == whole[(number - 1) * length : number * length]

    @invariant()
    def nothing_is_seen_before_it_is_refreshed(self) -> None:
        if hasattr(self, "searcher"):
            assert self.searcher.doc_count() == len(self.seen)

    def _found(self, searcher: Any) -> list[str]:
        from whoosh.query import Every

        return [id for id, _ in _ranked(searcher.search(Every(), limit=None))]

    def teardown(self) -> None:
        if hasattr(self, "folder"):
            if self.writer is not None:
                self.writer.cancel()
            self.searcher.close()
            self.in_bands.close()
            self.folder.cleanup()


def _ranked(results: Any) -> list[tuple[str, float]]:
    return [(hit["id"], hit.score) for hit in results]


LivingIndex.TestCase.settings = settings(
    max_examples=20,
    stateful_step_count=20,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
TestLivingIndex = LivingIndex.TestCase
