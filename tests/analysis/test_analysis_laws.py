"""Laws that hold for any text in any language."""

from __future__ import annotations

import unicodedata
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from steadyrank.analysis import LANGUAGES, StoreAnalyzer
from steadyrank.analysis.chunk import LONGEST_TOKEN
from support_analysis import seen, words

pytestmark = pytest.mark.whoosh

# Text as shoppers and bad exports write it: any character, and dense runs of the troublesome.
TROUBLE = "aZ09é ü'’`-./@&,_½²㎏™ßİıςѝйё한ㄱㅏ"
TROUBLE += "\u1100\u1161\u11a8かガ゛゜\u3099ﾊﾟ東ำน\u0301\u0323\u200d\u00ad👍🏽🇩🇪\u0345"
TEXTS = st.one_of(st.text(), st.text(alphabet=TROUBLE, max_size=40))
LANGUAGE = st.sampled_from(sorted(LANGUAGES))


@given(TEXTS, LANGUAGE)
def test_a_query_is_analysed_like_a_document(text: str, language: str) -> None:
    analyzer = StoreAnalyzer(language)
    index = [token.text for token in analyzer(text, mode="index", positions=True)]
    assert index == [token.text for token in analyzer(text, mode="query", chars=True)]


@given(TEXTS, LANGUAGE)
def test_terms_are_folded_short_and_without_space(text: str, language: str) -> None:
    for term in words(text, language):
        assert term == term.casefold()
        assert not any(character.isspace() for character in term)
        assert 0 < len(term) <= LONGEST_TOKEN
        term.encode()


@given(TEXTS, LANGUAGE)
def test_positions_count_and_offsets_lie_in_the_text(text: str, language: str) -> None:
    tokens = seen(text, language)
    assert [token.position for token in tokens] == list(range(len(tokens)))
    assert all(0 <= token.start < token.end <= len(text) for token in tokens)


@given(TEXTS, LANGUAGE)
@example("ᾳ\u0345", "el")
@example("\u1fef\u1ffd≮a≮", "en")
def test_normal_forms_of_one_text_have_the_same_terms(text: str, language: str) -> None:
    forms = [unicodedata.normalize(form, text) for form in ("NFC", "NFD")]
    assert words(text, language) == words(forms[0], language) == words(forms[1], language)


@given(TEXTS, TEXTS)
def test_lines_are_analysed_on_their_own(first: str, second: str) -> None:
    assert words(f"{first}\n{second}") == words(first) + words(second)


@given(st.text(alphabet="abcXYZéüß東京が0123456789", min_size=1, max_size=12))
def test_a_term_that_stands_alone_is_found_by_what_it_was_cut_from(text: str) -> None:
    """Analysing the slice that a token points at gives that token again, for highlights."""
    for token in seen(text, "und"):
        assert token.text in words(text[token.start : token.end], "und")


def test_offsets_point_at_the_word_as_it_was_written() -> None:
    text = "Ein Café, e\u0301tage Rain-Jackets ｶﾞｽ"
    slices = [(token.text, text[token.start : token.end]) for token in seen(text, "en")]
    assert slices == [
        ("ein", "Ein"),
        ("cafe", "Café"),
        ("etag", "e\u0301tage"),
        ("rain", "Rain"),
        ("jacket", "Jackets"),
        ("rainjacket", "Rain-Jackets"),
        ("ガ", "ｶﾞ"),
        ("ガス", "ｶﾞｽ"),
        ("ス", "ｽ"),
    ]


def test_a_plain_word_takes_no_short_cut_to_another_term() -> None:
    """Words of ASCII letters are analysed by a faster path, which must agree with the other."""
    for language in LANGUAGES:
        for word in ("Jackets", "GROESSE", "x", "Quelle" * 30, "ae" * 80):
            assert words(word, language) == words(f"{word}\u200c", language)


def test_threads_share_an_analyzer() -> None:
    analyzer = StoreAnalyzer("ru")
    texts = [f"куртками{letter} Rain-Jacket{letter} 450ml" for letter in "абвгдежзиклмнопрст"] * 20

    def analyse(text: str) -> list[str]:
        return [token.text for token in analyzer(text)]

    alone = [analyse(text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(analyse, texts)) == alone


def test_hostile_texts_take_linear_time() -> None:
    """A megabyte of one character, of connectors, of marks or of kana is analysed at once."""
    size = 100_000
    assert len(words("x" * size)) == 1
    assert len(words("a-" * size)) == size
    assert len(words("1," * size)) == size
    assert len(words("e" + "\u0301" * size)) == 1
    assert len(words("が" * size)) == 2 * size - 1
    assert words("'" * size) == words("-." * size) == []
