"""Evaluated hits of one segment, shown as a Whoosh matcher to the collectors around ours."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from whoosh.matching import Matcher

from steadyrank.scoring.hits import Hits


class HitMatcher(Matcher):  # type: ignore[misc]
    """Steps through documents and scores that are known already.

    ``terms`` maps (field, bytes) to the segment's documents that contain the term, so that
    matched terms can be asked for at each step. Document numbers are the segment's own.
    """

    def __init__(self, hits: Hits, terms: dict[tuple[str, bytes], frozenset[int]]) -> None:
        self._docs: list[int] = hits.docs.tolist()
        self._scores: list[float] = hits.scores.tolist()
        self._terms = terms
        self._place = 0

    def is_active(self) -> bool:
        return self._place < len(self._docs)

    def id(self) -> int:
        return self._docs[self._place]

    def score(self) -> float:
        return self._scores[self._place]

    weight = score

    def next(self) -> bool:
        self._place += 1
        return False

    def skip_to(self, id: int) -> None:
        while self.is_active() and self.id() < id:
            self.next()

    def all_ids(self) -> Iterator[int]:
        yield from self._docs[self._place :]

    def reset(self) -> None:
        self._place = 0

    def supports_block_quality(self) -> bool:
        return False

    def supports(self, astype: str) -> bool:
        return False

    def copy(self) -> HitMatcher:
        twin = HitMatcher.__new__(HitMatcher)
        twin.__dict__.update(self.__dict__)
        return twin

    def replace(self, minquality: float = 0) -> HitMatcher:
        return self

    def term_matchers(self) -> Iterator[Any]:
        for term, docs in self._terms.items():
            yield _TermCursor(self, term, docs)

    def matching_terms(self, id: int | None = None) -> Iterator[tuple[str, bytes]]:
        doc = self.id() if id is None else id
        return (term for term, docs in self._terms.items() if doc in docs)


class _TermCursor:
    """One term as it stands at the current document: there, or nowhere."""

    def __init__(self, hits: HitMatcher, term: tuple[str, bytes], docs: frozenset[int]) -> None:
        self._hits = hits
        self._term = term
        self._docs = docs

    def is_active(self) -> bool:
        return self._hits.is_active() and self._hits.id() in self._docs

    def id(self) -> int:
        return self._hits.id()

    def term(self) -> tuple[str, bytes]:
        return self._term
