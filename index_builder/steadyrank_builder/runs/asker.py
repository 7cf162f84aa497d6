"""An index that questions are asked of, whoever wrote it."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Protocol

from steadyrank.answering import Settings, SettingsError, Store
from steadyrank.answering.answer import Next, Piece
from steadyrank.index import SteadyIndex, is_store, open_index
from steadyrank.measure import Entry, Origin, Ranking, Run
from steadyrank.order import Policy
from steadyrank.postings import IndexView, content_hash, record_id
from steadyrank.provenance import index_digest
from steadyrank.retrieval import parsed
from steadyrank_builder.provenance import made_with
from steadyrank_builder.runs.way import Way

# How many of those left out a ranking names: enough to see who would come in next.
AFTER = 8


class Asker(Protocol):
    """Asks one index under one way of asking; closed when it is no longer needed."""

    def ask(self, number: int, question: str, k: int | None = None) -> Ranking:
        """What the question brings; ``k`` None: as many as the settings say."""
        ...

    def missing(self, ids: Sequence[str]) -> Sequence[str]:
        """Those of the ids that no live document has."""
        ...

    def contents(self, ids: Sequence[str]) -> Mapping[str, str]:
        """By id a short hash of all that is stored of it; nothing for ids that are missing."""
        ...

    def origin(self) -> Origin:
        """Where its rankings come from."""
        ...

    def close(self) -> None:
        """Closes the files."""
        ...


class StoreAsker:
    """Asks a store for answers. ``settings`` of one question may stand in for its own."""

    def __init__(self, store: Store, after: int = AFTER) -> None:
        self.store = store
        self.after = after

    def ask(
        self,
        number: int,
        question: str,
        k: int | None = None,
        settings: Settings | None = None,
    ) -> Ranking:
        """The pieces, and those that came next."""
        chosen = settings or self.store.settings
        answer = self.store.answer(question, take=k, settings=chosen, after=self.after)
        known: tuple[Piece | Next, ...] = (*answer.pieces, *answer.next)
        contents = self.store.contents([one.id for one in known])
        entries = tuple(
            Entry(
                id=one.id,
                score=one.score,
                document=one.document,
                route=one.route,
                band=one.band,
                title=one.title,
                content=contents[one.id],
            )
            for one in known
        )
        return Ranking(
            number=number,
            question=question,
            k=chosen.take.count if k is None else k,
            entries=entries[: len(answer.pieces)],
            after=entries[len(answer.pieces) :],
            gap=answer.gap,
            select=chosen.select,
            statistics=answer.statistics,
            settings=answer.fingerprint.settings,
            confidence=answer.confidence,
            concepts=answer.concepts,
            unseen=answer.unseen,
        )

    def missing(self, ids: Sequence[str]) -> Sequence[str]:
        return self.store.missing(ids)

    def contents(self, ids: Sequence[str]) -> Mapping[str, str]:
        return self.store.contents(ids)

    def origin(self) -> Origin:
        return Origin(*self.store.origin(), versions=made_with())

    def close(self) -> None:
        self.store.close()


class IndexAsker:
    """Searches any index under its policy, through one reader that stays open."""

    def __init__(self, index: SteadyIndex, way: Way, after: int = AFTER, k: int = 4) -> None:
        self.index = index
        self.way = way
        self.after = after
        self.k = k
        self.searcher = index.searcher()
        self._view = IndexView(self.searcher.reader())
        self._settings = _fingerprint(index.policy, way)

    def ask(self, number: int, question: str, k: int | None = None) -> Ranking:
        """The first results, and those that came next."""
        policy, count = self.index.policy, self.k if k is None else k
        query = parsed(question, self.searcher.schema, self.way.fields, self.way.syntax or "words")
        # With select="score" more results are another ranking, and not a longer one.
        limit = count if policy.gap and policy.select == "score" else count + self.after
        results = self.searcher.search(query, limit=limit)
        entries = tuple(self._entry(hit, place) for hit, place in zip(
            results, results.placements, strict=True
        ))  # fmt: skip
        return Ranking(
            number=number,
            question=question,
            k=count,
            entries=entries[:count],
            after=entries[count:],
            gap=policy.gap,
            select=policy.select,
            statistics=str(policy.statistics),
            settings=self._settings,
        )

    def _entry(self, hit: Any, placement: Any) -> Entry:
        stored = hit.fields()
        id = self._id_of(hit.docnum)
        document = stored.get(self.index.policy.document_field or "document")
        title = stored.get("title")
        return Entry(
            id=id,
            score=hit.score,
            document=id if document is None else str(document),
            route=placement.route,
            band=placement.band,
            title="" if title is None else str(title),
            content=content_hash(stored),
        )

    @property
    def _id_of(self) -> Callable[[int], str]:
        return partial(record_id, self._view, self.index.policy.id_field)

    def missing(self, ids: Sequence[str]) -> Sequence[str]:
        field = self.index.policy.id_field
        if field is None:
            return ()
        known = {self._id_of(int(doc)) for doc in self._view.live_docs()} if ids else set()
        return [id for id in dict.fromkeys(ids) if id not in known]

    def contents(self, ids: Sequence[str]) -> Mapping[str, str]:
        wanted, found = set(ids), {}
        for doc in map(int, self._view.live_docs()) if wanted else ():
            id = self._id_of(doc)
            if id in wanted:
                found[id] = content_hash(self.searcher.stored_fields(doc))
        return found

    def origin(self) -> Origin:
        generation = int(self.searcher.reader().generation() or 0)  # None without a segment
        digest = index_digest(self.index, generation)
        return Origin(generation, digest, int(self.searcher.doc_count()), made_with())

    def close(self) -> None:
        self.searcher.close()


def _fingerprint(policy: Policy, way: Way) -> str:
    """A short hash of how a search asks and orders, as answers have one of their settings."""
    asked = {
        "fields": None if way.fields is None else sorted(way.fields.items()),
        "syntax": way.syntax or "words",
        "id_field": policy.id_field,
        "gap": policy.gap,
        "select": policy.select,
        "tiebreak": [str(key) for key in policy.tiebreak],
        "statistics": str(policy.statistics),
    }
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:16]


def open_asker(folder: Path, way: Way, after: int = AFTER) -> StoreAsker | IndexAsker:
    """An asker for the index in ``folder``: by answers for a store, else by search.

    Raises NoIndexError for a folder without an index, SettingsError for settings that do not go
    together with the index or with the other options.
    """
    policy = dict(way.policy)
    store = None if way.searches else opened_store(folder)
    if store is not None:
        return StoreAsker(Store(store, (way.settings or Settings()).overlaid(policy)), after)
    if way.settings is not None:
        raise SettingsError(
            f"settings are for answers, and {folder} is asked by search: "
            + (
                "leave out --id-field, --no-id, --fields and --syntax, or the settings"
                if way.searches
                else "it was not written by 'steadyrank build'; use --gap, --fields and the like"
            )
        )
    if way.no_id:
        policy["id_field"] = None
    elif way.id_field:
        policy["id_field"] = way.id_field
    return IndexAsker(open_index(folder, **policy), way, after)


def opened_store(folder: Path) -> SteadyIndex | None:
    """The index in ``folder`` if it is a store's; None for any other.

    Raises NoIndexError for a folder without an index, IdFieldError for one without ids that are
    found without being told.
    """
    index = open_index(folder)
    return index if is_store(index.schema) else None


def run_asked(asker: Asker, questions: Iterable[tuple[int, str]], k: int | None = None) -> Run:
    """All questions (number and text) asked of one index."""
    with contextlib.closing(asker):
        rankings = tuple(asker.ask(number, question, k) for number, question in questions)
        return Run(asker.origin(), rankings)
