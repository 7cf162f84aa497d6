"""What the analyzer knows about each language: a table, and nothing that acts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from steadyrank.analysis.errors import LanguageError

# Umlaut spelled with e (Schluessel) in a language that does not use it: both spellings are
# emitted. Letters outside this table have no second spelling.
_UMLAUTS = MappingProxyType({"ä": "ae", "ö": "oe", "ü": "ue"})
_NORDIC = MappingProxyType({"å": "aa", "ø": "oe", "ä": "ae", "ö": "oe"})
_NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Language:
    """One language's rules.

    ``code`` is ISO 639-1, or ``und`` for none in particular. ``stemmer`` is the name under
    which ``whoosh.lang`` knows its stemmer, or empty. ``decimal_comma``: 1,5 is a number and
    1.500 is grouped. ``elision``: an apostrophe separates two words (l'eau). ``possessive``:
    a final 's is dropped. ``german``: ae, oe and ue are umlauts. ``alternates``: letters that
    have a second spelling, which becomes a token of its own.
    """

    code: str
    stemmer: str
    decimal_comma: bool
    elision: bool
    possessive: bool
    german: bool
    alternates: Mapping[str, str]


def _language(code: str) -> Language:
    return Language(
        code,
        stemmer=code if code in _STEMMED else "",
        decimal_comma=code not in _DECIMAL_POINT,
        elision=code in ("ca", "fr", "it"),
        possessive=code == "en",
        german=code == "de",
        alternates=_alternates(code),
    )


def _alternates(code: str) -> Mapping[str, str]:
    if code in ("da", "no"):
        return _NORDIC
    # German folds every spelling to one; the others have the dotted letters as their own, and
    # nobody writes them with an e.
    return _NONE if code in ("az", "de", "et", "fi", "hu", "sk", "sv", "tr") else _UMLAUTS


# Arabic has a stemmer in whoosh.lang that raises on Whoosh 2.7.4 and keeps state between calls
# on the others; Turkish has only stop words.
_STEMMED = frozenset(
    ("da", "de", "en", "es", "fi", "fr", "hu", "it", "nl", "no", "pt", "ro", "ru", "sv")
)
# Of the known languages, those that write 1.5 as it is; the others write 1,5.
_DECIMAL_POINT = frozenset(("ar", "en", "fa", "he", "hi", "ja", "ko", "th", "und", "zh"))
_CODES = (
    "ar az bg ca cs da de el en es et fa fi fr he hi hr hu id it ja ko lt lv nl no pl pt ro ru"
    " sk sl sr sv th tr uk und vi zh"
)
_ALIASES = {"nb": "no", "nn": "no", "iw": "he", "in": "id"}

LANGUAGES: Mapping[str, Language] = MappingProxyType(
    {code: _language(code) for code in _CODES.split()}
)


def language_of(tag: str) -> Language:
    """The rules for a language tag: ``de``, ``de-AT``, ``en_US`` (case and region are ignored).

    Raises LanguageError, which lists the known codes, for any other.
    """
    code = known_code(tag)
    if code is None:
        raise LanguageError(
            f"unknown language {tag!r}: known are {', '.join(LANGUAGES)} "
            "('und' folds and splits but does not stem)",
            language=tag,
        )
    return LANGUAGES[code]


def known_code(tag: str) -> str | None:
    """The code of the rules for a language tag, None where there are none."""
    code = tag.strip().replace("_", "-").partition("-")[0].lower()
    code = _ALIASES.get(code, code)
    return code if code in LANGUAGES else None
