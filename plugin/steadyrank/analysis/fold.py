"""A word without case, accents and apostrophes: what two spellings of it have in common."""

from __future__ import annotations

import re
import unicodedata

from steadyrank.analysis.languages import Language

# Letters that Unicode does not take apart, though readers and keyboards do.
_PLAIN = {
    "æ": "ae",
    "œ": "oe",
    "ø": "o",
    "đ": "d",
    "ð": "d",
    "ħ": "h",
    "ı": "i",
    "ł": "l",
    "ŧ": "t",
    "þ": "th",
    "ŋ": "n",
    "ĸ": "k",
    # Cyrillic: only what writers leave out themselves. й, ї and ў are letters of their own.
    "ё": "е",
    "ѐ": "е",
    "ѝ": "и",
}

# ae, oe, ue for ä, ö, ü. After a vowel or q, ue is something else (neue, blaue, Quelle). The e may
# repeat, so that säen, saeen and saen meet.
_GERMAN = re.compile("([ao])e+|(?<![aeiouyq])(u)e+")


def fold(word: str, language: Language) -> tuple[str, ...]:
    """The one form of a word of letters; two where the language has a second spelling of it.

    ``word`` is NFKC, made of letters, marks and inner apostrophes. The result may be empty, for
    a word that is nothing but marks.
    """
    word = word.casefold()
    if language.possessive and word.endswith("'s"):
        word = word[:-2]
    word = word.replace("'", "")
    if word.isascii():
        return _forms(_german(word, language))
    # Case folding takes some letters apart, so the normal form has to be made again.
    word = unicodedata.normalize("NFKC", word)
    first = _german(_without_accents(word), language)
    if not any(letter in language.alternates for letter in word):
        return _forms(first)
    second = "".join(language.alternates.get(letter, letter) for letter in word)
    return _forms(first, _without_accents(second))


def _forms(*words: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word for word in words if word))


def _german(word: str, language: Language) -> str:
    return _GERMAN.sub(r"\1\2", word) if language.german else word


def _without_accents(word: str) -> str:
    """Marks go from Latin, Greek and Cyrillic letters and stay everywhere else.

    A voiced kana is another kana and an Indic vowel is a mark; neither may be lost. A composed
    Cyrillic letter stays as it is (й is not и), a stress mark on one goes.
    """
    kept: list[str] = []
    bare = False  # whether the last base letter is of a script whose marks go
    for character in word:
        if unicodedata.category(character)[0] == "M":
            if not bare:
                kept.append(character)
            continue
        base = unicodedata.normalize("NFD", character)[0]
        bare = _loses_marks(base)
        letter = base if bare and not "\u0400" <= base <= "\u052f" else character
        kept.append(_PLAIN.get(letter, letter))
    return "".join(kept)


def _loses_marks(base: str) -> bool:
    """Latin up to the IPA block, Greek, Cyrillic: what the accented letters decompose to."""
    return base < "\u0250" or "\u0370" <= base <= "\u052f"
