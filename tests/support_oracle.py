"""The definition of a score in plain Python, from the documents' words alone.

Written from the definition and sharing nothing with the engine but Whoosh's query classes: no
arrays, no postings, no readers. Slow and obvious on purpose.
"""

from __future__ import annotations

import fnmatch
from bisect import bisect_left
from collections.abc import Callable, Sequence
from decimal import Context, Decimal
from functools import cache
from typing import Any

from whoosh import query as q
from whoosh.util.numeric import byte_to_length, length_to_byte

from support_layouts import Record

SCORED_FIELDS = {"title": 2.0, "text": 1.0}  # field: its boost in the schema
UNSCORED_FIELDS = {"id", "tag"}


@cache
def logarithm(x: float) -> float:
    return float(Context(prec=70).ln(Decimal(x)))


def snapped(x: float) -> float:
    """The nearest multiple of 2**-32; Python rounds halves to even, and int is exact."""
    return round(x * 2**32) / 2**32


class Oracle:
    """Scores of the live records, ``None`` for those that do not match."""

    def __init__(self, records: Sequence[Record]) -> None:
        self.records = {record.id: record for record in records}
        self.count = len(records)
        self.words = {
            (record.id, field): getattr(record, field).split()
            for record in records
            for field in ("title", "text", "tag")
        }
        for record in records:
            self.words[record.id, "id"] = [record.id]
        self.average = {
            field: (
                sum(self._length(record.id, field) for record in records) / self.count
                if self.count
                else 0.0
            )
            for field in SCORED_FIELDS
        }

    def _length(self, id: str, field: str) -> int:
        return int(byte_to_length(length_to_byte(len(self.words[id, field]))))

    def scores(self, query: q.Query, boost: float = 1.0) -> dict[str, float]:
        """The score of each record that matches."""
        handler = getattr(self, "_" + type(query).__name__.lstrip("_").lower())
        return handler(query, boost)  # type: ignore[no-any-return]

    def ranking(self, query: q.Query) -> list[tuple[str, float]]:
        """All matches by (score descending, id)."""
        return sorted(self.scores(query).items(), key=lambda pair: (-pair[1], pair[0]))

    # Leaves

    def _leaf(self, field: str, word: str, boost: float) -> dict[str, float]:
        having = [id for id in self.records if word in self.words[id, field]]
        inverse = logarithm(self.count / (len(having) + 1)) + 1 if having else 0.0
        scores = {}
        for id in having:
            times = self.words[id, field].count(word)
            if field in UNSCORED_FIELDS:
                score = float(times)
            else:
                weight = times * SCORED_FIELDS[field]
                length = self._length(id, field)
                norm = 1.2 * ((1 - 0.75) + 0.75 * length / (self.average[field] or 1))
                score = inverse * ((weight * (1.2 + 1)) / (weight + norm))
            scores[id] = snapped(score) if boost == 1.0 else snapped(snapped(score) * boost)
        return scores

    def _constant(self, ids: Sequence[str] | set[str], score: float) -> dict[str, float]:
        return dict.fromkeys(ids, snapped(score))

    def _term(self, query: q.Term, boost: float) -> dict[str, float]:
        return self._leaf(query.fieldname, query.text, boost * query.boost)

    def _nullquery(self, query: q.Query, boost: float) -> dict[str, float]:
        return {}

    def _every(self, query: q.Every, boost: float) -> dict[str, float]:
        ids = [
            id for id in self.records if query.fieldname is None or self.words[id, query.fieldname]
        ]
        return self._constant(ids, boost * query.boost)

    # Several clauses

    def _each(self, query: Any, boost: float) -> list[dict[str, float]]:
        return [self.scores(child, boost * query.boost) for child in query.subqueries]

    def _or(self, query: q.Or, boost: float) -> dict[str, float]:
        return _combined(self._each(query, boost), sum)

    def _disjunctionmax(self, query: q.DisjunctionMax, boost: float) -> dict[str, float]:
        return _combined(self._each(query, boost), max)

    def _and(self, query: q.And, boost: float) -> dict[str, float]:
        parts = self._each(query, boost)
        return {id: sum(part[id] for part in parts) for id in _in_all(parts)}

    def _not(self, query: q.Not, boost: float) -> dict[str, float]:
        return self._constant(set(self.records) - set(self.scores(query.query)), boost)

    def _andnot(self, query: q.AndNot, boost: float) -> dict[str, float]:
        out = self.scores(query.b)
        return {id: score for id, score in self.scores(query.a, boost).items() if id not in out}

    def _andmaybe(self, query: q.AndMaybe, boost: float) -> dict[str, float]:
        extra = self.scores(query.b, boost)
        return {id: score + extra.get(id, 0.0) for id, score in self.scores(query.a, boost).items()}

    def _require(self, query: q.Require, boost: float) -> dict[str, float]:
        needed = self.scores(query.b)
        return {id: score for id, score in self.scores(query.a, boost).items() if id in needed}

    def _otherwise(self, query: q.Otherwise, boost: float) -> dict[str, float]:
        return self.scores(query.a, boost) or self.scores(query.b, boost)

    def _constantscorequery(self, query: q.ConstantScoreQuery, boost: float) -> dict[str, float]:
        return self._constant(set(self.scores(query.child)), boost * query.score)

    # Phrases: spans of positions, each word after the last at a distance of at most the slop

    def _phrase(self, query: q.Phrase, boost: float) -> dict[str, float]:
        parts = [self._leaf(query.fieldname, word, boost * query.boost) for word in query.words]
        found = {}
        for id in _in_all(parts):
            words = self.words[id, query.fieldname]
            ends = {place for place, word in enumerate(words) if word == query.words[0]}
            for wanted in query.words[1:]:
                ends = {
                    place
                    for place, word in enumerate(words)
                    if word == wanted and any(1 <= place - end <= query.slop for end in ends)
                }
            if ends:
                found[id] = sum(part[id] for part in parts)
        return found

    # Patterns and ranges: every word of the field that fits

    def _expanded(self, query: Any, boost: float, fits: Callable[[str], bool]) -> dict[str, float]:
        field = query.fieldname
        vocabulary = {word for id in self.records for word in self.words[id, field]}
        parts = [self._leaf(field, word, boost * query.boost) for word in vocabulary if fits(word)]
        if query.constantscore:
            return self._constant({id for part in parts for id in part}, boost * query.boost)
        return _combined(parts, sum)

    def _prefix(self, query: q.Prefix, boost: float) -> dict[str, float]:
        return self._expanded(query, boost, lambda word: word.startswith(query.text))

    def _wildcard(self, query: q.Wildcard, boost: float) -> dict[str, float]:
        return self._expanded(query, boost, lambda word: fnmatch.fnmatchcase(word, query.text))

    def _termrange(self, query: q.TermRange, boost: float) -> dict[str, float]:
        def fits(word: str) -> bool:
            after = query.start < word or (query.start == word and not query.startexcl)
            before = word < query.end or (query.end == word and not query.endexcl)
            return after and before

        return self._expanded(query, boost, fits)

    def _numericrange(self, query: q.NumericRange, boost: float) -> dict[str, float]:
        ids = {
            id for id, record in self.records.items() if query.start <= record.price <= query.end
        }
        return self._constant(ids, boost * query.boost)


def _combined(
    parts: Sequence[dict[str, float]], combine: Callable[[list[float]], float]
) -> dict[str, float]:
    ids = {id for part in parts for id in part}
    return {id: combine([part[id] for part in parts if id in part]) for id in ids}


def _in_all(parts: Sequence[dict[str, float]]) -> set[str]:
    return set.intersection(*map(set, parts)) if parts else set()


def bands(ranking: Sequence[tuple[str, float]], gap: float) -> list[tuple[str, float]]:
    """A ranking by (score, id) rearranged into leader-anchored bands of undivided records."""
    arranged: list[tuple[str, float]] = []
    rest = list(ranking)
    while rest:
        leader = rest[0][1]
        members = [pair for pair in rest if leader - pair[1] <= gap]
        arranged += sorted(members, key=lambda pair: pair[0])
        rest = rest[len(members) :]
    return arranged


def nearest_byte(length: int) -> int:
    """The byte that Whoosh stores for a length, from its table alone."""
    return bisect_left([byte_to_length(byte) for byte in range(256)], length)
