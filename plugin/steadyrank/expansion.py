"""Key terms ("more like this") by the statistics that the policy names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from steadyrank.order import Policy
from steadyrank.pinned import provider
from steadyrank.postings import IndexView


class StatisticsReader:
    """A reader whose corpus statistics are those of the policy.

    Whoosh's own count deleted documents until they are merged away, so that the key terms of a
    document, and with them a whole "more like this", would depend on the layout.
    """

    def __init__(self, reader: Any, policy: Policy) -> None:
        self._reader = reader
        self._statistics = provider(policy.statistics, IndexView(reader))

    def doc_count_all(self) -> int:
        return self._statistics.doc_count()

    doc_count = doc_count_all

    def doc_frequency(self, fieldname: str, text: Any) -> int:
        return self._statistics.doc_frequency(fieldname, self._bytes(fieldname, text))

    def frequency(self, fieldname: str, text: Any) -> float:
        return self._statistics.term_weight(fieldname, self._bytes(fieldname, text))

    def field_length(self, fieldname: str) -> int:
        return self._statistics.field_length(fieldname)

    # Python looks these two up on the class, so __getattr__ does not hand them on.

    def __contains__(self, term: Any) -> bool:
        return term in self._reader

    def __iter__(self) -> Iterator[Any]:
        return iter(self._reader)

    def _bytes(self, fieldname: str, text: Any) -> bytes:
        if isinstance(text, bytes):
            return text
        return bytes(self._reader.schema[fieldname].to_bytes(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)
