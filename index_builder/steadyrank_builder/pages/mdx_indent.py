"""Taking back the indentation that children of a component have in MDX.

Authors indent what stands inside a component; Markdown would take such lines for the continued
paragraph above them. Only indentation depends on this count of tags, so a tag that is counted
wrongly loses no text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from steadyrank_builder.pages.code_spans import without_code

_OPENING = re.compile(r"<(?=[A-Za-z>])(?!(?:a|b|i|u|em|br|hr|img|input|strong|code|span)\b)")
_CLOSING = re.compile(r"</(?!(?:a|b|i|u|em|strong|code|span)\b)|(?<!<)/>")


@dataclass
class _Open:
    """A component that is open: where its tag stands and where its children do (-1: not seen)."""

    tag: int
    children: int = -1


class Outdent:
    """Gives each line the indentation it would have outside all components."""

    def __init__(self) -> None:
        self._open: list[_Open] = []

    def line(self, line: str, *, code: bool) -> str:
        """The line, moved left; ``code`` lines hold no tags."""
        stripped = line.lstrip(" ")
        if not stripped:
            return line
        indent = len(line) - len(stripped)
        change = 0
        if not code:
            plain = without_code(stripped)
            change = len(_OPENING.findall(plain)) - len(_CLOSING.findall(plain))
        if change < 0:
            del self._open[max(0, len(self._open) + change) :]
        elif self._open and self._open[-1].children < 0:
            self._open[-1].children = indent
        if change > 0:
            self._open.extend(_Open(indent) for _ in range(change))
        enclosing = self._open[:-change] if change > 0 else self._open
        surplus = sum(max(0, each.children - each.tag) for each in enclosing)
        return line[min(indent, surplus) :]
