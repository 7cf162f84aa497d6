"""Where the words of a query stand, in plain Python: the part of the oracle for span queries.

A span is a pair (first, last) of positions; what a query spans in a record is a set of them.
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Mapping
from typing import Any

from whoosh import query as q

Spans = set[tuple[int, int]]


class SpanOracle:
    """Matches and scores of phrases and span queries; the rest is :class:`Oracle`'s."""

    records: Mapping[str, Any]
    words: dict[tuple[str, str], list[str]]

    def scores(self, query: q.Query, boost: float = 1.0) -> dict[str, float]:
        raise NotImplementedError

    # Scores: those of the boolean query behind

    def _phrase(self, query: q.Phrase, boost: float) -> dict[str, float]:
        terms = [q.Term(query.fieldname, word) for word in query.words]
        return self._spanned(query, q.And(terms), boost * query.boost)

    def _spanfirst(self, query: q.SpanFirst, boost: float) -> dict[str, float]:
        return self._spanned(query, query.q, boost)

    def _spanor(self, query: q.SpanOr, boost: float) -> dict[str, float]:
        return self._spanned(query, q.Or(query.subqs), boost)

    def _spannot(self, query: q.SpanNot, boost: float) -> dict[str, float]:
        return self._spanned(query, q.AndMaybe(query.a, query.b), boost)

    def _both(self, query: Any, boost: float) -> dict[str, float]:
        return self._spanned(query, q.And([query.a, query.b]), boost)

    _spannear = _spancontains = _spanbefore = _spancondition = _both

    def _spannear2(self, query: q.SpanNear2, boost: float) -> dict[str, float]:
        return self._spanned(query, q.And(query.qs), boost)

    def _sequence(self, query: q.Sequence, boost: float) -> dict[str, float]:
        return self._spanned(query, q.And(query.subqueries), boost * query.boost)

    _ordered = _sequence

    def _spanned(self, query: q.Query, behind: q.Query, boost: float) -> dict[str, float]:
        found = self.scores(behind, boost)
        return {id: found[id] for id in found if self.spans(query, id)}

    # Spans

    def spans(self, query: Any, id: str) -> Spans:
        """What the query spans in the record."""
        if isinstance(query, q.Term):
            return self._where(query.fieldname, id, lambda word: word == query.text)
        if isinstance(query, q.Prefix):
            return self._where(query.fieldname, id, lambda word: word.startswith(query.text))
        if isinstance(query, q.Wildcard):
            return self._where(
                query.fieldname, id, lambda word: fnmatch.fnmatchcase(word, query.text)
            )
        if isinstance(query, q.Phrase):
            terms = [q.Term(query.fieldname, word) for word in query.words]
            return self.spans(q.SpanNear2(terms, slop=query.slop), id)
        if isinstance(query, q.Ordered):
            return self._halved([self.spans(part, id) for part in query.subqueries], _before)
        if isinstance(query, q.Sequence):
            return self._halved(
                [self.spans(part, id) for part in query.subqueries],
                lambda a, b: _near(a, b, query.slop, query.ordered, 1),
            )
        if isinstance(query, q.Or | q.DisjunctionMax):
            return _all(self.spans(part, id) for part in query.subqueries)
        if isinstance(query, q.And):
            parts = [self.spans(part, id) for part in query.subqueries]
            return _all(parts) if all(parts) else set()
        if isinstance(query, q.SpanNear2):
            parts = [self.spans(part, id) for part in query.qs]
            near = parts[0]
            for part in parts[1:]:
                near = _near(near, part, query.slop, query.ordered, query.mindist)
            return near
        if isinstance(query, q.SpanOr):
            return _joined(_all(self.spans(part, id) for part in query.subqs))
        if isinstance(query, q.SpanFirst):
            return {span for span in self.spans(query.q, id) if span[1] <= query.limit}
        if isinstance(query, q.ConstantScoreQuery):
            return self.spans(query.child, id)
        a, b = self.spans(query.a, id), self.spans(query.b, id)
        if isinstance(query, q.SpanNear):
            return _near(a, b, query.slop, query.ordered, query.mindist)
        if isinstance(query, q.SpanNot):
            return {span for span in a if not any(_covers(span) & _covers(other) for other in b)}
        if isinstance(query, q.SpanContains):
            return {span for span in a if any(_covers(other) <= _covers(span) for other in b)}
        if isinstance(query, q.SpanBefore):
            return _before(a, b)
        assert isinstance(query, q.SpanCondition)
        return a if b else set()

    def _where(self, field: str, id: str, fits: Any) -> Spans:
        return {(place, place) for place, word in enumerate(self.words[id, field]) if fits(word)}

    def _halved(self, parts: list[Spans], combine: Any) -> Spans:
        # Whoosh makes a balanced tree of a sequence.
        if len(parts) == 1:
            return parts[0]
        half = len(parts) // 2
        return combine(self._halved(parts[:half], combine), self._halved(parts[half:], combine))  # type: ignore[no-any-return]


def _all(parts: Iterable[Spans]) -> Spans:
    return {span for part in parts for span in part}


def _covers(span: tuple[int, int]) -> set[int]:
    return set(range(span[0], span[1] + 1))


def _before(a: Spans, b: Spans) -> Spans:
    return {one for one in a if b and all(one[1] < other[0] for other in b)}


def _near(a: Spans, b: Spans, slop: int, ordered: bool, mindist: int) -> Spans:
    found = set()
    for one in a:
        for other in b:
            if _covers(one) & _covers(other):
                apart = 0
            else:
                apart = max(other[0] - one[1], one[0] - other[1])
            if mindist <= apart <= slop and (one[0] <= other[0] or not ordered):
                found.add((min(one[0], other[0]), max(one[1], other[1])))
    return found


def _joined(spans: Spans) -> Spans:
    # Overlapping and touching spans are one: runs of covered positions.
    covered = _all({(place, place) for place in _covers(span)} for span in spans)
    places = sorted(place for place, _ in covered)
    starts = [place for place in places if place - 1 not in places]
    ends = [place for place in places if place + 1 not in places]
    return set(zip(starts, ends, strict=True))
