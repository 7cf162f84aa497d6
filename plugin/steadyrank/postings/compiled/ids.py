"""The ids of a segment's documents, and which of them comes before which.

Reading a stored id takes a search longer than finding it, and a large tie asks for the lowest of
thousands.
"""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steadyrank.postings.compiled.bodies import BodyWriter
from steadyrank.postings.compiled.checked import CheckedFile
from steadyrank.postings.compiled.source import ValueSource


def write_ids(source: ValueSource, size: int, bodies: BodyWriter) -> dict[str, Any]:
    """Writes the ids of all documents; what the head has of them.

    Only the field where one of them is no text: none are kept then. No ranks where two are the
    same or one is empty: what settles their ties is more than ids.
    """
    texts = [source.read(doc) for doc in range(size)]
    head: dict[str, Any] = {"field": source.field}
    try:
        coded = [text.encode("utf-8", "surrogatepass") for text in texts if type(text) is str]
    except UnicodeError:
        return head
    ends = np.cumsum([0, *map(len, coded)])
    if len(coded) < size or ends[-1] >= 1 << 32:
        return head
    head["way"] = source.way
    head["ends"] = bodies.write(ends.astype("<u4").tobytes())
    head["texts"] = bodies.write(b"".join(coded))
    if "" not in texts and len(set(texts)) == size:
        ranks = np.empty(size, "<i4")
        ranks[sorted(range(size), key=texts.__getitem__)] = np.arange(size, dtype="<i4")
        head["ranks"] = bodies.write(ranks.tobytes())
    return head


class Ids:
    """The ids as they were written."""

    def __init__(self, file: CheckedFile, head: dict[str, Any], size: int) -> None:
        self.field: str = head["field"]
        self.way: str | None = head.get("way")
        self._file = file
        self._head = head
        self._size = size
        self._ranks: NDArray[np.int32] | None = None

    def text(self, doc: int) -> str:
        """The id of one document."""
        if not 0 <= doc < self._size:
            raise IndexError(doc)
        start, end = struct.unpack("<II", self._file.bytes_at(self._head["ends"] + 4 * doc, 8))
        coded = self._file.bytes_at(self._head["texts"] + start, end - start)
        return str(coded, "utf-8", "surrogatepass")

    def ranks(self) -> NDArray[np.int32] | None:
        """How many ids come before each document's, by code point; None where some are equal."""
        if self._ranks is None and "ranks" in self._head:
            self._ranks = self._file.array("<i4", self._head["ranks"], self._size)
        return self._ranks
