"""What is the same for all questions of one reader, made once."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steadyrank.answering.contender import policy_of
from steadyrank.answering.fingerprint import fingerprint_of
from steadyrank.answering.guidance import GuidanceWeighing
from steadyrank.answering.indexed import IndexedWeighing
from steadyrank.answering.sections import Sections
from steadyrank.answering.settings import Settings
from steadyrank.answering.weighing import Weighing
from steadyrank.index import SteadyIndex
from steadyrank.pinned import loaded, provider
from steadyrank.postings import Identity, IndexView, content_hash
from steadyrank.postings.decode import Docs
from steadyrank.provenance import index_digest
from steadyrank.scoring import Evaluator

# Preparing analyses the stop words, which costs more than many a question.
_KEPT = 4


class Prepared:
    """A reader under one set of settings: identity, statistics and weighting."""

    def __init__(self, searcher: Any, view: IndexView, settings: Settings, reading: Reading):
        statistics = provider(loaded(settings.statistics), view)
        self.settings = settings
        self.fingerprint = fingerprint_of(settings, statistics.name)
        self.identity = Identity(view, policy_of(settings))
        self.statistics = statistics.name
        self.weighing: Weighing
        if settings.weighting == "guidance":
            self.weighing = GuidanceWeighing(reading.sections, settings)
        else:
            evaluator = Evaluator(searcher, statistics=statistics, view=view)
            self.weighing = IndexedWeighing(evaluator, settings)


class Reading:
    """One reader of a store's index. Not for several threads at once."""

    def __init__(self, index: SteadyIndex, searcher: Any) -> None:
        self.searcher = searcher
        self.view = IndexView(searcher.reader())
        self.generation = int(searcher.reader().generation())
        self.digest = index_digest(index, self.generation)
        self._prepared: list[Prepared] = []
        self._contents: dict[str, str] = {}
        self._asked: Counter[tuple[int, str]] = Counter()
        self._attributes: dict[tuple[int, str], tuple[NDArray[np.int64], list[Any]]] = {}

    def under(self, settings: Settings) -> Prepared:
        """This reader under the settings. The last few are kept, the latest used at the end."""
        found = next((own for own in self._prepared if own.settings is settings), None)
        if found is None:
            found = Prepared(self.searcher, self.view, settings, self)
        others = [own for own in self._prepared if own is not found]
        self._prepared = [*others[1 - _KEPT :], found]
        return found

    @cached_property
    def sections(self) -> Sections:
        """All documents as sections, for guidance."""
        return Sections(self.view)

    def kinds(self, docs: Docs) -> tuple[NDArray[np.int64], list[str]]:
        """The kind of each of the (ascending) documents as a code, and the kinds themselves."""
        numbers: dict[str, int] = {}
        found = np.empty(docs.size, np.int64)
        for segment, start, stop, offset in self.view.split(docs):
            here, names = segment.numbered("kind", docs[start:stop] - offset)
            own = [numbers.setdefault(str(name), len(numbers)) for name in names]
            same = own == list(range(len(own)))  # so it is in the first segment, often the only one
            found[start:stop] = here if same else np.array(own, np.int64)[here]
        return found, list(numbers)

    def attributes(
        self, number: int, name: str, count: int
    ) -> tuple[NDArray[np.int64], list[Any]] | None:
        """One attribute in each document of a segment as a code, and its distinct values.

        None while ``count`` more single reads cost less than reading it of all documents: once
        as many as a quarter of the segment were asked for, all are read and kept.
        """
        key = (number, name)
        if key not in self._attributes:
            segment, _ = self.view.segments[number]
            self._asked[key] += count
            if self._asked[key] * 4 < segment.size:
                return None
            self._attributes[key] = _coded(segment, name)
        return self._attributes[key]

    def stored(self, doc: int) -> dict[str, Any]:
        """All stored fields of a document."""
        return dict(self.searcher.stored_fields(doc))

    def doc_of(self, id: str) -> int | None:
        """The number of the live document with this id, None where there is none."""
        docs = self.view.postings("id", id.encode("utf-8", "surrogatepass")).docs
        return int(docs[0]) if docs.size else None

    def contents(self, ids: Sequence[str]) -> dict[str, str]:
        """A short hash of the stored fields of each of these documents that is there."""
        for id in ids:
            if id not in self._contents:
                doc = self.doc_of(id)
                if doc is not None:
                    self._contents[id] = content_hash(self.stored(doc))
        return {id: self._contents[id] for id in ids if id in self._contents}

    def missing(self, ids: Sequence[str]) -> list[str]:
        """Those of the ids that no live document has, in order, once each."""
        return [id for id in dict.fromkeys(ids) if self.doc_of(id) is None]


def _coded(segment: Any, name: str) -> tuple[NDArray[np.int64], list[Any]]:
    read = segment.values("attributes")
    seen: dict[str, int] = {}
    values: list[Any] = []
    codes = []
    for doc in range(segment.size):
        value = json.loads(read(doc) or "{}").get(name)
        written = json.dumps(value, sort_keys=True)
        if written not in seen:
            seen[written] = len(values)
            values.append(value)
        codes.append(seen[written])
    return np.array(codes, np.int64), values
