"""Whoosh's posting blocks, read as far as they are asked for.

A block is a pickled tuple of delta-coded document numbers, weights (None: all 1.0; a number: all
that) and values, compressed. Values such as positions come last and cost several times what the
rest does, one Python object each. So for documents and weights the pickle is cut off before the
first value, and values are read only in blocks that hold a document that is asked for.
"""

from __future__ import annotations

import zlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from io import BytesIO
from pickle import load, loads
from typing import Any

import numpy as np
from numpy.typing import NDArray

# How the first value begins if it is bytes and there are more than three of them; the bracket
# opens their tuple. The numbers before it have a mark of their own at least every nine bytes, so
# these letters cannot stand among them.
_FIRST_VALUE = b"(c_codecs\nencode\n"

# Ends the pickle of a pair: documents and weights.
_END = b"\x86."

# Document numbers and weights take at most 14 bytes each in the pickle. Compressed data is
# unpacked only so far, and again if that was not enough.
_BYTES_EACH, _BYTES_MORE = 14, 64


def read_blocks(
    matcher: Any, wanted: Sequence[int] | None = None
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Documents, ascending, and weights from the start of a disk matcher's block to its end.

    With ``wanted`` (ascending) only of the blocks that may hold one of these documents.
    """
    steps, weights = read_steps(matcher, wanted)
    return np.cumsum(np.array(steps, np.int64)), np.array(weights, np.float64)


def read_steps(matcher: Any, wanted: Sequence[int] | None = None) -> tuple[list[int], list[float]]:
    """The same as plain lists, and of documents how far each is from the one before."""
    steps: list[int] = []
    weights: list[float] = []
    last = 0
    for data, count, highest, compression in _data(matcher, wanted):
        deltas, block_weights = _documents_and_weights(data, count, compression)
        start = len(steps)
        steps += deltas
        steps[start] -= last  # a block's first number is not relative to the block before
        last = highest
        if block_weights is None:
            weights += [1.0] * len(deltas)
        elif isinstance(block_weights, float):
            weights += [block_weights] * len(deltas)
        else:
            weights += block_weights
    return steps, weights


def read_values(matcher: Any, wanted: Sequence[int]) -> Iterator[tuple[int, Sequence[int], Any]]:
    """Of each block that may hold one of the documents (ascending): a number that tells the
    matcher's blocks apart, its documents and their values.
    """
    for number in _blocks(matcher, wanted):
        matcher._read_ids()
        matcher._read_values()
        yield number, matcher._ids, matcher._values


def _blocks(matcher: Any, wanted: Sequence[int] | None) -> Iterator[int]:
    # Stands at each block in turn that may hold a wanted document; says its highest.
    lowest = 0  # that the block can hold
    place = 0  # of the first wanted document that is not behind us
    while matcher.is_active():
        highest = matcher._maxid
        if wanted is None:
            yield highest
        else:
            place = bisect_left(wanted, lowest, place)
            if place == len(wanted):
                return
            if wanted[place] <= highest:
                yield highest
        lowest = highest + 1
        matcher._next_block()


def _data(matcher: Any, wanted: Sequence[int] | None) -> Iterator[tuple[bytes, int, int, int]]:
    # The data of blocks, how many documents they hold, the highest, and whether compressed.
    if wanted is None:
        yield from _all_data(matcher)
        return
    for highest in _blocks(matcher, wanted):
        size = matcher._nextoffset - matcher._dataoffset
        data = matcher._postfile.get(matcher._dataoffset, size)
        yield data, matcher._blocklength, highest, matcher._compression


def _all_data(matcher: Any) -> Iterator[tuple[bytes, int, int, int]]:
    # From the matcher's block on. The list is read in one piece: a matcher's own step from block
    # to block takes nearly half as long as decoding one.
    start = matcher._dataoffset
    length = matcher._length[0] if isinstance(matcher._length, tuple) else matcher._length
    content = matcher._postfile.get(start, matcher._startoffset + length - start)
    place = matcher._nextoffset - start
    yield content[:place], matcher._blocklength, matcher._maxid, matcher._compression
    file = BytesIO(content)
    is_last = matcher._lastblock
    while not is_last:
        size = int.from_bytes(content[place : place + 4], "big", signed=True)
        is_last = size < 0  # how a list's last block is told
        end = place + 4 + abs(size)
        file.seek(place + 4)
        count, highest, _, compression, _, _ = load(file)
        yield content[file.tell() : end], count, highest, compression
        place = end


def _documents_and_weights(data: bytes, count: int, compression: int) -> tuple[Any, Any]:
    start = data
    if compression:
        start = zlib.decompressobj().decompress(data, count * _BYTES_EACH + _BYTES_MORE)
    end = start.find(_FIRST_VALUE)
    if end > 0:
        found = loads(start[:end] + _END)
        if len(found) == 2 and len(found[0]) == count:
            return found  # type: ignore[no-any-return]
    everything = loads(zlib.decompress(data) if compression else data)
    return everything[0], everything[1]
