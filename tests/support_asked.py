"""Hundreds of query trees of every class, the same on every run, Python and Whoosh distribution.

Over the fields of support_machine. ``random.Random`` gives the same numbers everywhere, so the
questions need no file.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from datetime import datetime
from typing import Any

from whoosh import query as q
from whoosh import scoring

from support_layouts import WORDS

BOOSTS = [1.0, 1.0, 1.0, 2.0, 0.5, 3.7, 0.1, 1.3]


class _Asker:
    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def word(self) -> str:
        return WORDS[min(int(self.rng.expovariate(0.12)), len(WORDS) - 1)]

    def words(self, low: int, high: int) -> list[str]:
        return [self.word() for _ in range(self.rng.randint(low, high))]

    def field(self) -> str:
        return self.rng.choice(["title", "text", "text"])

    def boost(self) -> float:
        return self.rng.choice(BOOSTS)

    def term(self, field: str | None = None) -> q.Query:
        return q.Term(field or self.field(), self.word(), boost=self.boost())

    def terms(self, low: int, high: int, field: str | None = None) -> list[q.Query]:
        return [self.term(field) for _ in range(self.rng.randint(low, high))]

    # One method a kind of question.

    def bag(self) -> q.Query:
        words = self.words(1, 8)
        return q.Or([q.Term(field, word) for word in words for field in ("title", "text")])

    def either(self) -> q.Query:
        return q.Or(self.terms(2, 6), boost=self.boost())

    def all_of(self) -> q.Query:
        return q.And(self.terms(1, 3), boost=self.boost())

    def all_and_any(self) -> q.Query:
        return q.And([self.term("text"), q.Or(self.terms(2, 4))], boost=self.boost())

    def best_of(self) -> q.Query:
        return q.DisjunctionMax(self.terms(2, 5), boost=self.boost())

    def scaled(self) -> q.Query:
        return q.Or(self.terms(2, 4), scale=self.rng.choice([0.5, 0.9]), boost=self.boost())

    def without(self) -> q.Query:
        return q.AndNot(self.either(), self.term())

    def perhaps(self) -> q.Query:
        return q.AndMaybe(self.term("text"), self.either())

    def required(self) -> q.Query:
        return q.Require(self.either(), self.term())

    def otherwise(self) -> q.Query:
        rare = q.And([q.Term("title", word) for word in self.words(3, 3)])
        return q.Otherwise(rare, self.either())

    def negated(self) -> q.Query:
        return q.And([self.term("text"), q.Not(self.term())])

    def constant(self) -> q.Query:
        return q.Or([q.ConstantScoreQuery(self.term(), self.boost()), self.term()])

    def weighted(self) -> q.Query:
        model = self.rng.choice([scoring.TF_IDF, scoring.PL2, scoring.DFree, scoring.Frequency])
        return q.Or([q.WeightingQuery(self.either(), model()), self.term()])

    def phrase(self) -> q.Query:
        words = self.words(2, 3)
        return q.Phrase(self.field(), words, slop=self.rng.randint(1, 3), boost=self.boost())

    def near(self) -> q.Query:
        return q.SpanNear(
            self.term("text"), self.term("text"), slop=self.rng.randint(1, 5),
            ordered=self.rng.random() < 0.5,
        )  # fmt: skip

    def near_each(self) -> q.Query:
        return q.SpanNear2(self.terms(2, 3, "text"), slop=self.rng.randint(2, 6))

    def span_or(self) -> q.Query:
        return q.SpanOr(self.terms(2, 5, "text"))

    def span_not(self) -> q.Query:
        return q.SpanNot(self.near(), self.term("text"))

    def span_first(self) -> q.Query:
        return q.SpanFirst(self.term("text"), limit=self.rng.randint(0, 3))

    def span_contains(self) -> q.Query:
        return q.SpanContains(self.near(), self.term("text"))

    def span_before(self) -> q.Query:
        return q.SpanBefore(self.span_or(), self.term("text"))

    def span_condition(self) -> q.Query:
        return q.SpanCondition(self.term("text"), self.near())

    def sequence(self) -> q.Query:
        return q.Sequence(self.terms(2, 3, "text"), slop=3, boost=self.boost())

    def ordered(self) -> q.Query:
        return q.Ordered(self.terms(2, 3, "text"), boost=self.boost())

    def pattern(self) -> q.Query:
        word, constant = self.word(), self.rng.random() < 0.5
        field, boost = self.field(), self.boost()
        return self.rng.choice(
            [
                q.Prefix(field, word[:1], boost, constant),
                q.Wildcard(field, f"?{word[1]}*", boost, constant),
                q.Regex(field, f"[{word[0]}x].+", boost, constant),
                q.FuzzyTerm(field, word, boost, 2, 1, constant),
                q.Variations(field, word, boost),
                q.TermRange(
                    field, *sorted([word, self.word()]), boost=boost, constantscore=constant
                ),
            ]
        )

    def numbers(self) -> q.Query:
        low, boost = self.rng.randint(0, 30), self.boost()
        high = low + self.rng.randint(0, 12)
        return self.rng.choice(
            [
                q.And([self.term(), q.NumericRange("price", low, high, boost=boost)]),
                q.NumericRange("price", low, high, boost=boost, constantscore=False),
                q.DateRange("day", datetime(2024, 1, 1 + low % 28), datetime(2024, 2, 1)),
                q.ColumnQuery("price", low),
            ]
        )

    def everything(self) -> q.Query:
        return q.AndMaybe(q.Every(self.rng.choice([None, "title", "tag"])), self.term())

    def tagged(self) -> q.Query:
        return q.And([q.Term("tag", self.rng.choice(["sale", "new"]), 0.3), self.either()])

    def nested(self) -> q.Query:
        kinds = [self.either, self.all_and_any, self.best_of, self.pattern, self.phrase]
        parts = [self.rng.choice(kinds)() for _ in range(3)]
        return self.rng.choice([q.Or, q.And, q.DisjunctionMax])(parts, boost=self.boost())


PLAIN: list[Callable[[_Asker], q.Query]] = [_Asker.bag, _Asker.either, _Asker.all_of]
"""Kinds that stock Whoosh answers without an error, in its own order."""

KINDS: list[Callable[[_Asker], q.Query]] = [
    *PLAIN, _Asker.all_and_any, _Asker.best_of, _Asker.scaled, _Asker.without, _Asker.perhaps,
    _Asker.required, _Asker.otherwise, _Asker.negated, _Asker.constant, _Asker.weighted,
    _Asker.phrase, _Asker.near, _Asker.near_each, _Asker.span_or, _Asker.span_not,
    _Asker.span_first, _Asker.span_contains, _Asker.span_before, _Asker.span_condition,
    _Asker.sequence, _Asker.ordered, _Asker.pattern, _Asker.pattern, _Asker.numbers,
    _Asker.numbers, _Asker.everything, _Asker.tagged, _Asker.nested,
]  # fmt: skip


def asked(count: int, seed: int = 1, kinds: Any = None) -> list[q.Query]:
    """So many questions, the kinds in turn."""
    asker = _Asker(random.Random(seed))
    chosen = kinds or KINDS
    return [chosen[number % len(chosen)](asker) for number in range(count)]
