"""The numbers of the whole corpus that a score depends on, and where they come from."""

from __future__ import annotations

from typing import Protocol

from steadyrank.arithmetic import exact_log


class Counts(Protocol):
    """What an index can say of its live documents. Terms are (field, bytes)."""

    def doc_count(self) -> int: ...
    def doc_frequency(self, field: str, term: bytes) -> int: ...
    def term_weight(self, field: str, term: bytes) -> float: ...
    def field_length(self, field: str) -> int: ...


class CorpusStatistics(Protocol):
    """What a weighting model may ask about the corpus, whoever answers.

    ``doc_count``: documents. ``doc_frequency``: of them, how many contain the term.
    ``term_weight``: the term's weight summed over them. ``field_length``: the field's length in
    tokens summed over them. ``idf`` and ``average_length`` follow from these.
    """

    def doc_count(self) -> int: ...
    def doc_frequency(self, field: str, term: bytes) -> int: ...
    def term_weight(self, field: str, term: bytes) -> float: ...
    def field_length(self, field: str) -> int: ...
    def idf(self, field: str, term: bytes) -> float: ...
    def average_length(self, field: str) -> float: ...


class LiveStatistics:
    """Statistics of the live documents only.

    They depend on nothing but those documents: deleted leftovers, segments and merges do not
    move them, since lengths count as their stored byte decodes and sums are of integers.
    """

    name = "live"

    def __init__(self, counts: Counts) -> None:
        self._counts = counts

    def doc_count(self) -> int:
        return self._counts.doc_count()

    def doc_frequency(self, field: str, term: bytes) -> int:
        return self._counts.doc_frequency(field, term)

    def term_weight(self, field: str, term: bytes) -> float:
        return self._counts.term_weight(field, term)

    def field_length(self, field: str) -> int:
        return self._counts.field_length(field)

    def idf(self, field: str, term: bytes) -> float:
        """Whoosh's inverse document frequency, ln(N / (n + 1)) + 1, the logarithm exact."""
        count = self.doc_count()
        if not count:
            return 1.0
        return exact_log(count / (self.doc_frequency(field, term) + 1)) + 1

    def average_length(self, field: str) -> float:
        """Tokens of the field per live document; 0.0 for an empty index."""
        count = self.doc_count()
        return self.field_length(field) / count if count else 0.0
