"""Excerpts: the part of a text that shows the most words of the question."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import islice

from steadyrank.answering.boundaries import after, before

_SENTENCE_END = re.compile(r"(?<=[.!?。！？])[\"'”’)\]]*\s+|\n+|(?<=[。！？])(?=\S)")
_SPACES = re.compile(r"\s+")

# How far a cut moves to fall between words, in characters.
_REACH = 30


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
    at spaces where there are any, and never inside what is read as one: a character with its
    marks or joiners, an HTML entity.
    """
    hits = [(token, start, end) for token, start, end in words if token in wanted]
    start, end = _at_spaces(text, *_window(text, hits, limit))
    shown = "… " if start > 0 else ""
    matches: list[tuple[int, int]] = []
    place = start
    for _, first, last in hits:
        # Tokens of one place overlap; a mark never starts or ends inside a character.
        if first < place or last > end or last <= first:
            continue
        if after(text, first) != first or after(text, last) != last:
            continue
        shown += _SPACES.sub(" ", text[place:first])
        matches.append((len(shown), len(shown) + last - first))
        shown += _SPACES.sub(" ", text[first:last])
        place = last
    shown += _SPACES.sub(" ", text[place:end])
    return Excerpt(shown.rstrip() + (" …" if end < len(text) else ""), tuple(matches))


def _window(text: str, hits: Sequence[tuple[str, int, int]], limit: int) -> tuple[int, int]:
    if len(text) <= limit:
        return 0, len(text)
    best, best_start = -1, 0
    for index, (_, start, _end) in enumerate(hits):
        inside = set()
        for token, _, end in islice(hits, index, None):
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
    return ends[-1] if ends else low


def _at_spaces(text: str, start: int, end: int) -> tuple[int, int]:
    if start > 0 and not text[start - 1].isspace():
        space = _SPACES.search(text, start, min(len(text), start + _REACH))
        start = space.end() if space else start
    if end < len(text) and not text[end].isspace():
        spaces = [m.start() for m in _SPACES.finditer(text, max(start, end - _REACH), end)]
        end = spaces[-1] if spaces and spaces[-1] > start else end
    start = after(text, start)
    end = before(text, end)
    # One character longer than the limit, or a cut that moved past the other: show a whole one.
    return start, end if end > start else after(text, min(len(text), start + 1))


def sentences(text: str) -> list[str]:
    """The text cut after its sentences and at its line ends; joined by spaces it is the text."""
    parts = []
    place = 0
    for match in _SENTENCE_END.finditer(text):
        end = match.start() + len(match.group().rstrip())  # closing quotes stay with the sentence
        parts.append(text[place:end].strip())
        place = match.end()
    parts.append(text[place:].strip())
    return [part for part in parts if part]
