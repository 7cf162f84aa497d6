"""The pickles that a search reads: stored fields, and postings with their terms.

There are too many of them for a walk over opcodes in Python. They hold plain values only, so
each is read by an unpickler that imports nothing but arrays and dates, and which thus cannot
call anything else, whatever the pickle says.
"""

from __future__ import annotations

import io
import pickle
import struct
import sys
import zlib
from array import array
from collections.abc import Collection, Generator, Iterator
from contextlib import suppress
from typing import Any

from steadyrank_builder.verification.allowed import is_own, uses
from steadyrank_builder.verification.locating import UnreadableError, members

_VALUES = frozenset(
    {
        ("array", "array"),
        ("array", "_array_reconstructor"),
        ("_codecs", "encode"),  # bytes in the old protocol that Whoosh writes
        ("builtins", "set"),
        ("builtins", "frozenset"),
        ("__builtin__", "set"),
        ("__builtin__", "frozenset"),
        ("datetime", "datetime"),
        ("datetime", "date"),
        ("datetime", "timedelta"),
        ("decimal", "Decimal"),
    }
)
# What the pickles of old protocols make an instance with, of classes and values only.
_REBUILDING = frozenset(
    {
        ("copyreg", "_reconstructor"),
        ("copy_reg", "_reconstructor"),
        ("builtins", "object"),
        ("__builtin__", "object"),
    }
)
_TERM = struct.Struct("!BfIBBfII")  # whoosh.codec.whoosh3.W3TermInfo
_LENGTHS = struct.Struct("!II")  # whoosh.filedb.filetables: of key and value
_HASH_HEAD = 4 + 1 + 4 + 4
_HASH_TABLES = 256 * struct.calcsize("!qI")


class _Values(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        if (module, name) in _VALUES:
            return super().find_class(module, name)
        raise _ForbiddenError(f"{module}.{name}")


class _ForbiddenError(Exception):
    """A name that a pickle of values must not have."""


def in_members(data: memoryview, count: int, own: Collection[str] = ()) -> list[tuple[str, str]]:
    """(what, name) for every forbidden name in the pickles inside a compound segment file.

    ``count`` is the number of documents in the segment; ``own`` has names that stored fields may
    use. UnreadableError where the layout is not Whoosh's.
    """
    files = {name: data[start : start + size] for name, start, size in members(data)}
    found = []
    try:
        for name, content in files.items():
            if name.endswith("._stored.col"):
                found += _forbidden("stored fields", _stored(content, count), own)
            elif name.endswith(".trm"):
                postings = files[f"{name[:-4]}.pst"]
                found += _forbidden("postings", _postings(content, postings))
            elif name.endswith(".vps"):
                found += _forbidden("vectors", _vectors(content))
    except _ForbiddenError as error:
        found.append(("postings", str(error)))
    except Exception as error:  # damaged bytes can make struct, zlib and pickle raise anything
        raise UnreadableError(f"a part of it is damaged ({error})") from error
    return found


def _forbidden(
    what: str, pickles: Iterator[bytes], own: Collection[str] = ()
) -> list[tuple[str, str]]:
    names: set[str] = set()
    for data in pickles:
        if own:
            with suppress(ValueError):  # not well-formed from here on: whoever reads it fails
                names.update(_named(data, own))
            continue
        with suppress(Exception):  # bytes of a position that are none: whoever reads them fails
            try:
                _Values(io.BytesIO(data)).load()
            except _ForbiddenError as error:
                names.add(str(error))
    return [(what, name) for name in sorted(names)]


def _named(data: bytes, own: Collection[str]) -> Iterator[str]:
    """The names that a pickle of values and of the owner's classes must not have.

    Nothing is loaded: only the owner's own code could tell where loading would go wrong, and
    what stands behind that place would go unseen.
    """
    for module, name, _ in uses(data):
        known = (module, name) in _VALUES or (module, name) in _REBUILDING
        if name and not known and not is_own(module, name, own):
            yield name if module is None else f"{module}.{name}"


def _stored(content: memoryview, count: int) -> Iterator[bytes]:
    """The rows of Whoosh's column of variable length: data, lengths, offsets, type codes."""
    end = len(content) - 1
    code = chr(content[end])
    if code == "X":  # there are offsets, which follow from the lengths
        code, offsets = chr(content[end - 2]), chr(content[end - 1])
        end -= 2 + count * array(offsets).itemsize
    lengths = array(code)
    lengths.frombytes(content[end - count * lengths.itemsize : end])
    if sys.byteorder == "little":
        lengths.byteswap()
    position = 0
    for length in lengths:
        if length:
            yield zlib.decompress(content[position : position + length])
        position += length


def _postings(terms: memoryview, blocks: memoryview) -> Iterator[bytes]:
    """Every pickle of the postings: blocks, postings kept with their term, and positions.

    Formats with positions keep them as a pickle behind a count, or behind a count and a weight.
    Which a field has only its schema knows, so both places are tried.
    """
    for value in _term_values(terms):
        rest = value[_TERM.size :]
        if value[0]:
            yield rest
            yield from _payloads(_load(rest))
            continue
        (offset,) = struct.unpack("!Q", rest[:8])
        yield from _posting_list(blocks, offset)


def _vectors(content: memoryview) -> Iterator[bytes]:
    """Every pickle of the vectors: one list of postings after another, behind four bytes."""
    position = 4
    while position < len(content):
        position = yield from _posting_list(content, position)


def _posting_list(blocks: memoryview, offset: int) -> Generator[bytes, None, int]:
    """The pickles of the blocks from ``offset`` on; where the list ends."""
    offset += 4  # past a magic number
    while True:
        (length,) = struct.unpack("!i", blocks[offset : offset + 4])
        stream = io.BytesIO(blocks[offset + 4 : offset + 4 + abs(length)])
        yield stream.getvalue()
        head = _Values(stream).load()
        data = stream.read()
        if head[3]:  # compressed
            data = zlib.decompress(data)
        yield data
        yield from _payloads(_load(data))
        offset += 4 + abs(length)
        if length <= 0:  # Whoosh's sign for the last block
            return offset


def _term_values(terms: memoryview) -> Iterator[bytes]:
    """The values of Whoosh's hash file of terms, one after another up to its first table."""
    (extras,) = struct.unpack("!i", terms[-4:])
    tables = len(terms) - 4 - extras - _HASH_TABLES
    # An ordered hash file has an array of positions before the tables; the first bucket's
    # table starts where the pairs end.
    (end,) = struct.unpack("!q", terms[tables : tables + 8])
    position = _HASH_HEAD
    while position < end:
        key, value = _LENGTHS.unpack(terms[position : position + _LENGTHS.size])
        start = position + _LENGTHS.size + key
        yield bytes(terms[start : start + value])
        position = start + value


def _payloads(postings: Any) -> Iterator[bytes]:
    values = postings[2]
    if isinstance(values, tuple | list):
        for value in values:
            if isinstance(value, bytes) and len(value) > 4:
                yield from (value[4:], value[8:])


def _load(data: bytes) -> Any:
    return _Values(io.BytesIO(data)).load()
