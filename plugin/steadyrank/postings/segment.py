"""One segment of a Whoosh index: its live postings and field lengths as arrays, cached."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from whoosh.codec.memory import MemPerDocReader
from whoosh.codec.whoosh3 import W3PerDocReader, W3TermsReader
from whoosh.reading import TermNotFound
from whoosh.util.numeric import length_to_byte

from steadyrank.postings.byte_columns import open_late, quick
from steadyrank.postings.compiled.checked import UnfitError
from steadyrank.postings.compiled.ids import Ids
from steadyrank.postings.compiled.reading import Arrays
from steadyrank.postings.compiled.source import ValueSource
from steadyrank.postings.decode import Docs, Postings, coded_values, decode
from steadyrank.postings.kept import kept_of
from steadyrank.postings.length_bytes import LENGTH_OF_BYTE, length_bytes
from steadyrank.postings.locks import lock
from steadyrank.postings.numbered import Numbered

_KEPT_FREQUENCIES = 50_000

T = TypeVar("T")


class Segment:
    """What a leaf reader holds of its live documents. Document numbers are the segment's own.

    A reader is a snapshot, so everything is computed at most once; threads may share it.
    """

    def __init__(self, reader: Any) -> None:
        self.reader = reader
        self.size: int = reader.doc_count_all()
        open_late(getattr(reader, "_perdoc", None))
        self._kept = kept_of(reader)
        self._lock = self._kept.lock  # readers share one file position between threads
        self._arrays: Arrays | None = None
        self._looked_for_arrays = False
        self._totals: dict[str, int] = {}
        self._frequencies: dict[tuple[str, bytes], int] = {}
        self._columns: dict[str, Callable[[int], Any]] = {}
        self.deleted: NDArray[np.bool_] | None = self._read_deleted()
        self.live_count: int = self.size - (
            0 if self.deleted is None else int(np.count_nonzero(self.deleted))
        )

    def _read_deleted(self) -> NDArray[np.bool_] | None:
        if not self.reader.has_deletions():
            return None
        deleted = np.zeros(self.size, np.bool_)
        per_document = getattr(self.reader, "_perdoc", None)
        if isinstance(per_document, W3PerDocReader):
            numbers = list(per_document.deleted_docs())
        else:
            numbers = [doc for doc in range(self.size) if self.reader.is_deleted(doc)]
        deleted[numbers] = True
        return deleted

    def live(self, docs: Docs) -> Docs:
        """Those of the document numbers that are not deleted, in their order."""
        return docs if self.deleted is None else docs[~self.deleted[docs]]

    def live_docs(self) -> Docs:
        """The numbers of all live documents, ascending."""
        return self.live(np.arange(self.size, dtype=np.int64))

    def _compiled(self, field: str, read: Callable[[Arrays], T]) -> T | None:
        # What the compiled form says of the field; None where there is none, or it is damaged.
        return self._asked(lambda arrays: read(arrays) if arrays.has_field(field) else None)

    def _asked(self, read: Callable[[Arrays], T | None]) -> T | None:
        if not self._looked_for_arrays:
            self._arrays = self._kept.arrays(self.reader)
            self._looked_for_arrays = True
        arrays = self._arrays
        if arrays is None:
            return None
        try:
            return read(arrays)
        except UnfitError as error:
            self._arrays = None
            self._kept.drop(arrays, str(error))
            return None

    def postings(self, field: str, term: bytes) -> Postings:
        """The term's postings in live documents; empty where it does not occur."""
        if field not in self.reader.schema:  # taken out of it, and no news for other readers
            return Postings.empty()
        found = self._compiled(field, lambda arrays: arrays.postings(field, term))
        if found is None:
            found = self._kept.postings((field, term), lambda: self._read_postings(field, term))
        return found if self.deleted is None else found.where(~self.deleted[found.docs])

    def _read_postings(self, field: str, term: bytes) -> Postings:
        # A dictionary on disk is asked once, not twice.
        on_disk = isinstance(getattr(self.reader, "_terms", None), W3TermsReader)
        if not on_disk and (field, term) not in self.reader:
            return Postings.empty()
        try:
            matcher = _plain_matcher(self.reader, field, term)
        except TermNotFound:
            return Postings.empty()
        return decode(matcher)

    def doc_frequency(self, field: str, term: bytes) -> int:
        """In how many live documents the term occurs; reads its postings only where some of
        the segment's are deleted.
        """
        if self.deleted is None:
            if field in self.reader.schema:  # if not, Whoosh has an error to say so
                known = self._compiled(field, lambda arrays: arrays.doc_frequency(field, term))
                if known is None and self.reader.schema[field].format is not None:
                    known = self._kept.size_of((field, term))  # no second look into a dictionary
                if known is not None:
                    return known
            return int(self.reader.doc_frequency(field, term))
        if field not in self.reader.schema:
            return 0
        found = self._frequencies.get((field, term))
        if found is None:
            if len(self._frequencies) >= _KEPT_FREQUENCIES:
                self._frequencies.clear()
            docs = self._compiled(field, lambda arrays: arrays.docs(field, term))
            if docs is None:
                docs = self._kept.docs((field, term), lambda: self._read_postings(field, term))
            found = docs.size - int(np.count_nonzero(self.deleted[docs]))
            self._frequencies[field, term] = found
        return found

    def has_terms(self, field: str) -> bool:
        """Whether the segment has any postings of the field."""
        return field in set(self.reader.indexed_field_names())

    def terms_from(self, field: str) -> Iterator[tuple[tuple[str, bytes], Any]]:
        """The terms of a disk segment in their order, from the first one of the field on, as
        ((field, term), Whoosh's info about it).
        """
        walk = self.reader._terms.items_from(field, b"")
        while True:
            with self._lock:
                item = next(walk, None)
            if item is None:
                return
            yield item

    def docs_with(self, field: str) -> Docs:
        """The live documents that have any term of the field, ascending."""
        found = np.zeros(self.size, np.bool_)
        if self.has_terms(field):
            for term in self.reader.lexicon(field):
                found[self.postings(field, bytes(term)).docs] = True
        return np.flatnonzero(found)

    def positions(self, field: str, term: bytes, docs: Docs) -> Iterator[tuple[int, Sequence[int]]]:
        """Each of the (ascending, live) documents that has the term, and where it stands there."""
        with self._lock:
            if (field, term) not in self.reader:
                return
            positions = self.reader.schema[field].format.decoder("positions")
            wanted = docs.tolist()
            asked = set(wanted)
            matcher = _plain_matcher(self.reader, field, term)
            for _, (found, values) in coded_values(matcher, wanted):
                for doc, value in zip(found, values, strict=True):
                    if doc in asked:
                        yield doc, positions(value)

    def lengths(self, field: str, docs: Docs | None = None) -> NDArray[np.int64] | None:
        """The field's length in each document as its stored byte decodes, or in those of
        ``docs``; None without lengths.

        An in-memory segment knows exact lengths: they are rounded as writing would round them.
        """
        if field not in self._kept.lengths:
            with self._lock:
                self._kept.lengths[field] = self._read_lengths(field)
        raw = self._kept.lengths[field]
        return None if raw is None else LENGTH_OF_BYTE[raw if docs is None else raw[docs]]

    def _read_lengths(self, field: str) -> NDArray[np.uint8] | None:
        per_document = getattr(self.reader, "_perdoc", None)
        if isinstance(per_document, W3PerDocReader):
            compiled = self._compiled(field, lambda arrays: arrays.length_bytes(field))
            if compiled is not None:
                return compiled
            return length_bytes(per_document, field, self.size)
        exact = [self.reader.doc_field_length(doc, field, 0) or 0 for doc in range(self.size)]
        if not any(exact):
            return None
        return np.array([length_to_byte(length) for length in exact], np.uint8)

    def field_length(self, field: str) -> int:
        """The field's length summed over the live documents, in tokens as the bytes decode."""
        if field not in self._totals:
            lengths = self.lengths(field)
            if lengths is None:
                total = 0
            elif self.deleted is None:
                total = int(lengths.sum())
            else:
                total = int(lengths[~self.deleted].sum())
            self._totals[field] = total
        return self._totals[field]

    def values(self, field: str) -> Callable[[int], Any]:
        """A function from document number to the field's value: a sortable column, else stored.

        A sortable field without a value has its column's default in every segment, None where
        that is nothing (dates). What was read is kept.
        """
        kept = self._kept_values(field)
        read = self._value_reader(field)

        def value(doc: int) -> Any:
            if doc not in kept:
                with self._lock:
                    kept[doc] = read(doc)
            return kept[doc]

        return value

    def _kept_values(self, field: str) -> dict[int, Any]:
        return self._kept.values.setdefault(self._kinds(field), {})

    def _kinds(self, field: str) -> tuple[str, Any]:
        # A value depends on what the schema says of the field, which may have changed since.
        schema = self.reader.schema
        kinds = (type(schema[field]), type(schema[field].column_type)) if field in schema else None
        return field, kinds

    def column(self, field: str) -> Callable[[int], Any]:
        """A function from document number to the value in the field's column.

        A document that was given no value has the column's default, also where no document of
        the segment was given one and Whoosh wrote no column at all.
        """
        if self.reader.has_column(field):
            return self.values(field)
        return _readable(self.reader.column_reader(field).__getitem__)

    def numbered(
        self, field: str, docs: Docs, tick: Callable[[], None] = lambda: None
    ) -> tuple[NDArray[np.int32], list[Any]]:
        """The field's value in each of the documents as a number, and what the numbers stand for.

        For fields with few values, such as a kind; what was read is kept. ``tick`` is called now
        and then while values are read.
        """
        with self._lock:
            known = self._kept.numbered.get(self._kinds(field))
            if known is None:
                known = self._asked(lambda arrays: self._own_kinds(arrays, field))
                known = known or Numbered(self.size)
                self._kept.numbered[self._kinds(field)] = known
            return known.of(docs, lambda: self._value_reader(field), tick), known.values

    def source(self, field: str) -> ValueSource | None:
        """Where the field's values come from, to compile them; None where there are none."""
        if field not in self.reader.schema:
            return None
        kind = self.reader.schema[field]
        if not (kind.stored or kind.column_type):
            return None
        return ValueSource(field, self._way(field), self._plain_value_reader(field))

    def id_ranks(self, field: str) -> NDArray[np.int32] | None:
        """How many of the segment's ids come before each document's, if this is their field and
        all are different; None where that was not compiled.
        """
        return self._asked(lambda arrays: self._own_ids(arrays, field, lambda ids: ids.ranks()))

    def _own_ids(self, arrays: Arrays, field: str, read: Callable[[Ids], T]) -> T | None:
        ids = arrays.ids
        if ids is None or ids.field != field or field not in self.reader.schema:
            return None
        return read(ids) if ids.way == self._way(field) else None

    def _own_kinds(self, arrays: Arrays, field: str) -> Numbered | None:
        kinds = arrays.kinds
        if kinds is None or kinds.field != field or field not in self.reader.schema:
            return None
        if kinds.way != self._way(field):
            return None
        return Numbered(self.size, kinds.values, kinds.numbers())

    def _way(self, field: str) -> str:
        # By what the schema says, which may change, and by what there is.
        kind = self.reader.schema[field]
        column = kind.column_type
        stored = column is None or not self.reader.has_column(field)
        names = type(kind).__name__, type(column).__name__
        return " ".join((*names, "stored" if stored else "column"))

    def _value_reader(self, field: str) -> Callable[[int], Any]:
        plain = self._plain_value_reader(field)
        known = self._asked(lambda arrays: self._own_ids(arrays, field, lambda ids: ids))
        if known is None:
            return plain

        def value(doc: int) -> Any:
            text = self._asked(lambda _: known.text(doc))
            return plain(doc) if text is None else text

        return value

    def _plain_value_reader(self, field: str) -> Callable[[int], Any]:
        if field not in self._columns:
            reader = self.reader
            if field not in reader.schema:  # taken out of it, though stored fields still have it
                return lambda doc: None
            column = reader.schema[field].column_type
            if column is not None and reader.has_column(field) and not self.in_memory:
                opened = reader.column_reader(field, quick(column))
                self._columns[field] = _readable(opened.__getitem__)
            else:
                missing = None if column is None else _default(reader.schema[field], column)
                # Past the reader, which builds a dict anew for every document.
                stored = getattr(reader, "_perdoc", reader).stored_fields
                self._columns[field] = lambda doc: _or(stored(doc).get(field), missing)
        return self._columns[field]

    @property
    def in_memory(self) -> bool:
        """Whether it is a writer's buffer."""
        # Where columns cannot be relied on: adding a document to a BufferedWriter overwrites
        # those of the documents before it, in most distributions.
        return isinstance(getattr(self.reader, "_perdoc", None), MemPerDocReader)


def _or(value: Any, missing: Any) -> Any:
    return missing if value is None else value


def _default(kind: Any, column: Any) -> Any:
    # What a column says of a document without a value. A segment where no document has one has
    # no column, and must not say otherwise.
    value = column.default_value()
    return value if value is None else _readable(kind.from_column_value)(value)


def _readable(read: Callable[[Any], Any]) -> Callable[[Any], Any]:
    # The default of a column of dates is no date that Python can represent: reading it raises,
    # and means that there is no value.
    def value(of: Any) -> Any:
        try:
            return read(of)
        except OverflowError:
            return None

    return value


def _plain_matcher(reader: Any, field: str, term: bytes) -> Any:
    # Around the filter that Whoosh puts over a segment with deletions: it steps one posting at a
    # time, and we drop the deleted ones from the arrays.
    terms = getattr(reader, "_terms", None)
    if terms is None:
        return reader.postings(field, term)
    return terms.matcher(field, term, reader.schema[field].format)


_SEGMENTS: WeakKeyDictionary[Any, Segment] = WeakKeyDictionary()
_SEGMENTS_LOCK = lock()


def segment_of(reader: Any) -> Segment:
    """The cached view of a leaf reader; per reader object, since a generation number can lie."""
    with _SEGMENTS_LOCK:
        found = _SEGMENTS.get(reader)
        if found is None:
            # A weak value in a weak-keyed map would keep its key alive through Segment.reader.
            found = Segment(_weak(reader))
            _SEGMENTS[reader] = found
        return found


def _weak(reader: Any) -> Any:
    from weakref import proxy

    return proxy(reader)
