"""What a weighting gives to the machinery: scored documents, and what could have been reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from steadyrank.postings.decode import Docs
from steadyrank.scoring import Hits


@dataclass(frozen=True, slots=True)
class Contribution:
    """What one word of the question earned a piece: in a field, or by a bonus, in score points."""

    word: str
    where: str
    score: float


@dataclass(frozen=True, slots=True)
class Weighed:
    """All documents that match, with their scores, before any quota.

    ``routes``: one for each document, None where there is a single route. ``terms``: the words
    that were searched, as tokens; ``unseen`` of them the statistics never saw; ``concepts``: the
    names of those that fired. ``reachable``: the score that this question could reach at most on
    this index, None where the weighting has no such bound. ``common``: every matched word is a
    very common one, so the match says little.
    """

    hits: Hits
    routes: Docs | None
    terms: tuple[str, ...]
    unseen: tuple[str, ...]
    concepts: tuple[str, ...]
    reachable: float | None
    common: bool = False


class Weighing(Protocol):
    """A weighting: BM25F, keyword points or guidance."""

    def weigh(self, question: str) -> Weighed:
        """All documents that answer the question at all, scored."""
        ...

    def contributions(self, doc: int, weighed: Weighed) -> Sequence[Contribution]:
        """What the words of the question earned one document, in the question's order."""
        ...

    def words_of(self, text: str) -> list[tuple[str, int, int]]:
        """The tokens of a text with the characters (start, end) they come from."""
        ...
