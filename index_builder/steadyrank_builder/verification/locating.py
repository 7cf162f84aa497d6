"""Finding the pickles inside Whoosh's index files without unpickling any.

A TOC has two: the schema and the list of segments. A segment file (``.seg``, Whoosh's compound
file) ends with two: the directory of the files inside it, and options; the term index inside
has one at its end. These are all that opening an index reads. The directory is a dict of
plain values and is read here by an unpickler that cannot import anything, in order to find what
lies inside.

Stored fields and blocks of postings are pickles too, one per document and block, read while
searching: contained.py has them.
"""

from __future__ import annotations

import io
import pickle
import pickletools
import struct
from collections.abc import Iterator
from typing import Any

Located = tuple[str, bytes]  # what it is, for a message, and bytes that start with the pickle


class UnreadableError(ValueError):
    """A file that is not laid out as Whoosh lays it out."""


def in_toc(data: bytes) -> Iterator[Located]:
    """The pickles of a TOC. UnreadableError where the layout is another."""
    try:
        stream = io.BytesIO(data)
        for _ in range(3):  # sizes of int, long, float
            _varint(stream)
        if struct.unpack("!i", stream.read(4)) != (-12345,):
            raise UnreadableError("it does not start as a TOC does")
        stream.read(4)  # version of the format
        for _ in range(3):  # version of Whoosh
            _varint(stream)
        length = _varint(stream)
        yield "schema", stream.read(length)
        stream.read(8)  # generation, unused
        yield "segments", stream.read()
    except (struct.error, IndexError) as error:
        raise UnreadableError("it ends too early") from error


def in_segment(data: memoryview) -> Iterator[Located]:
    """The pickles that opening a compound segment file reads."""
    start, length = _directory_extent(data)
    yield "directory", bytes(data[start : start + length])
    for name, offset, size in members(data):
        if name.endswith(".trm"):
            end = offset + size - 4
            if end < 0 or end > len(data) - 4:
                raise UnreadableError("its term index lies outside of it")
            (extras,) = struct.unpack("!i", data[end : end + 4])
            tail = bytes(data[end - extras : end])  # the pickle, then an array of positions
            yield "term index", tail[: pickle_length(tail)]


def pickle_length(data: bytes) -> int:
    """The length of the pickle that ``data`` starts with; ValueError where it does not."""
    return max((position or 0) for _, _, position in pickletools.genops(data)) + 1


def members(data: memoryview) -> list[tuple[str, int, int]]:
    """Name, offset and length of the files inside a compound file."""
    start, length = _directory_extent(data)
    try:
        directory = _Plain(io.BytesIO(bytes(data[start : start + length]))).load()
        return sorted(
            (str(name), int(entry["offset"]), int(entry["length"]))
            for name, entry in directory.items()
        )
    except (pickle.UnpicklingError, KeyError, TypeError, AttributeError, EOFError) as error:
        raise UnreadableError(f"its directory cannot be read ({error})") from error


def _directory_extent(data: memoryview) -> tuple[int, int]:
    if len(data) < 12:
        raise UnreadableError("it is too short for a segment")
    start, length = struct.unpack("!Qi", data[:12])
    if not 12 <= start <= start + length <= len(data):
        raise UnreadableError("its directory lies outside of it")
    return start, length


def _varint(stream: io.BytesIO) -> int:
    byte = stream.read(1)[0]
    value = byte & 0x7F
    shift = 7
    while byte & 0x80:
        byte = stream.read(1)[0]
        value |= (byte & 0x7F) << shift
        shift += 7
    return value


class _Plain(pickle.Unpickler):
    """Reads pickles of plain values; any name that a pickle wants to import is an error."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} in a pickle of plain values")
