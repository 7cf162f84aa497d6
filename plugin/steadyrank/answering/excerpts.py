"""Excerpts: the part of a text that shows the most words of the question."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence
from dataclasses import dataclass

_SENTENCE_END = re.compile(r"(?<=[.!?。！？])[\"'”’)\]]*\s+|\n+")
_SPACES = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """``text`` is a piece of the original on one line, with an ellipsis where it was cut;
    ``matches`` are the (start, end) of the question's words in it.
    """

    text: str
    matches: tuple[tuple[int, int], ...]


def excerpt(
    text: str, words: Sequence[tuple[str, int, int]], wanted: Collection[str], limit: int
) -> Excerpt:
    """At most about ``limit`` characters of the text around the most distinct wanted words.

    ``words`` are the text's tokens with their (start, end). The earliest best window wins. Cut
    at spaces where there are any, and never inside a character with its marks or joiners.
    """
    hits = [(token, start, end) for token, start, end in words if token in wanted]
    start, end = _window(text, hits, limit)
    start, end = _at_spaces(text, start, end)
    before, after = ("… " if start > 0 else ""), (" …" if end < len(text) else "")
    shown = before
    matches = []
    place = start
    for _, first, last in hits:
        if first < place or last > end:
            continue
        shown += _SPACES.sub(" ", text[place:first])
        begun = len(shown)
        shown += _SPACES.sub(" ", text[first:last])
        matches.append((begun, len(shown)))
        place = last
    shown += _SPACES.sub(" ", text[place:end])
    return Excerpt(shown.rstrip() + after, tuple(matches))


def _window(text: str, hits: Sequence[tuple[str, int, int]], limit: int) -> tuple[int, int]:
    if len(text) <= limit:
        return 0, len(text)
    best, best_start = -1, 0
    for index, (_, start, _end) in enumerate(hits):
        inside = set()
        for token, _, end in hits[index:]:
            if end - start > limit * 3 // 4:
                break
            inside.add(token)
        if len(inside) > best:
            best, best_start = len(inside), start
    begin = _sentence_start(text, best_start, limit // 4)
    return begin, min(len(text), begin + limit)


def _sentence_start(text: str, place: int, reach: int) -> int:
    # The start of the sentence, if it is near; else a little context.
    low = max(0, place - reach)
    ends = [match.end() for match in _SENTENCE_END.finditer(text, low, place)]
    if ends:
        return ends[-1]
    return 0 if low == 0 else low


def _at_spaces(text: str, start: int, end: int) -> tuple[int, int]:
    if start > 0 and not text[start - 1].isspace():
        space = _SPACES.search(text, start, min(len(text), start + 30))
        start = space.end() if space else start
    if end < len(text) and not text[end].isspace():
        space_at = max(text.rfind(" ", end - 30, end), text.rfind("\n", end - 30, end))
        end = space_at if space_at > start else end
    while end < len(text) and _joins(text, end):
        end -= 1
    while 0 < start < end and _joins(text, start):
        start += 1
    return start, max(start, end)


def _joins(text: str, place: int) -> bool:
    """Whether a cut before this character would tear it from the one before it."""
    char, before = text[place], text[place - 1]
    return (
        unicodedata.combining(char) != 0
        or unicodedata.category(char) in ("Mn", "Me", "Mc")
        or "\ufe00" <= char <= "\ufe0f"
        or "\U0001f3fb" <= char <= "\U0001f3ff"
        or char == "\u200d"
        or before == "\u200d"
        or ("\U0001f1e6" <= char <= "\U0001f1ff" and "\U0001f1e6" <= before <= "\U0001f1ff")
    )


def sentences(text: str) -> list[str]:
    """The text cut after its sentences and at its line ends; joined by spaces it is the text."""
    parts = []
    place = 0
    for match in _SENTENCE_END.finditer(text):
        parts.append(text[place : match.start()].strip())
        place = match.end()
    parts.append(text[place:].strip())
    return [part for part in parts if part]
