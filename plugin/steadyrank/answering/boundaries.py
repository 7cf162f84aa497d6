"""Where a text may be cut: never inside what is read as one character, nor inside an entity."""

from __future__ import annotations

import re
import unicodedata

# The longest name of an entity in HTML has 31 letters.
_ENTITY = re.compile(r"&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")
_LONGEST = 34

_JOINERS = "\u200c\u200d"
_VIRAMA = 9  # the combining class of signs that join two consonants
# The Thai and Lao vowels that Unicode keeps with the letter before them.
_SPACING = "\u0e33\u0eb3"


def before(text: str, place: int) -> int:
    """The last place up to this one where the text may be cut."""
    while 0 < place < len(text) and not _may_cut(text, place):
        place -= 1
    return place


def after(text: str, place: int) -> int:
    """The first place from this one on where the text may be cut."""
    while 0 < place < len(text) and not _may_cut(text, place):
        place += 1
    return place


def _may_cut(text: str, place: int) -> bool:
    return not (_joined(text, place) or _in_entity(text, place))


def _joined(text: str, place: int) -> bool:
    """Whether a cut here would tear a character from what belongs to it.

    The extended grapheme clusters of Unicode (UAX 29), and conservative where it has tables that
    Python does not: what is in doubt belongs together.
    """
    left, right = text[place - 1], text[place]
    if right.isascii() and left.isascii():
        return left == "\r" and right == "\n"
    return (
        unicodedata.category(right) in ("Mn", "Me", "Mc")
        or right in _JOINERS
        or left in _JOINERS
        or right in _SPACING
        or "\U0001f3fb" <= right <= "\U0001f3ff"  # skin tones
        or "\U000e0020" <= right <= "\U000e007f"  # tags, as in the flag of Wales
        or unicodedata.combining(left) == _VIRAMA
        or (_is_regional(left) and _is_regional(right) and _odd_before(text, place))
        or _one_syllable(left, right)
    )


def _is_regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _odd_before(text: str, place: int) -> bool:
    # Flags are pairs, counted from the first of the run.
    count = 0
    while place > count and _is_regional(text[place - 1 - count]):
        count += 1
    return count % 2 == 1


def _one_syllable(left: str, right: str) -> bool:
    # Hangul written as letters: leading ones, then vowels, then trailing ones.
    return (_is_leading(left) and (_is_leading(right) or _is_hangul(right))) or (
        _follows(right) and (_is_hangul(left) or _is_leading(left))
    )


def _is_leading(char: str) -> bool:
    return "\u1100" <= char <= "\u115f" or "\ua960" <= char <= "\ua97c"


def _follows(char: str) -> bool:
    return "\u1160" <= char <= "\u11ff" or "\ud7b0" <= char <= "\ud7fb"


def _is_hangul(char: str) -> bool:
    return "\uac00" <= char <= "\ud7a3" or _follows(char)


def _in_entity(text: str, place: int) -> bool:
    low = max(0, place - _LONGEST)
    ampersand = text.rfind("&", low, place)
    if ampersand < 0:
        return False
    found = _ENTITY.match(text, ampersand)
    return found is not None and found.end() > place
