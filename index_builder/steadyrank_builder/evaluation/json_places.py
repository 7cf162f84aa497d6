"""JSON, read with the place of everything in it."""

from __future__ import annotations

import bisect
import json
from typing import Any, NoReturn

from steadyrank.measure import Fault, Place
from steadyrank_builder.evaluation.parsed import MAX_DEPTH, Parsed, UnreadableError

_SPACE = " \t\r\n"


def parse_json(text: str, first_line: int = 1, start: int = 0) -> Parsed:
    """The one value in ``text``, which begins at ``start`` of a file, on ``first_line``.

    Raises UnreadableError at the first syntax error.
    """
    return _Reader(text, first_line, start).read()


class _Reader:
    def __init__(self, text: str, first_line: int, start: int) -> None:
        self.text = text
        self.start = start
        self.first_line = first_line
        self.breaks = [place for place, char in enumerate(text) if char == "\n"]
        self.parsed = Parsed(None)
        self.scalar = json.JSONDecoder(parse_constant=_refused).raw_decode

    def read(self) -> Parsed:
        content, end = self.value(self.skip(0), ())
        end = self.skip(end)
        if end < len(self.text):
            self.stop(end, "something follows the end of the value")
        parsed = self.parsed
        return Parsed(content, parsed.lines, parsed.spans, parsed.faults)

    def line(self, at: int) -> int:
        return self.first_line + bisect.bisect_left(self.breaks, at)

    def stop(self, at: int, said: str) -> NoReturn:
        column = at - (self.text.rfind("\n", 0, at) + 1) + 1
        raise UnreadableError(self.line(at), f"not JSON: {said} (column {column})")

    def skip(self, at: int) -> int:
        while at < len(self.text) and self.text[at] in _SPACE:
            at += 1
        return at

    def value(self, at: int, place: Place) -> tuple[Any, int]:
        if len(place) > MAX_DEPTH:
            self.stop(at, f"nested deeper than {MAX_DEPTH}")
        begins = at
        char = self.text[at : at + 1]
        content: Any
        if char == "{":
            content, at = self.mapping(at + 1, place)
        elif char == "[":
            content, at = self.array(at + 1, place)
        else:
            try:
                content, at = self.scalar(self.text, at)
            except json.JSONDecodeError as error:
                self.stop(error.pos, error.msg)
            except ValueError as error:
                self.stop(at, str(error))
        self.parsed.lines.setdefault(place, self.line(begins))
        self.parsed.spans[place] = (self.start + begins, self.start + at)
        return content, at

    def array(self, at: int, place: Place) -> tuple[list[Any], int]:
        found: list[Any] = []
        at = self.skip(at)
        while self.text[at : at + 1] != "]":
            content, at = self.value(at, (*place, len(found)))
            found.append(content)
            at = self.after(at, "]")
        return found, at + 1

    def mapping(self, at: int, place: Place) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        at = self.skip(at)
        while self.text[at : at + 1] != "}":
            if self.text[at : at + 1] != '"':
                self.stop(at, "a key in double quotes should stand here")
            key_at = at
            key, at = self.value(at, (*place, None))
            at = self.skip(at)
            if self.text[at : at + 1] != ":":
                self.stop(at, "a colon should follow the key")
            line = self.line(key_at)
            if key in found:
                said = f"key {key!r} stands here again (first on line {self._of(place, key)})"
                self.parsed.faults.append(Fault(place, said, line))
                self.value(self.skip(at + 1), (*place, None))  # its faults count all the same
            self.parsed.lines.setdefault((*place, key), line)
            content, at = self.value(self.skip(at + 1), (*place, key))
            found.setdefault(key, content)
            at = self.after(at, "}")
        return found, at + 1

    def _of(self, place: Place, key: str) -> int:
        return self.parsed.lines[(*place, key)]

    def after(self, at: int, end: str) -> int:
        # From the end of one member to the next or to the end; a comma in between.
        at = self.skip(at)
        char = self.text[at : at + 1]
        if char == end:
            return at
        if char != ",":
            self.stop(at, f"a comma or {end} should stand here")
        at = self.skip(at + 1)
        if self.text[at : at + 1] in (end, ""):
            self.stop(at, "nothing follows the comma")
        return at


def _refused(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number of JSON")
