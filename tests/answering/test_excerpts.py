"""Excerpts and prompt texts are cut where a text may be cut."""

from __future__ import annotations

import re
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from steadyrank.answering.excerpts import excerpt, sentences

# Each of these is read as one and must not be torn.
WHOLE = [
    "e\u0301", "👩‍🚒", "👍🏽", "🇮🇪", "🇩🇪", "🏴󠁧󠁢󠁷󠁬󠁳󠁿", "&amp;", "&#8217;", "&#x1F600;", "&nbsp;",
    "क्ष", "\u1112\u1161\u11ab", "a\u200db", "☎\ufe0f", "กำ", "\r\n", "z" + "\u0327\u0301" * 20,
]  # fmt: skip
LETTERS = ["a", "Z", "é", "東", "ש", "&", ";", "#", "1"]

texts = st.lists(
    st.sampled_from([*WHOLE, *LETTERS, " ", " ", ". ", "\n", "tent"]), min_size=1, max_size=120
)
_TOKENS = re.compile(r"\w+")


def words(text: str) -> list[tuple[str, int, int]]:
    return [(m.group().lower(), m.start(), m.end()) for m in _TOKENS.finditer(text)]


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text).strip()


def pieces_torn(text: str, place: int) -> list[str]:
    """The wholes that a cut at this place of the text would tear."""
    return [
        whole
        for whole in WHOLE
        for start in range(max(0, place - len(whole) + 1), place)
        if text.startswith(whole, start)
    ]


@given(texts, st.integers(1, 60), st.sampled_from(["tent", "a", "1", "none"]))
def test_nothing_that_is_read_as_one_is_torn(parts: list[str], limit: int, wanted: str) -> None:
    """Whatever the text and the limit: the ends of an excerpt fall between characters."""
    text = "".join(parts)
    shown = excerpt(text, words(text), {wanted}, limit)
    body = shown.text.removeprefix("… ").removesuffix(" …")
    assert body in flat(text) or body in re.sub(r"\s+", " ", text)
    # The same on a text without spaces to fall back on.
    dense = re.sub(r"\s", "", text)
    cut = excerpt(dense, words(dense), {wanted}, limit).text
    inner = cut.removeprefix("… ").removesuffix(" …")
    possible = [m.start() for m in re.finditer(f"(?={re.escape(inner)})", dense)] if inner else [0]
    assert any(
        not any(
            pieces_torn(dense, end) for end in (start, start + len(inner)) if 0 < end < len(dense)
        )
        for start in possible
    ), cut


@given(texts, st.integers(20, 60))
def test_matches_are_the_words_and_lie_in_the_excerpt(parts: list[str], limit: int) -> None:
    """Each marked part is a wanted word, in order, never inside a character."""
    text = "".join(parts)
    shown = excerpt(text, words(text), {"tent", "東"}, limit)
    last = 0
    for start, end in shown.matches:
        assert last <= start < end <= len(shown.text)
        assert shown.text[start:end].lower() in {"tent", "東"}
        assert end == len(shown.text) or not unicodedata.combining(shown.text[end])
        last = end


@given(texts, st.integers(40, 80))
def test_an_excerpt_is_about_as_long_as_asked(parts: list[str], limit: int) -> None:
    """At most the limit, two ellipses, and one character that is longer than its letters."""
    text = "".join(parts)
    assert len(excerpt(text, words(text), {"tent"}, limit).text) <= limit + 4 + 41


def test_the_best_window_is_shown() -> None:
    """The part with the most different words, from the start of its sentence."""
    text = "A tent. " + "Nothing here. " * 30 + "The tent has a stove and a lamp. " + "More. " * 30
    shown = excerpt(text, words(text), {"tent", "stove", "lamp"}, 60)
    assert shown.text.startswith("… The tent has a stove and a lamp.")
    assert [shown.text[a:b] for a, b in shown.matches] == ["tent", "stove", "lamp"]


def test_without_a_match_the_beginning_is_shown() -> None:
    """And nothing is marked."""
    shown = excerpt("One two three. " * 20, [], {"x"}, 40)
    assert shown.text.startswith("One two three.")
    assert shown.matches == ()


def test_korean_words_can_be_cut_between_syllables() -> None:
    """Precomposed syllables are characters of their own."""
    shown = excerpt("텐트" * 100, [], {"x"}, 50)
    assert len(shown.text) == 52


@given(texts)
def test_sentences_are_the_whole_text(parts: list[str]) -> None:
    """Nothing is lost but the space between them."""
    text = "".join(parts)
    assert re.sub(r"\s", "", "".join(sentences(text))) == re.sub(r"\s", "", text)


def test_sentences_end_where_they_end() -> None:
    """Closing quotes belong to the sentence, and so do the full stops of Chinese."""
    assert sentences('He said "Go." Then he went. 3.5 kg.\nNew line') == [
        'He said "Go."', "Then he went.", "3.5 kg.", "New line"]  # fmt: skip
    assert sentences("帳篷。很好。") == ["帳篷。", "很好。"]
