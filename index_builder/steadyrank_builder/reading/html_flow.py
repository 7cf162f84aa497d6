"""Text as a browser would lay it out: blocks on lines of their own, inline text run together."""

from __future__ import annotations

import re

_OUTER_SPACE = re.compile(r"[ \t\f\v]*\n[ \t\f\v]*")


class Flow:
    """Collects inline text, line breaks and cell borders; white space collapses on the way."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._line_is_empty = True
        self._space = False
        self._cell = False

    def text(self, value: str) -> None:
        """Inline text: runs of white space (no-break spaces too) become one space."""
        words = value.split()
        if not words:
            self._space = self._space or bool(value)
            return
        if value[0].isspace():
            self._space = True
        self._put(" ".join(words))
        self._space = value[-1].isspace()

    def preformatted(self, value: str) -> None:
        """Text whose line breaks and spaces count."""
        if value:
            self._put(value.replace("\r\n", "\n").replace("\r", "\n"))
            self._line_is_empty = value.endswith(("\n", "\r"))

    def _put(self, value: str) -> None:
        if not self._line_is_empty:
            if self._cell:
                self._pieces.append(" | ")
            elif self._space:
                self._pieces.append(" ")
        self._pieces.append(value)
        self._line_is_empty = self._space = self._cell = False

    def space(self) -> None:
        """At least one space before the next text of the line."""
        self._space = True

    def cell(self) -> None:
        """The border between two table cells of one row."""
        self._cell = True

    def line(self) -> None:
        """A line break, unless the line is still empty."""
        if not self._line_is_empty:
            self._pieces.append("\n")
            self._line_is_empty = True
        self._space = self._cell = False

    def take(self) -> str:
        """All text so far, without empty lines at its ends; starts anew."""
        value = "".join(self._pieces).strip()
        self._pieces.clear()
        self._line_is_empty = True
        self._space = self._cell = False
        return value
