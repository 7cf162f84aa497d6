"""What a weighting gives to the machinery: scored documents, and what could have been reached."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

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

    ``routes``: one for each document, None where there is a single route. ``earned`` gives what
    the words of the question earned each of some documents, in the question's order. ``terms``:
    the words that were searched, as tokens; ``unseen`` of them the statistics never saw.
    ``concepts``: the names of those that fired. ``reachable``: the score that this question could
    reach at most on this index, None where the weighting has no such bound. ``worth`` gives what
    each word weighs among the words of the question, rare ones more. ``common``: only very common
    words matched, so that the match says little.
    """

    hits: Hits
    earned: Callable[[Sequence[int]], list[list[Contribution]]]
    terms: tuple[str, ...]
    unseen: tuple[str, ...]
    routes: Docs | None = None
    concepts: tuple[str, ...] = ()
    reachable: float | None = None
    worth: Callable[[], Mapping[str, float]] = dict
    common: bool = False

    def only(self, passing: NDArray[np.bool_]) -> Weighed:
        """Without the documents that do not pass."""
        hits = Hits(self.hits.docs[passing], self.hits.scores[passing])
        routes = None if self.routes is None else self.routes[passing]
        return replace(self, hits=hits, routes=routes)


class Weighing(Protocol):
    """A weighting: BM25F, keyword points or guidance."""

    def weigh(self, question: str) -> Weighed:
        """All documents that answer the question at all, scored."""
        ...

    def words_of(self, text: str) -> list[tuple[str, int, int]]:
        """The tokens of a text with the characters (start, end) they come from."""
        ...
