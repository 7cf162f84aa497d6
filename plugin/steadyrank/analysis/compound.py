"""The inside of a compound: words, numbers and codes joined by hyphens and the like."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from steadyrank.analysis.characters import CONNECTORS, UNSPACED, marks
from steadyrank.analysis.fold import fold
from steadyrank.analysis.languages import Language

# A clothing size is no number with a unit: a search for XL is not one for 2XL.
_SIZE = re.compile("[0-9]+x+[sl]")


@dataclass(frozen=True, slots=True)
class Atom:
    """A run of letters or a number: its folded forms, and where it stands in the compound."""

    forms: tuple[str, ...]
    letters: bool
    start: int
    end: int


Part = tuple[Atom, ...]  # atoms with nothing between them: 450ml


@cache
def _atoms(decimal_comma: bool, elision: bool) -> re.Pattern[str]:
    point, comma = (",", r"\.") if decimal_comma else (r"\.", ",")
    letters = rf"(?:[^\W\d_{UNSPACED}][{marks()}]*)+"
    if not elision:
        letters = rf"{letters}(?:'{letters})*"
    # A number has at most one decimal sign, and grouping signs only where they group: 10.1.2024
    # and 1.2.3 are compounds of three numbers.
    return re.compile(
        rf"(?P<number>(?<!\d[.,])"
        rf"(?:\d{{1,3}}(?:{comma}\d{{3}})+(?:{point}\d+)?|\d+(?:[.,]\d+)?)(?![.,]?\d))"
        rf"|(?P<digits>(?:\d[{marks()}]*)+)"
        rf"|(?P<letters>{letters})"
        rf"|(?P<connector>[{CONNECTORS},])"
    )


def parts_of(compound: str, language: Language) -> list[Part]:
    """The parts between the connectors, each a tuple of its atoms. No atom is empty."""
    parts: list[Part] = []
    atoms: list[Atom] = []
    for match in _atoms(language.decimal_comma, language.elision).finditer(compound):
        kind = match.lastgroup
        if kind == "connector":
            if atoms:
                parts.append(tuple(atoms))
            atoms = []
            continue
        text = match.group()
        if kind == "letters":
            forms = fold(text, language)
        elif kind == "number":
            forms = (_canonical(_ascii_digits(text), language.decimal_comma),)
        else:
            forms = (_ascii_digits(text),)
        if forms:
            atoms.append(Atom(forms, kind == "letters", match.start(), match.end()))
    if atoms:
        parts.append(tuple(atoms))
    return parts


def divisible(part: Part) -> bool:
    """Whether a part's atoms are words of their own: 450ml and iphone15 are, a1b2 and 2xl not."""
    if len(part) != 2:
        return len(part) == 1
    if part[0].letters:
        return len(part[0].forms[0]) > 1
    return not _SIZE.fullmatch(joined(part))


def joined(atoms: Part) -> str:
    """The atoms as one token, without what stood between them, so that TC-300 is TC300.

    Two numbers keep a hyphen between them: 5-10 is not 510.
    """
    pieces = [atoms[0].forms[0]]
    for before, after in pairwise(atoms):
        if not before.letters and not after.letters:
            pieces.append("-")
        pieces.append(after.forms[0])
    return "".join(pieces)


def _ascii_digits(text: str) -> str:
    if text.isascii():
        return text
    return "".join(
        character if character in ".," else str(unicodedata.decimal(character))
        for character in text
        if character in ".," or character.isdecimal()
    )


def _canonical(number: str, decimal_comma: bool) -> str:
    """Grouping signs gone, a point before the decimals; zeros stay, they are part of codes."""
    point, comma = (",", ".") if decimal_comma else (".", ",")
    groups = number.partition(point)[0].split(comma)
    if len(groups) > 1 and all(len(group) == 3 for group in groups[1:]):
        number = number.replace(comma, "")
    return number.replace(",", ".")
