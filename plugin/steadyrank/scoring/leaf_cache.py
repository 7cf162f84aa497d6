"""Scored leaves of one reader, kept for its later searches."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Protocol, TypeVar
from weakref import WeakKeyDictionary

from whoosh.scoring import BM25F

from steadyrank.pinned import Statistics
from steadyrank.postings import IndexView
from steadyrank.postings.decode import Docs
from steadyrank.postings.kept import OVERHEAD
from steadyrank.postings.locks import lock
from steadyrank.statistics import CorpusStatistics, LiveStatistics, WhooshStatistics

# Leaves kept per reader, in documents of all of them together (16 bytes each).
KEPT_HITS = 4_000_000


class _OfDocuments(Protocol):
    @property
    def docs(self) -> Docs: ...


_Found = TypeVar("_Found", bound=_OfDocuments)


class LeafCache:
    """Hits of terms; those that were asked for least recently go first.

    ``readings`` is a place for what questions' texts mean in this reader's fields.
    """

    def __init__(self) -> None:
        self._lock = lock()
        self._found: OrderedDict[Any, Any] = OrderedDict()
        self.size = 0
        self.readings: dict[Any, Any] = {}

    def get(self, key: Any, make: Callable[[], _Found]) -> _Found:
        """What ``make`` gives, for this key once while it is kept.

        Nothing that is kept may hold the reader, which would then live for ever.
        """
        with self._lock:
            kept: _Found | None = self._found.get(key)
            if kept is not None:
                self._found.move_to_end(key)
                return kept
        hits = make()
        with self._lock:
            if key not in self._found and hits.docs.size <= KEPT_HITS // 4:
                self._found[key] = hits
                self.size += hits.docs.size + OVERHEAD
                while self.size > KEPT_HITS:
                    _, oldest = self._found.popitem(last=False)
                    self.size -= oldest.docs.size + OVERHEAD
        return hits


def scorer_key(view: IndexView, weighting: Any, statistics: CorpusStatistics) -> Any:
    """What the leaf scores of a reader depend on besides term and boost; None if not known."""
    if type(weighting) is not BM25F:
        return None
    model = (weighting.B, weighting.K1, *sorted(weighting._field_B.items()))
    if type(statistics) is LiveStatistics and statistics.counts_of(view.reader):
        return (*model, "live")
    if type(statistics) is WhooshStatistics and statistics.counts_of(view.reader):
        return (*model, "whoosh")
    if type(statistics) is Statistics:
        return (*model, _Same(statistics))
    return None


class _Same:
    """A key that is equal for one and the same object, and keeps it alive."""

    __slots__ = ("of",)

    def __init__(self, of: Any) -> None:
        self.of = of

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and other.of is self.of

    def __hash__(self) -> int:
        return id(self.of)


_CACHES: WeakKeyDictionary[Any, LeafCache] = WeakKeyDictionary()
_CACHES_LOCK = lock()


def leaf_cache(reader: Any) -> LeafCache:
    """The cache of a reader, which is as old as it."""
    with _CACHES_LOCK:
        found = _CACHES.get(reader)
        if found is None:
            found = _CACHES[reader] = LeafCache()
        return found
