"""Posting lists: a field's are coded some thousand postings at a time, and read one by one."""

from __future__ import annotations

import struct
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steadyrank.postings.compiled.bodies import BodyWriter
from steadyrank.postings.compiled.checked import CheckedFile
from steadyrank.postings.compiled.dictionary import Entry, PageWriter
from steadyrank.postings.compiled.layout import (
    CODE_SHIFT,
    LONGEST,
    NUMBER_TYPES,
    STEP_SHIFT,
    UNIT,
    codes_offset,
)

_BATCH = 1 << 16


class FieldLists:
    """Writes the lists of a field's terms, which come in ascending order.

    ``number`` is the field's, ``lengths`` its length byte in each of ``size`` documents, None
    where it has no lengths.
    """

    def __init__(
        self,
        number: int,
        lengths: NDArray[np.uint8] | None,
        size: int,
        bodies: BodyWriter,
        pages: PageWriter,
    ) -> None:
        self._number = number
        self._lengths = lengths
        self._size = size
        self._bodies = bodies
        self._pages = pages
        self._codes: dict[int, int] = {}  # by weight and length byte, as one number
        self._terms: list[bytes] = []
        self._ends: list[int] = [0]
        self._steps: list[int] = []
        self._weights: list[float] = []
        self._last = 0

    def add(self, term: bytes, steps: list[int], weights: list[float], last: int) -> None:
        """A term's documents, each as what it is more than the one before, and its weights.

        ``last`` is its last document.
        """
        self._terms.append(term)
        start = len(self._steps)
        self._steps += steps
        self._steps[start] -= self._last  # one sum over all lists gives the documents of each
        self._weights += weights
        self._last = last
        self._ends.append(len(self._steps))
        if len(self._steps) >= _BATCH:
            self._flush()

    def finish(self) -> dict[str, Any]:
        """Writes what is left, and what the head has of the field."""
        if self._terms:
            self._flush()
        pairs = np.array(sorted(self._codes, key=self._codes.__getitem__), np.uint64)
        weights = (pairs >> np.uint64(8)).astype("<u4").tobytes()
        table = weights + (pairs & np.uint64(255)).astype(np.uint8).tobytes()
        lengths = None if self._lengths is None else self._bodies.write(self._lengths.tobytes())
        return {
            "lengths": lengths,
            "number": self._number,
            "table": [self._bodies.write(table), pairs.size],
        }

    def _flush(self) -> None:
        docs = np.cumsum(np.array(self._steps, np.int64))
        if docs.min() < 0 or docs.max() >= self._size:
            raise ValueError("a document number is out of range")
        codes = self._coded(docs, np.array(self._weights, np.float32))
        starts = self._ends[:-1]
        steps = np.diff(docs, prepend=0)
        steps[starts] = docs[starts]
        key = struct.pack(">H", self._number)
        step_bytes, code_bytes = _in_all_widths(steps), _in_all_widths(codes)
        widths = zip(_widths(steps, starts), _widths(codes, starts), strict=True)
        for term, (start, stop), (wide, coded) in zip(
            self._terms, pairwise(self._ends), widths, strict=True
        ):
            count = stop - start
            if count >= LONGEST:
                raise ValueError("a posting list is too long")
            body = step_bytes[wide][start << wide : stop << wide]
            body = body.ljust(codes_offset(count, wide, coded), b"\0")
            place = self._bodies.write(body + code_bytes[coded][start << coded : stop << coded])
            self._pages.add(
                key + term, (place // UNIT, count | wide << STEP_SHIFT | coded << CODE_SHIFT)
            )
        self._terms, self._ends, self._steps, self._weights = [], [0], [], []
        self._last = 0

    def _coded(self, docs: NDArray[np.int64], weights: NDArray[np.float32]) -> NDArray[np.int64]:
        pairs = weights.view(np.uint32).astype(np.uint64) << np.uint64(8)
        if self._lengths is not None:
            pairs |= self._lengths[docs]
        distinct, which = np.unique(pairs, return_inverse=True)
        numbers = [self._codes.setdefault(pair, len(self._codes)) for pair in distinct.tolist()]
        codes: NDArray[np.int64] = np.array(numbers, np.int64)[which.ravel()]
        return codes


def _in_all_widths(numbers: NDArray[np.int64]) -> list[bytes]:
    # Those that do not fit are not used.
    return [numbers.astype(kind).tobytes() for kind in NUMBER_TYPES]


def _widths(numbers: NDArray[np.int64], starts: list[int]) -> list[int]:
    # For each list the place in NUMBER_TYPES of the smallest type that has room for all of it.
    highest = np.maximum.reduceat(numbers, starts)
    widths: list[int] = ((highest >= 1 << 8) * 1 + (highest >= 1 << 16)).tolist()
    return widths


def docs_of(file: CheckedFile, entry: Entry, kind: Any) -> NDArray[Any]:
    """The documents of a list as integers of that kind, ascending."""
    place, what = entry
    count = count_of(entry)
    return np.cumsum(file.array(NUMBER_TYPES[what >> STEP_SHIFT], place * UNIT, count), dtype=kind)


def codes_of(file: CheckedFile, entry: Entry) -> NDArray[Any]:
    """The code of each posting of a list."""
    place, what = entry
    count, width = count_of(entry), what >> CODE_SHIFT & 3
    offset = place * UNIT + codes_offset(count, what >> STEP_SHIFT, width)
    return file.array(NUMBER_TYPES[width], offset, count)


def count_of(entry: Entry) -> int:
    """How many postings a list has."""
    return entry[1] & (LONGEST - 1)
