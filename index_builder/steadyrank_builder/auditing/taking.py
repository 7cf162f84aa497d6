"""An index's postings by document, so that they can be written again in another order.

They are taken as they are, and nothing is analysed again: a field needs not be stored, and its
analyzer may have changed since, or boosted single words.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from typing import Any

import numpy as np
from whoosh.util.numeric import byte_to_length, length_to_byte

from steadyrank.postings import IndexView

# Term, frequency, weight, coded value: what Whoosh's ``FieldType.index`` yields.
Posting = tuple[bytes, int, float, bytes]


class TakenField:
    """All postings of one field in live documents, which are numbered by ``places``."""

    def __init__(self, view: IndexView, name: str, places: Any) -> None:
        self.name = name
        self._field = view.reader.schema[name]
        self._lengths = _lengths(view, name, places)
        where, terms, values, weights = array("i"), array("i"), array("i"), array("d")
        known: dict[bytes, int] = {}
        numbers: dict[bytes, int] = {}
        for segment, offset in view.segments:
            if not segment.has_terms(name):
                continue
            for word in segment.reader.lexicon(name):
                term = numbers.setdefault(bytes(word), len(numbers))
                matcher = segment.reader.postings(name, word)
                while matcher.is_active():
                    place = places[matcher.id() + offset]
                    if place >= 0:
                        where.append(place)
                        terms.append(term)
                        weights.append(matcher.weight())
                        value = bytes(matcher.value() or b"")  # None where a format has none
                        values.append(known.setdefault(value, len(known)))
                    matcher.next()
        self._terms, self._values = list(numbers), list(known)
        frequency = self._field.format.decoder("frequency")
        self._frequencies = [int(frequency(value)) for value in self._values]
        order = np.argsort(np.array(where, np.int32), kind="stable")
        documents = np.arange(int((places >= 0).sum()) + 1)
        self._starts = np.searchsorted(np.array(where, np.int32)[order], documents).tolist()
        self._of_term = np.array(terms, np.int32)[order]
        self._of_value = np.array(values, np.int32)[order]
        self._weights = np.array(weights, np.float64)[order]

    def __len__(self) -> int:
        return len(self._weights)

    def postings(self, place: int) -> list[Posting]:
        """The document's postings, with frequencies that add up to the length it has there."""
        start, stop = self._starts[place : place + 2]
        found = [
            (self._terms[term], self._frequencies[value], weight, self._values[value])
            for term, value, weight in zip(
                self._of_term[start:stop].tolist(),
                self._of_value[start:stop].tolist(),
                self._weights[start:stop].tolist(),
                strict=True,
            )
        ]
        return list(self._of_length(place, found)) if self._field.scorable else found

    def _of_length(self, place: int, postings: list[Posting]) -> Iterator[Posting]:
        # A writer sums frequencies to a length and keeps it as one byte. Where that byte would
        # be another one, the index has lengths that were not counted so: keep its own.
        wanted = 0 if self._lengths is None else int(self._lengths[place])
        counted = sum(frequency for _, frequency, _, _ in postings)
        missing = 0 if byte_to_length(length_to_byte(counted)) == wanted else wanted - counted
        for term, frequency, weight, value in postings:
            yield term, frequency + missing, weight, value
            missing = 0


def _lengths(view: IndexView, name: str, places: Any) -> Any:
    parts = [(segment.lengths(name), offset) for segment, offset in view.segments]
    if all(lengths is None for lengths, _ in parts):
        return None
    found = np.zeros(int((places >= 0).sum()), np.int64)
    for lengths, offset in parts:
        if lengths is not None:
            live = places[offset : offset + lengths.size]
            found[live[live >= 0]] = lengths[live >= 0]
    return found
