"""Whoosh's weighting models as plain formulas, and the counts that they take.

Written from the formulas' sources, on single numbers; the corpus is counted by hand from its
words.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import cache
from typing import Any

from whoosh import scoring
from whoosh.util.numeric import byte_to_length, length_to_byte

from support_layouts import Record

SCORED_FIELDS = {"title": 2.0, "text": 1.0}  # field: its boost in the schema
UNSCORED_FIELDS = {"id", "tag"}


@cache
def logarithm(x: float) -> float:
    return float(Context(prec=70).ln(Decimal(x)))


@dataclass(frozen=True)
class Facts:
    """What a model sees of one term in one document and of the term in the corpus."""

    field: str
    weight: float
    length: int
    documents: int
    frequency: int
    term_weight: float
    total: int

    @property
    def scorable(self) -> bool:
        return self.field in SCORED_FIELDS

    @property
    def average(self) -> float:
        return self.total / self.documents or 1

    @property
    def idf(self) -> float:
        return logarithm(self.documents / (self.frequency + 1)) + 1


Model = Callable[[Facts], float]


def stored_length(tokens: int) -> int:
    """A field's length as the one byte that Whoosh stores for it decodes."""
    return int(byte_to_length(length_to_byte(tokens)))


def words_of(record: Record, field: str) -> list[str]:
    return str(getattr(record, field)).split()


class Counted:
    """The numbers of a set of records; pinned ones answer for terms that they have not seen."""

    def __init__(self, records: Sequence[Record], *, pinned: bool = False) -> None:
        self.records = records
        self.pinned = pinned
        self.documents = max(1, len(records)) if pinned else len(records)
        self._known: dict[tuple[str, str], tuple[int, float]] = {}

    def term(self, field: str, word: str) -> tuple[int, float]:
        """In how many records the word is, and its weight summed over them."""
        if (field, word) not in self._known:
            times = [words_of(record, field).count(word) for record in self.records]
            weight = sum(times) * SCORED_FIELDS.get(field, 1.0)
            counted = (sum(1 for time in times if time), weight)
            # Unique fields are not pinned: all their terms count as unseen.
            unseen = self.pinned and (field == "id" or not counted[0])
            self._known[field, word] = (1, 1.0) if unseen else counted
        return self._known[field, word]

    def total(self, field: str) -> int:
        """The field's length over all records."""
        if field not in SCORED_FIELDS:
            return 1
        counted = sum(stored_length(len(words_of(record, field))) for record in self.records)
        return max(1, counted) if self.pinned else counted


def bm25f(b: float = 0.75, k1: float = 1.2, **of_field: float) -> Model:
    def score(facts: Facts) -> float:
        if not facts.scorable:
            return facts.weight
        share = of_field.get(facts.field, b)
        norm = k1 * ((1 - share) + share * facts.length / facts.average)
        return facts.idf * ((facts.weight * (k1 + 1)) / (facts.weight + norm))

    return score


def frequency(facts: Facts) -> float:
    return facts.weight


def tf_idf(facts: Facts) -> float:
    return facts.weight * facts.idf


def pl2(c: float = 1.0) -> Model:
    def score(facts: Facts) -> float:
        if not facts.scorable:
            return facts.weight
        tf = facts.weight * logarithm(1.0 + (c * facts.average) / facts.length)
        rate = facts.term_weight / facts.documents
        log2_of_e = 1.0 / logarithm(2.0)
        return (1.0 / (tf + 1.0)) * (
            tf * logarithm(1.0 / rate)
            + rate * log2_of_e
            + 0.5 * logarithm(2 * math.pi * tf)
            + tf * (logarithm(tf) - log2_of_e)
        )

    return score


def dfree(facts: Facts) -> float:
    if not facts.scorable:
        return facts.weight
    prior = facts.weight / facts.length
    post = (facts.weight + 1.0) / (facts.length + 1.0)
    inverse = facts.total / facts.term_weight
    gain = logarithm(post / prior)
    return (
        facts.weight
        * gain
        * (
            facts.weight * logarithm(prior * inverse)
            + (facts.weight + 1.0) * logarithm(post * inverse)
            + 0.5 * gain
        )
    )


def formula_of(weighting: Any) -> Model:
    """The formula of one of Whoosh's models, by the parameters that it was made with."""
    if isinstance(weighting, scoring.BM25F):
        return bm25f(weighting.B, weighting.K1, **weighting._field_B)
    if isinstance(weighting, scoring.PL2):
        return pl2(weighting.c)
    if isinstance(weighting, scoring.MultiWeighting):
        own = {field: formula_of(model) for field, model in weighting.weightings.items()}
        default = formula_of(weighting.default)
        return lambda facts: own.get(facts.field, default)(facts)
    if isinstance(weighting, scoring.ReverseWeighting):
        inner = formula_of(weighting.weighting)
        return lambda facts: 0 - inner(facts)
    return {scoring.Frequency: frequency, scoring.TF_IDF: tf_idf, scoring.DFree: dfree}[
        type(weighting)
    ]
