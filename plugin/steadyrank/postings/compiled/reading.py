"""A compiled segment as its readers see it: lists, frequencies and lengths, from mapped pages."""

from __future__ import annotations

import os
import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steadyrank.postings.coded import Coded, Table
from steadyrank.postings.compiled.checked import CheckedFile, UnfitError
from steadyrank.postings.compiled.dictionary import Dictionary, Entry
from steadyrank.postings.compiled.ids import Ids
from steadyrank.postings.compiled.kinds import Kinds
from steadyrank.postings.compiled.layout import arrays_name
from steadyrank.postings.compiled.lists import codes_of, count_of, docs_of
from steadyrank.postings.compiled.origin import is_origin
from steadyrank.postings.decode import Postings
from steadyrank.postings.length_bytes import LENGTH_OF_BYTE

# Where terms are found is kept for so many of them.
_KEPT_ENTRIES = 20_000


class Arrays:
    """The compiled form of one segment, deleted documents included.

    UnfitError from any method where bytes are found to be damaged.
    """

    def __init__(self, folder: str, segment: str, *, trusting: bool = True) -> None:
        """Opens it. FileNotFoundError, another OSError, or UnfitError where it cannot be used
        or is of other files than the segment has now; without ``trusting`` these are compared in
        every byte.
        """
        self.path = os.path.join(folder, arrays_name(segment))  # noqa: PTH118
        self._file = CheckedFile(self.path)
        head = self._file.head
        try:
            if head["segment"] != segment or not is_origin(
                folder, segment, head["origin"], self._file.mtime_ns if trusting else None
            ):
                raise UnfitError("it was made of other files than the segment has now")
            self.documents: int = head["documents"]
            self._fields: dict[str, Any] = head["fields"]
            self._dictionary = Dictionary(self._file, head["dictionary"])
            self.ids = Ids(self._file, head["ids"], self.documents) if "ids" in head else None
            self.kinds = Kinds(self._file, head["kinds"]) if "kinds" in head else None
        except (LookupError, TypeError, ValueError, AttributeError, struct.error) as error:
            raise UnfitError(f"its head is not what was expected ({error!r})") from error
        self._tables: dict[str, Table] = {}
        self._entries: dict[tuple[str, bytes], Entry | None] = {}

    @property
    def size(self) -> int:
        """Bytes of the file."""
        return self._file.size

    @property
    def terms(self) -> int:
        """How many terms it has."""
        return self._dictionary.terms

    def check(self) -> None:
        """Reads every byte."""
        self._file.check_all()

    def has_field(self, field: str) -> bool:
        """Whether everything that the segment has of the field is here."""
        return field in self._fields

    def doc_frequency(self, field: str, term: bytes) -> int:
        """In how many documents the term occurs."""
        entry = self._entry(field, term)
        return 0 if entry is None else count_of(entry)

    def docs(self, field: str, term: bytes) -> NDArray[np.int32]:
        """The documents with the term, ascending."""
        entry = self._entry(field, term)
        if entry is None:
            return np.empty(0, np.int32)
        return docs_of(self._file, entry, np.int32)

    def postings(self, field: str, term: bytes) -> Postings:
        """The documents with the term and its weights, as codes."""
        entry = self._entry(field, term)
        if entry is None:
            return Postings.empty()
        docs = docs_of(self._file, entry, np.int64)
        return Postings(docs, coded=(Coded(codes_of(self._file, entry), self._table(field)),))

    def length_bytes(self, field: str) -> NDArray[np.uint8] | None:
        """The field's length byte in each document, None where it has no lengths."""
        offset = self._fields[field]["lengths"]
        return None if offset is None else self._file.array("<u1", offset, self.documents)

    def _entry(self, field: str, term: bytes) -> Entry | None:
        key = (field, term)
        if key not in self._entries:
            if len(self._entries) >= _KEPT_ENTRIES:
                self._entries.clear()
            number = struct.pack(">H", self._fields[field]["number"])
            self._entries[key] = found = self._dictionary.find(number + term)
            return found
        return self._entries[key]

    def _table(self, field: str) -> Table:
        found = self._tables.get(field)
        if found is None:
            place, count = self._fields[field]["table"]
            weights = self._file.array("<f4", place, count).astype(np.float64)
            if self._fields[field]["lengths"] is None:
                lengths = np.ones(count, np.int64)
            else:
                lengths = LENGTH_OF_BYTE[self._file.array("<u1", place + 4 * count, count)]
            found = self._tables[field] = Table(weights, lengths)
        return found
