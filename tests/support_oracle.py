"""The definition of a score in plain Python, from the documents' words alone.

Written from the definition and sharing nothing with the engine but Whoosh's query classes: no
arrays, no postings, no readers. Slow and obvious on purpose.
"""

from __future__ import annotations

import fnmatch
import re
from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from whoosh import query as q
from whoosh.lang.morph_en import variations
from whoosh.util.numeric import byte_to_length

from support_layouts import Record
from support_models import (
    SCORED_FIELDS,
    UNSCORED_FIELDS,
    Counted,
    Facts,
    Model,
    bm25f,
    formula_of,
    stored_length,
)
from support_models import logarithm as logarithm  # for other tests
from support_oracle_spans import SpanOracle


def snapped(x: float) -> float:
    """The nearest multiple of 2**-32; Python rounds halves to even, and int is exact."""
    return round(x * 2**32) / 2**32


class Oracle(SpanOracle):
    """Scores of the live records that match.

    ``model`` scores a term in a document, ``counted`` is the corpus that its numbers are of,
    ``blocks`` are the ids of parents and their children as they were written.
    """

    def __init__(
        self,
        records: Sequence[Record],
        *,
        model: Model | None = None,
        counted: Counted | None = None,
        blocks: Sequence[Sequence[str]] = (),
    ) -> None:
        self.records = {record.id: record for record in records}
        self.count = len(records)
        self.model = model or bm25f()
        self.counted = counted or Counted(records)
        self.blocks = blocks
        self._leaves: dict[tuple[str, str], dict[str, float]] = {}
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
        return stored_length(len(self.words[id, field]))

    def scores(self, query: q.Query, boost: float = 1.0) -> dict[str, float]:
        """The score of each record that matches."""
        for kind in type(query).__mro__:  # a class that only renames means what its base means
            handler = getattr(self, "_" + kind.__name__.lstrip("_").lower(), None)
            if handler is not None:
                return handler(query, boost)  # type: ignore[no-any-return]
        raise AssertionError(f"no definition of {query!r}")

    def ranking(self, query: q.Query) -> list[tuple[str, float]]:
        """All matches by (score descending, id)."""
        return sorted(self.scores(query).items(), key=lambda pair: (-pair[1], pair[0]))

    # Leaves

    def _leaf(self, field: str, word: str, boost: float) -> dict[str, float]:
        if (field, word) not in self._leaves:
            self._leaves[field, word] = self._unboosted(field, word)
        leaf = self._leaves[field, word]
        return leaf if boost == 1.0 else {id: snapped(leaf[id] * boost) for id in leaf}

    def _unboosted(self, field: str, word: str) -> dict[str, float]:
        if field not in SCORED_FIELDS and field not in UNSCORED_FIELDS:
            return {}  # no such field in the schema
        having = [id for id in self.records if word in self.words[id, field]]
        scores = {}
        for id in having:
            times = self.words[id, field].count(word)
            frequency, term_weight = self.counted.term(field, word)
            facts = Facts(
                field,
                times * SCORED_FIELDS.get(field, 1.0),
                self._length(id, field) if field in SCORED_FIELDS else 1,
                self.counted.documents,
                frequency,
                term_weight,
                self.counted.total(field),
            )
            scores[id] = snapped(self.model(facts))
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
        if query.scale and len(query.subqueries) > 1:
            return self._coordinated(query, boost)
        return _combined(self._each(query, boost), sum)

    def _coordinated(self, query: q.Or, boost: float) -> dict[str, float]:
        summed = _combined(self._each(query, 1.0), sum)
        places = list(self._places(query))
        count = len(places)
        scores = {}
        for id, score in summed.items():
            if count:
                matching = sum(1 for having in places if id in having)
                bonus = (matching - 1) / (count - query.scale) ** 2 if count > 1 else 0.0
                score = snapped((score + bonus) * (count - 1) / count)
            scores[id] = snapped(score * boost)
        return scores

    def _places(self, query: Any) -> Iterable[set[str]]:
        # The records that have the term, for each place where a term or a pattern stands.
        if isinstance(query, q.Term):
            yield set(self._leaf(query.fieldname, query.text, 1.0))
        elif isinstance(query, q.Phrase):
            yield from (set(self._leaf(query.fieldname, word, 1.0)) for word in query.words)
        elif isinstance(query, q.MultiTerm):
            yield set(self.scores(query))
        else:
            for child in _children(query):
                yield from self._places(child)

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

    def _weightingquery(self, query: q.WeightingQuery, boost: float) -> dict[str, float]:
        model = formula_of(query.weighting)
        under = Oracle(
            list(self.records.values()), model=model, counted=self.counted, blocks=self.blocks
        )
        return under.scores(query.child, boost)

    # Patterns and ranges: every word of the field that fits

    def _expanded(self, query: Any, boost: float, fits: Callable[[str], bool]) -> dict[str, float]:
        field = query.fieldname
        vocabulary = {word for id in self.records for word in self.words[id, field]}
        parts = [self._leaf(field, word, boost * query.boost) for word in vocabulary if fits(word)]
        if getattr(query, "constantscore", False):
            return self._constant({id for part in parts for id in part}, boost * query.boost)
        return _combined(parts, sum)

    def _prefix(self, query: q.Prefix, boost: float) -> dict[str, float]:
        if query.text == "":
            return self._every(q.Every(query.fieldname, boost=query.boost), boost)
        return self._expanded(query, boost, lambda word: word.startswith(query.text))

    def _wildcard(self, query: q.Wildcard, boost: float) -> dict[str, float]:
        if query.text == "*":
            return self._every(q.Every(query.fieldname, boost=query.boost), boost)
        return self._expanded(query, boost, lambda word: fnmatch.fnmatchcase(word, query.text))

    def _termrange(self, query: q.TermRange, boost: float) -> dict[str, float]:
        def fits(word: str) -> bool:
            start, end = query.start or "", query.end or chr(0x10FFFF)
            after = start < word or (start == word and not query.startexcl)
            before = word < end or (end == word and not query.endexcl)
            return after and before

        return self._expanded(query, boost, fits)

    def _regex(self, query: q.Regex, boost: float) -> dict[str, float]:
        if query.text == ".*":
            return self._every(q.Every(query.fieldname, boost=query.boost), boost)
        return self._expanded(query, boost, lambda word: re.match(query.text, word) is not None)

    def _fuzzyterm(self, query: q.FuzzyTerm, boost: float) -> dict[str, float]:
        start = query.text[: query.prefixlength]

        def near(word: str) -> bool:
            return word.startswith(start) and edits(word, query.text) <= query.maxdist

        return self._expanded(query, boost, near)

    def _variations(self, query: q.Variations, boost: float) -> dict[str, float]:
        forms = set(variations(query.text))
        return self._expanded(query, boost, lambda word: word in forms)

    def _numericrange(self, query: q.NumericRange, boost: float) -> dict[str, float]:
        start, end = query.start, query.end
        if isinstance(query, q.DateRange):
            start, end = query.startdate, query.enddate

        def fits(value: float | datetime) -> bool:
            after = start is None or value > start or (value == start and not query.startexcl)
            before = end is None or value < end or (value == end and not query.endexcl)
            return after and before

        ids = [id for id, record in self.records.items() if fits(getattr(record, query.fieldname))]
        return self._constant(ids, boost * query.boost)  # a number's own weight is 1

    def _columnquery(self, query: q.ColumnQuery, boost: float) -> dict[str, float]:
        fits = query.condition
        if not callable(fits):
            fits = query.condition.__eq__
        none = 2**31 - 1  # what the column of a number holds where there is none
        values = {id: getattr(record, query.fieldname) for id, record in self.records.items()}
        ids = [id for id, value in values.items() if fits(none if value is None else value)]
        return self._constant(ids, boost)

    # Blocks: a child's parent is the last parent written before it

    def _parents(self, query: Any) -> Mapping[str, str]:
        parents = set(self.scores(query.parents))
        owner: dict[str, str] = {}
        for block in self.blocks:
            current = None
            for id in block:
                current = id if id in parents else current
                if current is not None:
                    owner[id] = current
        return owner

    def _nestedparent(self, query: q.NestedParent, boost: float) -> dict[str, float]:
        owner = self._parents(query)
        found = self.scores(query.child, boost)
        below: dict[str, list[float]] = {}
        for id in (id for block in self.blocks for id in block if id in found):
            below.setdefault(owner[id], []).append(found[id])
        limit = query.per_parent_limit
        return {id: snapped(query.score_fn(scores[:limit])) for id, scores in below.items()}

    def _nestedchildren(self, query: q.NestedChildren, boost: float) -> dict[str, float]:
        parents = set(self.scores(query.parents))
        wanted = self.scores(query.child)
        found = set()
        for block in self.blocks:
            taking = False
            for id in block:
                if id in parents:
                    taking = False
                if taking and id not in parents:
                    found.add(id)
                if id in wanted:
                    taking = True
        return self._constant(found, boost * query.boost)


def _children(query: Any) -> Sequence[q.Query]:
    for name in ("subqueries", "qs", "subqs"):
        if hasattr(query, name):
            return list(getattr(query, name))
    if hasattr(query, "a"):
        return [query.a, query.b]
    for name in ("query", "child", "q"):
        if hasattr(query, name):
            return [getattr(query, name)]
    return []


def edits(a: str, b: str) -> int:
    """Levenshtein's distance: insertions, deletions and replacements of one letter."""
    row = list(range(len(b) + 1))
    for count, letter in enumerate(a, 1):
        last, row[0] = row[0], count
        for place, other in enumerate(b, 1):
            last, row[place] = (
                row[place],
                min(row[place] + 1, row[place - 1] + 1, last + (letter != other)),
            )
    return row[-1]


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
