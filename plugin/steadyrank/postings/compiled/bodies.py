"""Writing the bodies of a file one after the other, with the checksums of their blocks."""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping
from typing import Any, BinaryIO

import numpy as np

from steadyrank.postings.compiled.layout import BLOCK, MAGIC, TAIL, UNIT, VERSION

_BUFFER = 64 * BLOCK


class BodyWriter:
    """Appends to an open file; ``finish`` writes checksums, head and tail."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._buffer = bytearray()
        self._flushed = 0
        self._checksums: list[int] = []

    def write(self, body: bytes) -> int:
        """Appends a body and gives its offset, a multiple of UNIT."""
        buffer = self._buffer
        buffer += bytes(-len(buffer) % UNIT)
        offset = self._flushed + len(buffer)
        buffer += body
        if len(buffer) >= _BUFFER:
            self._flush(len(buffer) // BLOCK * BLOCK)
        return offset

    def finish(self, head: Mapping[str, Any]) -> None:
        """Ends the file."""
        self._flush(len(self._buffer))
        checksums = np.array(self._checksums, "<u4").tobytes()
        index = checksums + json.dumps(head, sort_keys=True, ensure_ascii=False).encode()
        self._stream.write(index)
        self._stream.write(
            TAIL.pack(VERSION, self._flushed, len(self._checksums), zlib.crc32(index)) + MAGIC
        )

    def _flush(self, size: int) -> None:
        with memoryview(self._buffer) as view:
            for start in range(0, size, BLOCK):
                self._checksums.append(zlib.crc32(view[start : min(start + BLOCK, size)]))
            self._stream.write(view[:size])
        del self._buffer[:size]
        self._flushed += size
