"""Bytes to text: a byte order mark decides, else it is UTF-8, else it is refused.

No guess is ever acted on: a wrong guess gives wrong words without an error. The whole file is
checked before its first record is used, so a file is text from end to end or is rejected.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from steadyrank_builder.document import Origin
from steadyrank_builder.material.content import Content, ContentError
from steadyrank_builder.reading.encodings import hint
from steadyrank_builder.records import Rejected

_CHUNK = 1 << 20
# UTF-32 before UTF-16: the mark of UTF-32-LE begins with that of UTF-16-LE.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


# No record that people wrote has a line of more characters.
LINE_LIMIT = 1 << 22
# Nor is a file read in one piece that has more: JSON first, then pages and YAML.
JSON_LIMIT = 1 << 28
PAGE_LIMIT = 1 << 23
_KEPT = 1_000


class Overlong(str):
    """The beginning of a line of more than ``LINE_LIMIT`` characters; the rest was passed over."""

    __slots__ = ()


@dataclass(frozen=True)
class Text:
    """Content that is known to decode."""

    content: Content
    encoding: str

    def lines(self) -> Iterator[str]:
        """The lines with their ends; CR, LF and CR LF end a line, nothing else does.

        One of more than ``LINE_LIMIT`` characters is an ``Overlong``.
        """
        with self._stream() as text:
            line = text.readline(LINE_LIMIT + 1)
            # An encoding given by the user leaves the mark in the text.
            line = line.removeprefix("\ufeff")
            while line:
                if len(line) > LINE_LIMIT and line[-1] not in "\r\n":
                    yield Overlong(line[:_KEPT])
                    while line and line[-1] not in "\r\n":
                        line = text.readline(LINE_LIMIT)
                else:
                    yield line
                line = text.readline(LINE_LIMIT + 1)

    def read(self, limit: int = JSON_LIMIT) -> str:
        """The whole text, line ends as they are. ContentError if it has more than ``limit``."""
        with self._stream() as text:
            whole = text.read(limit + 1)
        if len(whole) > limit:
            raise ContentError(
                "too-large",
                f"more than {limit >> 20} million characters in a file that has to be read in one "
                "piece; split it, or export it as JSONL or CSV",
            )
        return whole.removeprefix("\ufeff")

    def start(self, size: int) -> str:
        """The first ``size`` characters, or fewer."""
        with self._stream() as text:
            return text.read(size).removeprefix("\ufeff")

    def utf8(self) -> Iterator[bytes]:
        """The text in pieces as UTF-8, for parsers that want bytes."""
        with self._stream() as text:
            piece = text.read(_CHUNK).removeprefix("\ufeff")
            while piece:
                yield piece.encode()
                piece = text.read(_CHUNK)

    def _stream(self) -> io.TextIOWrapper:
        return io.TextIOWrapper(self.content.open(), encoding=self.encoding, newline="")


def unchecked(content: Content, encoding: str | None, declared: str = "") -> Text:
    """The content as the text that it would be if it decodes; arguments as in ``decode``."""
    with content.open() as stream:
        head = stream.read(4)
    mark = next((codec for mark, codec in _MARKS if head.startswith(mark)), None)
    return Text(content, encoding or mark or declared or "utf-8")


def decode(
    content: Content, name: str, encoding: str | None, declared: str = ""
) -> Text | Rejected:
    """The content as text, or why it is none: ``encoding``, ``empty-file``. Raises OSError.

    ``declared`` is the encoding that the file itself names, where its format has a place for that.
    """
    text = unchecked(content, encoding, declared)
    with content.open() as stream:
        blank = True
        try:
            decoder = codecs.getincrementaldecoder(text.encoding)("strict")
            for chunk in iter(lambda: stream.read(_CHUNK), b""):
                piece = decoder.decode(chunk)
                blank = blank and not piece.strip(_BLANK)
                if encoding or declared:
                    piece.encode()  # some codecs let lone surrogates through
            decoder.decode(b"", True)  # raises for half a character at the end
        except UnicodeError:
            return _fault(content, name, text.encoding, bool(encoding))
    if blank:
        return Rejected(Origin(name, 1, 1), "empty-file", "the file has no content")
    return text


_BLANK = " \t\r\n\f\v\ufeff"


def _fault(content: Content, name: str, encoding: str, chosen: bool) -> Rejected:
    with content.open() as stream:
        offset, line, near, reason = _place(stream, encoding)
    byte = f"0x{near[0]:02x} " if near else ""
    if chosen:
        advice = f"this is not {encoding}; name another with --encoding, or leave it out"
    else:
        with content.open() as stream:
            advice = f"save the file as UTF-8 or name its encoding, {hint(stream.read(_CHUNK))}"
    message = f"byte {byte}at offset {offset} (line {line}): {reason}; {advice}"
    return Rejected(Origin(name, line, line), "encoding", message, near.decode("latin-1"))


def _place(stream: BinaryIO, encoding: str) -> tuple[int, int, bytes, str]:
    """Offset and line of the first fault, the bytes from there, and what is wrong."""
    decoder = codecs.getincrementaldecoder(encoding)("strict")
    ends = _LineEnds()
    done = 0  # bytes that were given to the decoder before the chunk at hand
    pending = b""  # bytes of them that it still holds
    while True:
        chunk = stream.read(_CHUNK)
        pending = bytes(decoder.getstate()[0])
        try:
            piece = decoder.decode(chunk, not chunk)
            piece.encode()
        except UnicodeDecodeError as error:
            # Whether the decoder counts the bytes it held depends on the codec.
            held = pending if error.object[: len(pending)] == pending else b""
            ends.add(error.object[: error.start].decode(encoding, "replace"))
            near = (error.object + stream.read(80))[error.start : error.start + 80]
            return done - len(held) + error.start, ends.lines, near, f"{error.reason} in {encoding}"
        except UnicodeError as error:
            return done, ends.lines, chunk[:80], str(error)
        if not chunk:
            return done, ends.lines, b"", f"is not valid {encoding}"
        ends.add(piece)
        done += len(chunk)


class _LineEnds:
    """Counts lines in text that comes in pieces; a CR LF may stand on the border of two."""

    def __init__(self) -> None:
        self.lines = 1
        self._cr = False

    def add(self, text: str) -> None:
        if self._cr and text.startswith("\n"):
            self.lines -= 1
        if text:
            self._cr = text.endswith("\r")
        self.lines += len(re.findall(r"\r\n|\r|\n", text))
