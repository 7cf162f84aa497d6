"""Unicode normal form of a chunk of text, with the way back to the original's offsets."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from steadyrank.analysis.characters import APOSTROPHES, INVISIBLE

# Applied before NFKC, which would make a space of an acute accent and of a spaced voicing mark,
# and 21/2 of "2½".
_BEFORE: dict[int, str] = {
    **{ord(mark): "'" for mark in APOSTROPHES},
    **{ord(character): "" for character in INVISIBLE},
    0x200B: " ",
    0x2120: " ",  # service mark and trade mark, else SM and TM at the end of a name
    0x2122: " ",
    0x309B: "\u3099",
    0x309C: "\u309a",
    **{
        code: "-" + unicodedata.normalize("NFKC", chr(code))
        for code in (*range(0xBC, 0xBF), *range(0x2150, 0x215F))
    },
}

# A base with more marks than this (decorated text) is cut, only for the sake of the offsets:
# looking for the cluster's end is quadratic in its length.
_LONGEST_CLUSTER = 32


@dataclass(frozen=True, slots=True)
class Normalised:
    """NFKC text; character i of it comes from ``original[starts[i]:ends[i]]``."""

    text: str
    starts: Sequence[int]
    ends: Sequence[int]


def normalise(original: str) -> Normalised:
    """NFKC, with apostrophes unified and invisible characters gone. Case is left alone."""
    count = len(original)
    if original.isascii() and "`" not in original:
        return Normalised(original, range(count), range(1, count + 1))
    text = unicodedata.normalize("NFKC", original.translate(_BEFORE))
    if text == original:
        return Normalised(text, range(count), range(1, count + 1))
    starts: list[int] = []
    ends: list[int] = []
    pieces: list[str] = []
    for first, last in _clusters(original):
        piece = unicodedata.normalize("NFKC", original[first:last].translate(_BEFORE))
        pieces.append(piece)
        starts.extend([first] * len(piece))
        ends.extend([last] * len(piece))
    if "".join(pieces) != text:  # a cut cluster: exact offsets are not to be had
        return Normalised(text, [0] * len(text), [count] * len(text))
    return Normalised(text, starts, ends)


def _clusters(original: str) -> list[tuple[int, int]]:
    """The pieces that can be normalised one by one with the same result."""
    found: list[tuple[int, int]] = []
    first = 0
    normal = ""
    for place, character in enumerate(original):
        own = unicodedata.normalize("NFKC", character.translate(_BEFORE))
        if place > first and place - first < _LONGEST_CLUSTER:
            both = unicodedata.normalize("NFKC", normal + own)
            if _continues(character) or both != normal + own:
                normal = both
                continue
        if place > first:
            found.append((first, place))
        first = place
        normal = own
    if original:
        found.append((first, len(original)))
    return found


def _continues(character: str) -> bool:
    return unicodedata.category(character)[0] == "M" or character in INVISIBLE
