"""Anchors of headings, as GitHub makes them."""

from __future__ import annotations

import unicodedata

# Letters with the Unicode property Alphabetic that are no letters by category.
_CIRCLED = ((0x24B6, 0x24E9), (0x1F130, 0x1F149), (0x1F150, 0x1F169), (0x1F170, 0x1F189))
_KEPT = frozenset(("Lu", "Ll", "Lt", "Lm", "Lo", "Mn", "Mc", "Me", "Nd", "Nl", "Pc"))


def github_slug(text: str) -> str:
    """Lower case, spaces as hyphens, without anything but letters, marks, digits, ``-``, ``_``.

    Source: github-slugger, which follows GitHub: alphabetic, mark, decimal number and connector
    punctuation stay, each space becomes one hyphen.
    """
    return "".join("-" if char == " " else char for char in text.lower() if _stays(char))


def _stays(char: str) -> bool:
    if char.isascii():
        return char.isalnum() or char in " -_"
    if unicodedata.category(char) in _KEPT:
        return True
    return any(first <= ord(char) <= last for first, last in _CIRCLED)


class Slugger:
    """Unique anchors of one page: a taken one gets -1, -2, ..., also past taken ones of that form.

    ``Foo-1``, ``Foo``, ``Foo`` give ``foo-1``, ``foo``, ``foo-2``.
    """

    def __init__(self) -> None:
        self._count: dict[str, int] = {}

    def unique(self, slug: str) -> str:
        """The slug, or its first free numbered form; it is taken from now on."""
        result = slug
        while result in self._count:
            self._count[slug] += 1
            result = f"{slug}-{self._count[slug]}"
        self._count[result] = 0
        return result
