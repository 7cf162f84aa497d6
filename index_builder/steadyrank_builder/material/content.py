"""The bytes of a source: to be read any number of times, wherever they come from.

What can be read only once (a pipe, standard input) or is packed goes to a temporary file first,
which has no name and is gone with the process. Unpacking is bounded, because a few megabytes can
unpack to terabytes: ``UNPACKED_LIMIT`` bytes at most, and beyond ``RATIO_FREE`` bytes not more
than ``RATIO_LIMIT`` times what was packed. Text packs some five to twenty times.
"""

from __future__ import annotations

import io
import os
import sys
import tempfile
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import BinaryIO, Protocol, cast

UNPACKED_LIMIT = 2 << 30
RATIO_FREE = 32 << 20
RATIO_LIMIT = 100
_CHUNK = 1 << 18
_IN_MEMORY = 1 << 20
STDIN = "-"


class ContentError(Exception):
    """Why the bytes cannot be had: ``code`` for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class Content(Protocol):
    """Bytes that can be read from their start again and again."""

    def open(self) -> BinaryIO:
        """A new stream at the first byte."""


@dataclass(frozen=True)
class FileContent:
    """A file as it lies there."""

    path: Path

    def open(self) -> BinaryIO:
        return self.path.open("rb")


class KeptContent:
    """Bytes that were copied: small ones in memory, others in a temporary file."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        data = bytearray()
        for chunk in chunks:
            data += chunk
            if len(data) > _IN_MEMORY:
                break
        self._data = bytes(data) if len(data) <= _IN_MEMORY else None
        if self._data is None:
            file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115 - closed with this object
            weakref.finalize(self, file.close)
            self._file = file
            for chunk in chain([bytes(data)], chunks):
                while chunk:  # a raw file may take less than it is given
                    chunk = chunk[file.write(chunk) :]

    def open(self) -> BinaryIO:
        if self._data is not None:
            return io.BytesIO(self._data)
        return io.BufferedReader(cast(io.FileIO, _At(self)), _CHUNK)

    def at(self, position: int, size: int) -> bytes:
        """Bytes from the temporary file, whoever else is reading it."""
        return os.pread(self._file.fileno(), size, position)


class _At(io.RawIOBase):
    """A position of its own in a file that several read."""

    def __init__(self, content: KeptContent) -> None:
        self._content = content
        self._position = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = 0) -> int:
        if whence != 0:
            raise io.UnsupportedOperation("only from the start")
        self._position = offset
        return offset

    def tell(self) -> int:
        return self._position

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        data = self._content.at(self._position, len(buffer))
        buffer[: len(data)] = data
        self._position += len(data)
        return len(data)


def raw_content(path: Path) -> Content:
    """The bytes of a path, ``-`` being standard input. Raises OSError and ContentError."""
    if str(path) == STDIN:
        return KeptContent(_bounded(sys.stdin.buffer, lambda: 0))
    if path.is_file():
        return FileContent(path)
    with path.open("rb") as stream:
        return KeptContent(_bounded(stream, lambda: 0))


def kept(stream: BinaryIO, packed: Callable[[], int]) -> Content:
    """What ``stream`` unpacks to; ``packed()`` is how many packed bytes it has taken so far.

    Raises ContentError (``too-large``).
    """
    return KeptContent(_bounded(stream, packed))


def _bounded(stream: BinaryIO, packed: Callable[[], int]) -> Iterator[bytes]:
    total = 0
    while chunk := stream.read(_CHUNK):
        total += len(chunk)
        if total > UNPACKED_LIMIT:
            raise ContentError(
                "too-large",
                f"more than {UNPACKED_LIMIT >> 30} GB of content; split the file",
            )
        taken = packed()
        if taken and total > RATIO_FREE and total > RATIO_LIMIT * taken:
            raise ContentError(
                "too-large",
                f"{taken} packed bytes unpack to more than {total}, over {RATIO_LIMIT} times as "
                "much, which is no text that people wrote; if it is, unpack it yourself",
            )
        yield chunk
