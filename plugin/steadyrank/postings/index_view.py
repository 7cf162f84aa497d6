"""A whole index as one: the arrays of its segments, with the document numbers of the index."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from steadyrank.postings.decode import Docs, Postings
from steadyrank.postings.segment import Segment, segment_of


class IndexView:
    """The live documents of a reader, whatever its segments. Terms are (field, bytes)."""

    def __init__(self, reader: Any) -> None:
        self.reader = reader
        leaves = [(reader, 0)] if reader.is_atomic() else list(reader.leaf_readers())
        self.segments: list[tuple[Segment, int]] = [
            (segment_of(leaf), offset) for leaf, offset in leaves
        ]
        self.size: int = reader.doc_count_all()

    def postings(self, field: str, term: bytes) -> Postings:
        """The term's postings over all segments, document numbers ascending."""
        parts = [(segment.postings(field, term), offset) for segment, offset in self.segments]
        return Postings.joined([(part, offset) for part, offset in parts if part.docs.size])

    def lengths(self, field: str, docs: Docs) -> Docs:
        """The field's length in each of the documents; 1 where a segment stores no lengths."""
        result = np.ones(docs.size, np.int64)
        for segment, start, stop, offset in self.split(docs):
            lengths = segment.lengths(field, docs[start:stop] - offset)
            if lengths is not None:
                result[start:stop] = lengths
        return result

    def live_docs(self) -> Docs:
        """The numbers of all live documents, ascending."""
        parts = [segment.live_docs() + offset for segment, offset in self.segments]
        return np.concatenate(parts) if parts else np.empty(0, np.int64)

    def live(self, docs: Docs) -> Docs:
        """Those of the (ascending) documents that are not deleted."""
        if all(segment.deleted is None for segment, _ in self.segments):
            return docs
        parts = [
            segment.live(docs[start:stop] - offset) + offset
            for segment, start, stop, offset in self.split(docs)
        ]
        return np.concatenate(parts) if parts else docs

    def split(self, docs: Docs) -> Iterator[tuple[Segment, int, int, int]]:
        # Each segment with the slice of the ascending document numbers that falls into it.
        start = 0
        for segment, offset in self.segments:
            stop = int(np.searchsorted(docs, offset + segment.size))
            if stop > start:
                yield segment, start, stop, offset
            start = stop

    def value(self, field: str, doc: int) -> Any:
        """The field's value in one document: from a sortable column, else as stored, else None."""
        for segment, start, stop, offset in self.split(np.array([doc])):
            if stop > start:
                return segment.values(field)(doc - offset)
        raise IndexError(f"the index has no document number {doc}")

    # What statistics.Counts asks.

    def doc_count(self) -> int:
        return sum(segment.live_count for segment, _ in self.segments)

    def doc_frequency(self, field: str, term: bytes) -> int:
        return sum(segment.doc_frequency(field, term) for segment, _ in self.segments)

    def term_weight(self, field: str, term: bytes) -> float:
        # Weights are sums of a few field boosts in single precision: fsum rounds once.
        from math import fsum

        return fsum(self.postings(field, term).weights)

    def field_length(self, field: str) -> int:
        return sum(segment.field_length(field) for segment, _ in self.segments)
