"""Stems, from the stemmers that come with Whoosh."""

from __future__ import annotations

import re
from collections.abc import Callable

from steadyrank.analysis.languages import Language

# A stemmer is asked only about words in its own script: the Russian one, for one, goes through
# a romanisation in which other letters have another meaning.
_LATIN = re.compile("[a-z]{3,}")
_CYRILLIC = re.compile("[а-я]{3,}")


def stemmer_for(language: Language) -> Callable[[str], str]:
    """A function from folded word to stem; the word itself where there is nothing to do.

    The Snowball stemmers are the same in every Whoosh distribution (the tests hold a digest of
    their answers) and keep no state, so one may serve many threads.
    """
    if not language.stemmer:
        return _unchanged
    from whoosh.lang import stemmer_for_language

    stem: Callable[[str], str] = stemmer_for_language(language.stemmer)
    whole_word = (_CYRILLIC if language.code == "ru" else _LATIN).fullmatch

    def stem_word(word: str) -> str:
        return stem(word) or word if whole_word(word) else word

    return stem_word


def _unchanged(word: str) -> str:
    return word
