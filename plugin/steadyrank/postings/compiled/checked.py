"""A mapped file of which every byte is checked before it is used for the first time."""

from __future__ import annotations

import json
import mmap
import os
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steadyrank.postings.compiled.layout import BLOCK, MAGIC, TAIL, TAIL_SIZE, VERSION


class UnfitError(Exception):
    """A file that cannot be used, and why; the segment is read from Whoosh's own files then."""


class CheckedFile:
    """The bodies of a file by their offsets, and its head.

    UnfitError where the file is not one, is of another version, ends too early or has other bytes
    than were written. Only pages that are used are read from the disk, and processes share them.
    Threads may share one; a block may then be checked twice.
    """

    def __init__(self, path: str) -> None:
        # A pipe in its place is not waited for.
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
        try:
            found = os.fstat(descriptor)
            self.size, self.mtime_ns = found.st_size, found.st_mtime_ns
            if self.size < TAIL_SIZE:
                raise UnfitError("it ends too early")
            self._data = memoryview(mmap.mmap(descriptor, self.size, access=mmap.ACCESS_READ))
        except ValueError as error:  # cut off since
            raise UnfitError("it ends too early") from error
        finally:
            os.close(descriptor)
        tail = self._data[self.size - TAIL_SIZE :]
        if bytes(tail[TAIL.size :]) != MAGIC:
            raise UnfitError("it ends too early or is another kind of file")
        version, self._end, count, crc = TAIL.unpack_from(tail)
        if version != VERSION:
            raise UnfitError(f"it has layout {version} and this release reads {VERSION}")
        index = self._data[self._end : self.size - TAIL_SIZE]
        if count != -(-self._end // BLOCK) or len(index) < 4 * count or zlib.crc32(index) != crc:
            raise UnfitError("its head was changed since it was written")
        self._checksums: NDArray[np.uint32] = np.frombuffer(index, "<u4", count)
        self._unchecked = bytearray(b"\x01" * count)
        try:
            self.head: dict[str, Any] = json.loads(bytes(index[4 * count :]))
        except ValueError as error:
            raise UnfitError(f"its head is not what was expected ({error!r})") from error

    def bytes_at(self, offset: int, size: int) -> memoryview:
        """So many bytes of the bodies, as they were written."""
        stop = offset + size
        if not 0 <= offset <= stop <= self._end:
            raise UnfitError("a place in it lies outside of it")
        for block in range(offset // BLOCK, -(-stop // BLOCK)):
            if self._unchecked[block]:
                self._check(block)
        return self._data[offset:stop]

    def array(self, kind: str, offset: int, count: int) -> NDArray[Any]:
        """The same as numbers of a kind, not copied and not to be written to."""
        return np.frombuffer(self.bytes_at(offset, count * np.dtype(kind).itemsize), kind)

    def check_all(self) -> None:
        """UnfitError unless every block is as it was written."""
        for block in range(len(self._unchecked)):
            self._check(block)

    def _check(self, block: int) -> None:
        start = block * BLOCK
        if zlib.crc32(self._data[start : min(start + BLOCK, self._end)]) != self._checksums[block]:
            raise UnfitError("some of its bytes were changed since it was written")
        self._unchecked[block] = 0
