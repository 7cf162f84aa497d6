"""The terms of a segment in their order, in pages, so that a look-up reads one page.

A key is the field's number, two bytes, the higher one first, and the term's bytes: keys of these
sort as Whoosh's terms do. Only the first keys of pages are kept in memory.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Callable

from steadyrank.postings.compiled.checked import CheckedFile

PAGE = 256  # terms

# A term: where its list lies, and what is to know of it, both as the writer made them.
Entry = tuple[int, int]


class PageWriter:
    """Collects terms in ascending order and gives them to ``write`` in pages."""

    def __init__(self, write: Callable[[bytes], int]) -> None:
        self._write = write
        self._keys: list[bytes] = []
        self._entries: list[Entry] = []
        self._first: list[bytes] = []
        self._pages: list[tuple[int, int, int]] = []
        self._last = b""
        self.terms = 0

    def add(self, key: bytes, entry: Entry) -> None:
        """The next term. ValueError where it is not the next."""
        if key <= self._last:
            raise ValueError(f"terms are not ascending: {self._last!r}, {key!r}")
        self._last = key
        self._keys.append(key)
        self._entries.append(entry)
        self.terms += 1
        if len(self._keys) == PAGE:
            self._flush()

    def finish(self) -> list[int]:
        """Writes what is left; what ``Dictionary`` takes."""
        if self._keys:
            self._flush()
        lengths = [len(key) for key in self._first]
        places = [number for page in self._pages for number in page]
        top = struct.pack(f"<{4 * len(lengths)}Q", *lengths, *places) + b"".join(self._first)
        return [self._write(top), len(top), len(self._first), self.terms]

    def _flush(self) -> None:
        ends, end = [0], 0
        for key in self._keys:
            end += len(key)
            ends.append(end)
        count = len(self._keys)
        numbers = [
            *ends,
            *(place for place, _ in self._entries),
            *(what for _, what in self._entries),
        ]
        page = struct.pack(f"<{3 * count + 1}I", *numbers) + b"".join(self._keys)
        self._first.append(self._keys[0])
        self._pages.append((self._write(page), len(page), count))
        self._keys, self._entries = [], []


class Dictionary:
    """Looks terms up in the pages of a file."""

    def __init__(self, file: CheckedFile, place: list[int]) -> None:
        offset, size, pages, self.terms = place
        top = bytes(file.bytes_at(offset, size))
        numbers = struct.unpack_from(f"<{4 * pages}Q", top)
        self._file = file
        self._pages = numbers[pages:]
        self._first: list[bytes] = []
        start = 32 * pages
        for length in numbers[:pages]:
            self._first.append(top[start : start + length])
            start += length

    def find(self, key: bytes) -> Entry | None:
        """The term's entry; None where there is no such term."""
        page = bisect_right(self._first, key) - 1
        if page < 0:
            return None
        offset, size, count = self._pages[3 * page : 3 * page + 3]
        data = self._file.bytes_at(offset, size)
        numbers = data[: 4 * (3 * count + 1)].cast("I")
        keys = data[4 * (3 * count + 1) :]
        low, high = 0, count
        while low < high:
            middle = (low + high) // 2
            found = bytes(keys[numbers[middle] : numbers[middle + 1]])
            if found < key:
                low = middle + 1
            elif found == key:
                return numbers[count + 1 + middle], numbers[2 * count + 1 + middle]
            else:
                high = middle
        return None
