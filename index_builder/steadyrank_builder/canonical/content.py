"""All that segments hold of their live documents, in one order of documents and of terms."""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any

from steadyrank_builder.canonical.ids import Ordered

# Document number, weight, and what the field's format keeps of it (positions and the like).
Posting = tuple[int, float, bytes]


@dataclass(frozen=True, slots=True)
class Record:
    """One document: its stored fields, lengths (as their byte decodes), columns and vectors.

    Columns are raw values, without those that are the column's default. A vector is a list of
    (term, weight, value).
    """

    id: str
    stored: dict[str, Any]
    lengths: dict[str, int]
    columns: dict[str, Any]
    vectors: dict[str, list[tuple[bytes, float, bytes]]]


class Content:
    """What ``readers``, a segment each, hold of the documents in ``ordered``.

    The document at place n of ``ordered`` has the number n.
    """

    def __init__(self, readers: list[Any], schema: Any, ordered: Ordered) -> None:
        self.schema = schema
        self.ids = ordered.ids
        self._readers = readers
        self._places = ordered.places
        self._numbers = [array("q", [-1]) * reader.doc_count_all() for reader in readers]
        for number, (segment, doc) in enumerate(ordered.places):
            self._numbers[segment][doc] = number
        names = set(schema.names())
        for reader in readers:
            names |= {name for name in reader.indexed_field_names() if name in schema}
        self.fields = sorted(names)

    def field(self, name: str) -> Any:
        """The schema's field, None for one that was removed and of which values are left."""
        try:
            return self.schema[name]
        except KeyError:
            return None

    def records(self) -> Iterator[Record]:
        """Each document, in order."""
        columns = [self._columns(reader) for reader in self._readers]
        lengthy = [name for name in self.fields if self.schema[name].scorable]
        vectored = [name for name in self.fields if self.schema[name].vector]
        for id_, (segment, doc) in zip(self.ids, self._places, strict=True):
            reader = self._readers[segment]
            lengths = {name: reader.doc_field_length(doc, name) for name in lengthy}
            yield Record(
                id=id_,
                stored=dict(reader.stored_fields(doc)),
                lengths={name: length for name, length in lengths.items() if length},
                columns={
                    name: value
                    for name, column, default in columns[segment]
                    if (value := _value(column, doc, default)) != default
                },
                vectors={
                    name: _vector(reader, doc, name, self.schema[name].vector)
                    for name in vectored
                    if reader.has_vector(doc, name)
                },
            )

    def terms(self) -> Iterator[tuple[str, bytes, list[Posting]]]:
        """Field, term and postings, by field, term and document. A term without one is left out."""
        streams = [self._terms_of(segment) for segment in range(len(self._readers))]
        for (name, text), group in groupby(heapq.merge(*streams), key=itemgetter(0, 1)):
            postings: list[Posting] = []
            for _, _, segment in group:
                postings += self._postings(segment, name, text)
            if postings:
                postings.sort(key=itemgetter(0))
                yield name, text, postings

    def _terms_of(self, segment: int) -> Iterator[tuple[str, bytes, int]]:
        for name, text in self._readers[segment].all_terms():
            if name in self.schema:  # postings of a field that was removed are seen by nobody
                yield name, text, segment

    def _postings(self, segment: int, name: str, text: bytes) -> Iterator[Posting]:
        numbers = self._numbers[segment]
        matcher = self._readers[segment].postings(name, text)
        while matcher.is_active():
            number = numbers[matcher.id()]
            if number >= 0:
                yield number, matcher.weight(), matcher.value() or b""
            matcher.next()

    def _columns(self, reader: Any) -> list[tuple[str, Any, Any]]:
        """Name, reader and default value of each column that this segment has."""
        return [
            (name, reader.column_reader(name, translate=False), default_value(kind))
            for name in self.fields
            if (kind := self.schema[name].column_type) and reader.has_column(name)
        ]


def default_value(column: Any) -> Any:
    """What a document without a value has in ``column``; a column of pickles does not say."""
    try:
        return column.default_value()
    except AttributeError:
        return None


def _value(column: Any, doc: int, default: Any) -> Any:
    try:
        return column[doc]
    except IndexError:  # Whoosh ends a column of bytes with the last document that has a value
        return default


def _vector(reader: Any, doc: int, name: str, format_: Any) -> list[tuple[bytes, float, bytes]]:
    matcher = reader.vector(doc, name, format_)
    items = []
    while matcher.is_active():
        items.append((matcher.id(), matcher.weight(), matcher.value() or b""))
        matcher.next()
    return items
