"""The terms that texts are in an index, remembered from one question to the next.

Making terms takes an analyzer more time than looking them up, and words come again and again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from steadyrank.scoring.evaluator import Evaluator, Leaf
from steadyrank.scoring.leaf_cache import leaf_cache
from steadyrank.words import field_terms, searchable

# One term in each of the fields that make it of a text.
Group = tuple[Leaf, ...]

# So many texts, each of so many characters at most, are remembered for each choice of fields.
_TEXTS, _LONG = 10_000, 100

# Choices of fields that are remembered for a reader.
_CHOICES = 16

Chosen = dict[str, tuple[Any, float]]  # field name -> the field, its weight


def groups_of(
    evaluator: Evaluator, fields: Mapping[str, float], texts: Sequence[str]
) -> list[tuple[Group, ...] | None]:
    """For each text its distinct terms, each in all fields that make it of the text.

    None for a text of which no field makes a term; a term that no field can hold is in no group.
    Raises PolicyError for fields that cannot be searched.
    """
    chosen = searchable(evaluator.schema, fields)
    known = leaf_cache(evaluator.view.reader).readings
    key = tuple((name, weight) for name, (_, weight) in chosen.items())
    reading: _Reading | None = known.get(key)
    if reading is None or not reading.is_of(chosen):
        if len(known) >= _CHOICES:
            known.clear()
        reading = known[key] = _Reading(chosen)
    return [reading.groups(evaluator, text) for text in texts]


class _Reading:
    """What fields make of texts, for as long as these are the fields and their analyzers."""

    def __init__(self, chosen: Chosen) -> None:
        self._made_by = [(field, field.analyzer) for field, _ in chosen.values()]
        self._chosen = chosen
        self._kept: dict[str, tuple[Group, ...] | None] = {}

    def is_of(self, chosen: Chosen) -> bool:
        """Whether the same fields, with the same analyzers, are chosen."""
        return all(
            field is made_by and field.analyzer is analyzer
            for (made_by, analyzer), (field, _) in zip(self._made_by, chosen.values(), strict=True)
        )

    def groups(self, evaluator: Evaluator, text: str) -> tuple[Group, ...] | None:
        """The groups of a text."""
        if text in self._kept:
            return self._kept[text]
        made = self._groups(evaluator, text)
        if len(text) <= _LONG:
            if len(self._kept) >= _TEXTS:
                self._kept.clear()
            self._kept[text] = made
        return made

    def _groups(self, evaluator: Evaluator, text: str) -> tuple[Group, ...] | None:
        any_term = False
        found: dict[bytes, dict[Leaf, None]] = {}
        for name, (field, weight) in self._chosen.items():
            for written in field_terms(field, text):
                any_term = True
                term = evaluator.term_bytes(name, written)
                if term is not None:
                    found.setdefault(term, {})[name, term, weight] = None
        return tuple(map(tuple, found.values())) if any_term else None
