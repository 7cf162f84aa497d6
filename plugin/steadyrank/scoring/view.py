"""The searcher as a weighting model sees it: real schema, our statistics.

Statistics are given here and nowhere else. ``doc_count_all`` of the real searcher is also the
bound of document numbers for filters and facets, so it must stay what it is there.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from whoosh.scoring import WeightingModel

from steadyrank.postings import IndexView
from steadyrank.statistics import CorpusStatistics


class StatisticsView:
    """What a weighting model and its scorers may ask of a searcher, for the whole index."""

    def __init__(
        self, searcher: Any, view: IndexView, statistics: CorpusStatistics, weighting: Any
    ) -> None:
        self._searcher = searcher
        self._view = view
        self._statistics = statistics
        self.weighting = weighting
        self.schema = searcher.schema

    def get_parent(self) -> StatisticsView:
        return self

    def has_parent(self) -> bool:
        return False

    def doc_count_all(self) -> int:
        return self._statistics.doc_count()

    doc_count = doc_count_all

    def doc_frequency(self, fieldname: str, text: Any) -> int:
        return self._statistics.doc_frequency(fieldname, self._bytes(fieldname, text))

    def frequency(self, fieldname: str, text: Any) -> float:
        # A term whose every weight is 0 (of a field whose boost is 0) must not be divided by.
        return self._statistics.term_weight(fieldname, self._bytes(fieldname, text)) or 1.0

    weight = frequency  # what DFree calls it

    def idf(self, fieldname: str, text: Any) -> float:
        model = self.weighting
        if type(model).idf is WeightingModel.idf:
            return self._statistics.idf(fieldname, self._bytes(fieldname, text))
        return float(model.idf(self, fieldname, text))

    def field_length(self, fieldname: str) -> int:
        return self._statistics.field_length(fieldname)

    def avg_field_length(self, fieldname: str, default: Any = None) -> Any:
        if not self.schema[fieldname].scorable:
            return default
        return self._statistics.average_length(fieldname)

    def doc_field_length(self, docnum: int, fieldname: str, default: int = 0) -> int:
        return int(self._view.lengths(fieldname, np.array([docnum]))[0])

    def term_info(self, fieldname: str, text: Any) -> Any:
        return _TermNumbers(self._statistics, fieldname, self._bytes(fieldname, text))

    def reader(self) -> Any:
        return self._searcher.reader()

    def _bytes(self, fieldname: str, text: Any) -> bytes:
        return text if isinstance(text, bytes) else self.schema[fieldname].to_bytes(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._searcher, name)


class _TermNumbers:
    """What a scorer may ask of a term: its statistics, and bounds that always hold.

    Whoosh's scorers work out a bound of their scores from the extremes when they are made; we
    do not prune by it, so they get extremes at which every formula is defined.
    """

    def __init__(self, statistics: CorpusStatistics, field: str, term: bytes) -> None:
        self._statistics = statistics
        self._term = (field, term)

    def weight(self) -> float:
        return self._statistics.term_weight(*self._term)

    def doc_frequency(self) -> int:
        return self._statistics.doc_frequency(*self._term)

    def max_weight(self) -> float:
        return 1.0

    def min_length(self) -> int:
        return 1

    def max_length(self) -> int:
        return 1
