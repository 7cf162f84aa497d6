"""Classes of characters, as the inside of a regular expression's brackets."""

from __future__ import annotations

import unicodedata
from functools import cache

# Scripts written without spaces between words, so that a run of them is cut into characters and
# pairs: Han, Hiragana, Katakana, Bopomofo, Hangul, and Thai, Lao, Burmese and Khmer, for which
# the same holds. Used on NFKC text and only together with ``\w``, so that the punctuation and
# digits inside a range do not count; marks come from ``marks()``.
UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1100-\u11ff\u1780-\u17ff"
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3035\u3038-\u303c"
    "\u3040-\u30ff\u3100-\u312f\u3130-\u318f\u31a0-\u31bf\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97f\uac00-\ud7ff\uf900-\ufaff"
    "\U0001b000-\U0001b16f\U00020000-\U000323af"
)

# Pictures that shoppers type. Stars, check marks and arrows are typography and not among them;
# skin tones are left out so that a picture is found in each.
EMOJI = (
    "\u2600-\u2604\u2607-\u26ff\u2702\u2708\u2709\u2728\u2744\u2764"
    "\U0001f300-\U0001f3fa\U0001f400-\U0001faff"
)
REGIONAL = "\U0001f1e6-\U0001f1ff"

# One of these between two words makes one compound of them: hyphens (NFKC turns the
# non-breaking one into U+2010), en dash and minus, and what names, codes and addresses use.
CONNECTORS = "-\u2010\u2013\u2212_./@&\u2044'"

# Read as an apostrophe, since people type them for one.
APOSTROPHES = "’‘ʼ‛＇`´\u1fef\u1ffd"

# Invisible inside a word: soft hyphen, joiners, direction marks, byte order mark.
INVISIBLE = (
    "\u00ad\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069\ufe0e\ufe0f\ufeff"
)


@cache
def marks() -> str:
    """All combining marks of this Python's Unicode tables, as ranges (about 20 ms, once)."""
    ranges: list[list[int]] = []
    for code in (*range(0x300, 0x20000), *range(0xE0100, 0xE01F0)):
        if unicodedata.category(chr(code))[0] == "M":
            if ranges and ranges[-1][1] == code - 1:
                ranges[-1][1] = code
            else:
                ranges.append([code, code])
    return "".join(f"{chr(first)}-{chr(last)}" for first, last in ranges)
