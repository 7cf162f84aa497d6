"""CSV as rows with the lines they stand on; what is no proper row is a fault, not a guess.

Rules, in the order in which they apply:

- Lines that hold nothing but white space are no records.
- A row with a NUL, a quoting error, an unclosed quote or a line over ``LINE_LIMIT`` characters
  is a fault; reading goes on at the next line. A quoted cell over ``CELL_LIMIT`` characters ends
  the file.
- A row with more or fewer cells than the header is a fault (``ragged-row``).
- Columns without a name hold nothing: a row that has something there is a fault
  (``unnamed-column``), so the empty columns that spreadsheets append are harmless.
- Two columns with one name (compared without case and outer space) leave no safe way to read
  any row: the whole file is one fault (``duplicate-header``).
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from steadyrank_builder.reading.decode import LINE_LIMIT, Overlong, Text
from steadyrank_builder.reading.ids import folded

_KEPT = 1_000  # characters of a record that is too large
DELIMITERS = ",;\t|"
CELL_LIMIT = LINE_LIMIT


@dataclass(slots=True)
class Row:
    """One row: its cells, its lines (counted from 1, inclusive), and those lines as text."""

    cells: list[str]
    line: int
    end_line: int
    lines: list[str]

    @property
    def raw(self) -> str:
        """The row as it stands in the file, without its line end."""
        return "".join(self.lines).rstrip("\r\n")


@dataclass(slots=True)
class Fault:
    """Lines that are no row, and why; ``ends`` says that nothing after them was read."""

    code: str
    message: str
    line: int
    end_line: int
    raw: str
    ends: bool = False


@dataclass(frozen=True)
class Header:
    """The first row: names as written, and ``index`` from folded name to column."""

    names: tuple[str, ...]
    index: dict[str, int]
    delimiter: str
    fault: Fault | None = None


def read_header(text: Text, delimiter: str) -> Header | Fault:
    """The header as this delimiter splits it; ``fault`` says why it cannot head a table."""
    row = next(_records(text, delimiter), None)
    if row is None:
        return Fault("empty-file", "the file has no content", 1, 1, "")
    if isinstance(row, Fault):
        return row
    names = tuple(cell.strip() for cell in row.cells)
    index: dict[str, int] = {}
    twice: dict[str, None] = {}
    for column, name in enumerate(names):
        key = folded(name)
        if key and key in index:
            twice[name] = None
        elif key:
            index[key] = column
    if not twice:
        return Header(names, index, delimiter)
    message = (
        f"the header names {', '.join(map(repr, twice))} more than once, so it is not clear "
        "which column is meant; rename or delete one and read the file again"
    )
    fault = Fault("duplicate-header", message, row.line, row.end_line, row.raw)
    return Header(names, index, delimiter, fault)


def read_rows(text: Text, header: Header) -> Iterator[Row | Fault]:
    """The rows below the header, in order; streams."""
    records = _records(text, header.delimiter)
    next(records, None)
    width = len(header.names)
    unnamed = [column for column, name in enumerate(header.names) if not folded(name)]
    for row in records:
        if isinstance(row, Row):
            if len(row.cells) != width:
                message = _ragged(len(row.cells), width) + _decimal_comma(row, header)
                yield _fault(row, "ragged-row", message)
                continue
            filled = [column for column in unnamed if row.cells[column].strip()]
            if filled:
                where = ", ".join(str(column + 1) for column in filled)
                message = f"a value in column {where}, which has no name in the header"
                yield _fault(row, "unnamed-column", message)
                continue
        yield row


def _ragged(found: int, wanted: int) -> str:
    kind = "more" if found > wanted else "fewer"
    return (
        f"{found} cells where the header has {wanted}: {kind} than there are columns; "
        "look for a missing or extra delimiter or quote"
    )


def _decimal_comma(row: Row, header: Header) -> str:
    """A hint where an unquoted price with a comma was taken for two cells; else empty."""
    if header.delimiter != "," or len(row.cells) <= len(header.names):
        return ""
    for whole, part in pairwise(row.cells):
        if _WHOLE.fullmatch(whole) and _PART.fullmatch(part):
            return (
                f'. If {whole},{part} is a number with a decimal comma, export with ";" between '
                f'the columns or write it "{whole},{part}"'
            )
    return ""


_WHOLE = re.compile(r"\s*-?\d{1,9}")
_PART = re.compile(r"\d{1,2}(?:\s*(?:€|EUR|[Kk][Rr]|CHF|zł|%))?\s*")


def _fault(row: Row, code: str, message: str) -> Fault:
    return Fault(code, message, row.line, row.end_line, row.raw)


class _Tee:
    """Hands lines to the csv reader and keeps those of the record at hand."""

    __slots__ = ("count", "kept", "source")

    def __init__(self, source: Iterator[str]) -> None:
        self.source = source
        self.kept: list[str] = []
        self.count = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = next(self.source)
        self.kept.append(line)
        self.count += 1
        if isinstance(line, Overlong):
            raise _OverlongError
        return line


class _OverlongError(Exception):
    """Raised through the csv reader by a line that is too long for a record."""


SEPARATOR_LINE = re.compile(r"sep=(.)\r?\n?")


def _records(text: Text, delimiter: str) -> Iterator[Row | Fault]:
    if csv.field_size_limit() < CELL_LIMIT:
        # Process-wide and only ever raised: real descriptions exceed the default of 131,072.
        csv.field_size_limit(CELL_LIMIT)
    tee = _Tee(text.lines())
    reader = csv.reader(tee, delimiter=delimiter, strict=True)
    while True:
        tee.kept = []
        line = tee.count + 1
        try:
            cells = next(reader)
        except StopIteration:
            return
        except _OverlongError:
            raw = "".join(tee.kept)[:_KEPT]
            message = f"a line of more than {LINE_LIMIT} characters; look for a lost line break"
            yield Fault("too-large", message, line, tee.count, raw)
            continue
        except csv.Error as error:
            if "field larger" in str(error):
                # Every further line may still be in that cell, so nothing of the rest is sure.
                message = (
                    f"a cell of more than {CELL_LIMIT} characters; look for a quote left open. "
                    "Nothing more of the file was read"
                )
                raw = "".join(tee.kept)[:_KEPT]
                yield Fault("too-large", message, line, tee.count, raw, ends=True)
                return
            # A quote that stays open hides all that follows, as does an upload that broke off.
            ends = _UNCLOSED in str(error)
            raw = "".join(tee.kept).rstrip()
            yield Fault("csv", _quoting(str(error)), line, tee.count, raw, ends=ends)
            continue
        if len(tee.kept) == 1 and not tee.kept[0].strip():
            continue
        if tee.count == 1 and SEPARATOR_LINE.fullmatch(tee.kept[0]):
            continue  # the line by which Excel names its delimiter
        row = Row(cells, line, tee.count, tee.kept)
        if any("\0" in piece for piece in tee.kept):
            yield _fault(row, "nul-byte", _NUL)
            continue
        yield row


_NUL = (
    "the row holds a NUL byte; export the file again, or name its encoding "
    "(--encoding utf-16-le is a common one)"
)


_UNCLOSED = "unexpected end of data"  # in the words of the csv module


def _quoting(reason: str) -> str:
    if _UNCLOSED in reason:
        return "a quote is opened and never closed, so the rest of the file is one cell"
    if "expected after" in reason:
        return 'text after a closing quote; a quote inside a quoted cell is written ""'
    return f"not proper CSV: {reason}"
