"""Code spans of Markdown: where a run of backticks ends that is opened somewhere."""

from __future__ import annotations

import bisect
import re

_RUN = re.compile("`+")


class CodeSpans:
    """The runs of backticks of a text by their length, found once: to look for the end of each
    anew takes a time that grows by the square of the text.
    """

    def __init__(self, text: str) -> None:
        self._text = text
        self._ends: dict[int, list[int]] = {}
        for run in _RUN.finditer(text):
            self._ends.setdefault(len(run.group()), []).append(run.end())

    def end(self, length: int, start: int) -> int | None:
        """The end of the next run of that length behind ``start``, None where there is none."""
        ends = self._ends.get(length, [])
        at = bisect.bisect_right(ends, start)
        return ends[at] if at < len(ends) else None


def without_code(text: str) -> str:
    """The text without its code spans; a run that nothing ends stays."""
    if "`" not in text:
        return text
    spans = CodeSpans(text)
    pieces = []
    here = 0
    while run := _RUN.search(text, here):
        end = spans.end(len(run.group()), run.end())
        pieces.append(text[here : run.start() if end is not None else run.end()])
        here = end or run.end()
    return "".join((*pieces, text[here:]))
