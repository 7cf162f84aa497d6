"""The terms of a segment in memory, walked as Whoosh's automata want to walk them."""

from __future__ import annotations

from bisect import bisect_left
from typing import Any

from whoosh.reading import SegmentReader


class WithCursor:
    """A leaf reader that can expand fuzzy terms though its codec has no cursor.

    Whoosh's in-memory segments (a BufferedWriter's) have none, so that a fuzzy query over them
    is a NotImplementedError. The expansion is Whoosh's own, over the sorted terms.
    """

    def __init__(self, reader: Any) -> None:
        self._reader = reader

    def terms_within(self, fieldname: str, text: str, maxdist: int, prefix: int = 0) -> Any:
        return SegmentReader.terms_within(self, fieldname, text, maxdist, prefix)

    def cursor(self, fieldname: str) -> _Cursor:
        spell = self._reader.schema[fieldname].from_bytes
        return _Cursor(sorted(spell(term) for term in self._reader.lexicon(fieldname)))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._reader, name)


class _Cursor:
    def __init__(self, terms: list[str]) -> None:
        self._terms = terms
        self._place = 0

    def text(self) -> str | None:
        return self._terms[self._place] if self._place < len(self._terms) else None

    def find(self, text: str) -> None:
        self._place = bisect_left(self._terms, text)
