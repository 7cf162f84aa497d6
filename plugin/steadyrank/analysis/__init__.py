"""From a store's text to terms, the same on every Whoosh distribution.

``StoreAnalyzer(language)`` goes into a schema. Its rules:

- **Nothing is a stop word.** Sizes (S, M, XL), codes (US, IT) and numbers are terms.
- **Case, width, accents.** Case folding (ß is ss), NFKC, marks off Latin and Greek letters.
  Kana keep their voicing, Cyrillic letters stay letters (й is not и; ё is е), Indic vowel
  signs stay.
- **Umlauts.** In German, ä and ae are both a, ö and oe both o, ü and ue both u (ue not after a
  vowel or q: neue, Quelle), so Schlüssel, Schluessel and Schlussel are one term; the price is
  that blue and blu are one too. In other languages that would hurt more words than it helps: a
  word that has an umlaut gives two terms, schlussel and schluessel, and finds and is found by
  both. There, Schluessel and Schlussel find each other only through a text with ü. Danish and
  Norwegian treat å and ø alike. Where ä and ö are ordinary letters (Swedish, Finnish,
  Hungarian, Turkish, Estonian, ...) they fold to a and o.
- **Compounds.** Words joined by one of ``- _ . / @ & '`` (an apostrophe only in French, Italian
  and Catalan) give each part and then the whole without what joined them: rain-jacket is rain,
  jacket, rainjacket; TC-300-BLU is tc, 300, blu, tc300blu, and so is what TC300BLU is found by.
  Numbers side by side keep a hyphen in the whole: 5-10 is 5, 10, 5-10. More than eight parts,
  or a whole of more than 100 characters, have no whole. E-mail addresses are compounds; so are
  host and path of a URL.
- **Apostrophes.** In English a final 's goes (men's is men); else the apostrophe is removed
  (don't is dont, O'Neill is oneill).
- **Numbers.** 1.5 is one term, 10,000 is 10000; in languages with a decimal comma 1,5 is 1.5 and
  10.000 is 10000. More separators make a compound (1.2.3, dates). 2½ is 2-1/2. Digits of all
  scripts are 0 to 9.
- **Number and unit.** 450ml is 450, ml, 450ml; iPhone15 is iphone, 15, iphone15. Clothing sizes
  (2XL), one letter before a number (B2) and longer mixtures (TC300BLU) stay whole.
- **Stems.** Words of three or more letters, after folding, in the language's own script. Never a
  term with a digit.
- **Scripts without spaces** (Han, kana, Hangul, Thai, Lao, Khmer, Burmese): each character and
  each pair of neighbours, in the order 東 東京 京 京都 都.
- **Emoji** are terms, one for each picture, without skin tone. Other symbols are not.
- **Length.** A term is cut at 100 characters.

**Several languages in one index**: ``StoreAnalyzer("en", ["de", "fr"])`` analyses a text given as
``Spoken(text, "de")`` by German rules and plain text by English ones. Questions are analysed by
all of them, and a document is found by the terms of its own language.

Positions count terms: each has its own. That way a phrase, analysed like the text, is found
wherever the text is written the same way, and a part of a run of Han wherever it occurs. A
phrase that runs past the end of a compound written otherwise ("jacket red" in "rain-jacket
red") needs a slop of 2, since the whole stands between. Lengths count terms too: a compound of
two words is three long and a Han run of n characters 2n-1, in documents and averages alike.
"""

from __future__ import annotations

from steadyrank.analysis.analyzer import ANALYZER_VERSION, StoreAnalyzer, describe
from steadyrank.analysis.errors import AnalyzerVersionError, LanguageError
from steadyrank.analysis.languages import LANGUAGES, Language
from steadyrank.analysis.spoken import Spoken, spoken_fields

__all__ = [
    "ANALYZER_VERSION",
    "LANGUAGES",
    "AnalyzerVersionError",
    "Language",
    "LanguageError",
    "Spoken",
    "StoreAnalyzer",
    "describe",
    "spoken_fields",
]
