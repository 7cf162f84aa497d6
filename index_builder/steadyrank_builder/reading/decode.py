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
from pathlib import Path
from typing import BinaryIO

from steadyrank_builder.document import Origin
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


@dataclass(frozen=True)
class Text:
    """A file that is known to decode. ``data`` holds what can be read only once (a pipe)."""

    path: Path
    encoding: str
    data: bytes | None = None

    def lines(self) -> Iterator[str]:
        """The lines with their ends; CR, LF and CR LF end a line, nothing else does."""
        with io.TextIOWrapper(
            _open(self.path, self.data), encoding=self.encoding, newline=""
        ) as text:
            first = True
            for line in text:
                # An encoding given by the user leaves the mark in the text.
                yield line.removeprefix("\ufeff") if first else line
                first = False

    def read(self) -> str:
        """The whole text, line ends as they are."""
        with io.TextIOWrapper(
            _open(self.path, self.data), encoding=self.encoding, newline=""
        ) as text:
            return text.read().removeprefix("\ufeff")


def decode(path: Path, name: str, encoding: str | None) -> Text | Rejected:
    """The file as text, or why it is none: ``encoding``, ``empty-file``. Raises OSError."""
    data = None if path.is_file() else path.read_bytes()
    with _open(path, data) as stream:
        head = stream.read(4)
        stream.seek(0)
        codec = encoding or next((codec for mark, codec in _MARKS if head.startswith(mark)), None)
        text = Text(path, codec or "utf-8", data)
        blank = True
        try:
            decoder = codecs.getincrementaldecoder(text.encoding)("strict")
            for chunk in iter(lambda: stream.read(_CHUNK), b""):
                piece = decoder.decode(chunk)
                blank = blank and not piece.strip(_BLANK)
                if encoding:
                    piece.encode()  # some codecs let lone surrogates through
            decoder.decode(b"", True)  # raises for half a character at the end
        except UnicodeError:
            return _fault(path, data, name, text.encoding, bool(encoding))
    if blank:
        return Rejected(Origin(name, 1, 1), "empty-file", "the file has no content")
    return text


_BLANK = " \t\r\n\f\v\ufeff"


def _open(path: Path, data: bytes | None) -> BinaryIO:
    return path.open("rb") if data is None else io.BytesIO(data)


def _fault(path: Path, data: bytes | None, name: str, encoding: str, chosen: bool) -> Rejected:
    with _open(path, data) as stream:
        content = stream.read()
    offset, reason = 0, f"is not valid {encoding}"
    try:
        content.decode(encoding).encode()
    except UnicodeDecodeError as error:
        offset = error.start
        reason = f"{error.reason} in {encoding}"
    except UnicodeError as error:
        reason = str(error)
    before = content[:offset].decode(encoding, "replace")
    line = 1 + len(re.findall(r"\r\n|\r|\n", before))
    byte = f"0x{content[offset]:02x} " if offset < len(content) else ""
    if chosen:
        advice = f"this is not {encoding}; name another with --encoding, or leave it out"
    else:
        advice = f"save the file as UTF-8 or name its encoding, {_hint(content)}"
    message = f"byte {byte}at offset {offset} (line {line}): {reason}; {advice}"
    raw = content[offset : offset + 80].decode("latin-1")
    return Rejected(Origin(name, line, line), "encoding", message, raw)


def _hint(content: bytes) -> str:
    """A guess, said as a hint and never acted on."""
    if content.count(0) * 4 > len(content):
        even = content[0::2].count(0) > content[1::2].count(0)
        return f"perhaps --encoding {'utf-16-be' if even else 'utf-16-le'}"
    try:
        content.decode("cp1252")
    except UnicodeDecodeError:
        return "with --encoding (cp1251, shift_jis, gb18030, ...)"
    return "perhaps --encoding cp1252"
