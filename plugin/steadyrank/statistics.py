"""The numbers of the whole corpus that a score depends on, and where they come from."""

from __future__ import annotations

from typing import Any, Protocol

from steadyrank.arithmetic import exact_log


class Counts(Protocol):
    """What can be counted in a set of documents. Terms are (field, bytes).

    ``doc_count``: documents. ``doc_frequency``: of them, how many contain the term.
    ``term_weight``: the term's weight summed over them. ``field_length``: the field's length in
    tokens summed over them.
    """

    def doc_count(self) -> int: ...
    def doc_frequency(self, field: str, term: bytes) -> int: ...
    def term_weight(self, field: str, term: bytes) -> float: ...
    def field_length(self, field: str) -> int: ...


class CorpusStatistics(Protocol):
    """What a weighting model may ask about the corpus, whoever answers.

    The counts, and what follows from them: ``idf``, and ``average_length`` in tokens.
    ``name`` says in results and logs which statistics scored them.
    """

    @property
    def name(self) -> str: ...
    def doc_count(self) -> int: ...
    def doc_frequency(self, field: str, term: bytes) -> int: ...
    def term_weight(self, field: str, term: bytes) -> float: ...
    def field_length(self, field: str) -> int: ...
    def idf(self, field: str, term: bytes) -> float: ...
    def average_length(self, field: str) -> float: ...


class Derived:
    """``idf`` and ``average_length`` from counts, as Whoosh has them but with exact logarithms."""

    def idf(self: Counts, field: str, term: bytes) -> float:
        """Inverse document frequency, ln(N / (n + 1)) + 1 for n of N documents."""
        count = self.doc_count()
        if not count:
            return 1.0
        return exact_log(count / (self.doc_frequency(field, term) + 1)) + 1

    def average_length(self: Counts, field: str) -> float:
        """Tokens of the field per document; 0.0 without documents."""
        count = self.doc_count()
        return self.field_length(field) / count if count else 0.0


class LiveStatistics(Derived):
    """Statistics of the live documents only.

    They depend on nothing but those documents: deleted leftovers, segments and merges do not
    move them, since lengths count as their stored byte decodes and sums are of integers.
    """

    name = "live"

    def __init__(self, counts: Counts) -> None:
        self._counts = counts

    def counts_of(self, reader: Any) -> bool:
        """Whether it is the documents of this reader that are counted."""
        return getattr(self._counts, "reader", None) is reader

    def doc_count(self) -> int:
        return self._counts.doc_count()

    def doc_frequency(self, field: str, term: bytes) -> int:
        return self._counts.doc_frequency(field, term)

    def term_weight(self, field: str, term: bytes) -> float:
        return self._counts.term_weight(field, term)

    def field_length(self, field: str) -> int:
        return self._counts.field_length(field)


class WhooshStatistics(Derived):
    """What stock Whoosh counts: deleted documents until they are merged away, lengths as the
    last merge summed them. For hosts whose absolute scores must not move; they then move with
    the layout, as they always did.
    """

    name = "whoosh"

    def __init__(self, reader: Any) -> None:
        self._reader = reader

    def counts_of(self, reader: Any) -> bool:
        """Whether it is the documents of this reader that are counted."""
        return self._reader is reader

    def doc_count(self) -> int:
        return int(self._reader.doc_count_all())

    def doc_frequency(self, field: str, term: bytes) -> int:
        return int(self._reader.doc_frequency(field, term))

    def term_weight(self, field: str, term: bytes) -> float:
        return float(self._reader.frequency(field, term))

    def field_length(self, field: str) -> int:
        return int(self._reader.field_length(field))
