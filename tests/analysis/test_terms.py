"""Which terms a text has: one table a rule, written by hand."""

from __future__ import annotations

import unicodedata

import pytest

from support_analysis import words

pytestmark = pytest.mark.whoosh


@pytest.mark.parametrize("text", ["s", "m", "l", "xl", "us", "it", "a", "the", "not", "450", "007"])
def test_short_words_codes_and_numbers_are_terms(text: str) -> None:
    """Nothing is a stop word and nothing is too short."""
    assert words(text) == words(text.upper()) == [text]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("rain-jacket", ["rain", "jacket", "rainjacket"]),
        ("T-Shirts", ["t", "shirt", "tshirt"]),
        ("tshirts", ["tshirt"]),
        ("TC-300-BLU", ["tc", "300", "blu", "tc300blu"]),
        ("TC_300/BLU", ["tc", "300", "blu", "tc300blu"]),
        ("TC‑300‐BLU", ["tc", "300", "blu", "tc300blu"]),
        ("TC300BLU", ["tc300blu"]),
        ("BLUES-1", ["blue", "1", "blues1"]),  # a part is a word, the whole is a code
        ("H&M", ["h", "m", "hm"]),
        ("U.S.", ["u", "s", "us"]),
        ("info@my-store.de", ["info", "my", "store", "de", "infomystored"]),
        ("https://shop.com/new?x=1", ["https", "shop", "com", "new", "shopcomnew", "x", "1"]),
        ("a--b", ["a", "b"]),
        ("-a-", ["a"]),
        ("red,blue", ["red", "blue"]),
        ("red — blue", ["red", "blue"]),
        ("1-2-3-4-5-6-7-8", ["1", "2", "3", "4", "5", "6", "7", "8", "1-2-3-4-5-6-7-8"]),
        ("1-2-3-4-5-6-7-8-9", ["1", "2", "3", "4", "5", "6", "7", "8", "9"]),
    ],
)
def test_compounds_give_their_parts_and_the_whole(text: str, terms: list[str]) -> None:
    assert words(text) == terms


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("1.5", ["1.5"]),
        ("10,000", ["10000"]),
        ("1,234,567.89", ["1234567.89"]),
        ("1,5", ["1.5"]),
        ("10,00", ["10.00"]),
        ("1.2.3", ["1", "2", "3", "1-2-3"]),
        ("5-10", ["5", "10", "5-10"]),
        ("1/2", ["1", "2", "1-2"]),
        ("½", ["1", "2", "1-2"]),
        ("2½", ["2", "1", "2", "2-1-2"]),
        ("٤٥٠", ["450"]),
        ("４５０", ["450"]),
        ("450ml", ["450", "ml", "450ml"]),
        ("1.5l", ["1.5", "l", "1.5l"]),
        ("5㎏", ["5", "kg", "5kg"]),
        ("m²", ["m2"]),
        ("iPhone15", ["iphon", "15", "iphone15"]),
        ("2XL", ["2xl"]),
        ("3xs", ["3xs"]),
        ("B2", ["b2"]),
        ("a1b2c3", ["a1b2c3"]),
        ("#5.", ["5"]),
    ],
)
def test_numbers(text: str, terms: list[str]) -> None:
    assert words(text) == terms


def test_separators_of_numbers_follow_the_language() -> None:
    """The comma is the decimal sign in German, and the point groups."""
    assert words("1,5 10.000 1.234,56 1.50", "de") == ["1.5", "10000", "1234.56", "1.50"]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("STRASSE Straße ﬁne ＪＡＣＫＥＴ", ["strass", "strass", "fine", "jacket"]),
        ("Crème brûlée", ["creme", "brule"]),
        ("Łódź Ærø İstanbul ıstanbul", ["lodz", "aero", "istanbul", "istanbul"]),
        ("Ελλάς ΕΛΛΑΣ ᾳ ἄνθρωπος", ["ελλασ", "ελλασ", "αι", "ανθρωποσ"]),
        ("Tiếng Việt", ["tieng", "viet"]),
        ("мой ёлка за́мок", ["мой", "елка", "замок"]),
        ("soft\u00adware \ufeffred", ["softwar", "red"]),
        ("Foo™ Bar®", ["foo", "bar"]),
    ],
)
def test_case_width_and_accents(text: str, terms: list[str]) -> None:
    assert words(text) == terms


def test_marks_stay_where_they_make_another_letter() -> None:
    """A voiced kana is not the plain one, й is not и, an Indic vowel sign is a vowel."""
    assert words("が") == ["が"] != words("か")
    assert words("ﾊﾞ") == words("ば".translate({ord("ば"): "バ"})) == ["バ"]
    assert words("か゛") == words("か\u3099") == ["が"]
    assert words("й") == ["й"]
    assert words("की") == ["की"] != words("क")


@pytest.mark.parametrize(
    "spellings",
    [
        ["Schlüssel", "Schluessel", "Schlussel", "SCHLÜSSEL"],
        ["Größe", "Groesse", "Grosse", "GRÖSSE", "GRÖẞE"],
        ["Äpfel", "Aepfel", "Apfel"],
        ["säen", "saeen", "saen"],
        ["Häuser", "Haeuser", "Hauser"],
        ["Diözese", "Dioezese", "Diozese"],
    ],
)
def test_german_spellings_of_one_word_are_one_term(spellings: list[str]) -> None:
    decomposed = [unicodedata.normalize("NFD", spelling) for spelling in spellings]
    assert len({tuple(words(spelling, "de")) for spelling in spellings + decomposed}) == 1
    assert len(words(spellings[0], "de")) == 1


def test_german_leaves_ue_after_a_vowel_or_q() -> None:
    assert words("neue Quelle bauen Treue", "de") == ["neu", "quell", "bau", "treu"]
    assert words("nu Qull", "de") != words("neue Quelle", "de")


def test_outside_german_an_umlaut_finds_both_spellings_and_ue_is_left_alone() -> None:
    """Every pair with an umlaut on one side shares a term; blue is never blu."""
    umlaut, long, short = (set(words(w)) for w in ("Schlüssel", "Schluessel", "Schlussel"))
    assert umlaut == {"schlussel", "schluessel"} == long | short
    assert words("blue true", no_morph=True) == ["blue", "true"]
    assert set(words("blue")).isdisjoint(words("blu"))


def test_umlauts_by_language() -> None:
    """Danish letters have two spellings; Swedish ones are folded and have one."""
    assert words("Smørrebrød", "da", no_morph=True) == ["smorrebrod", "smoerrebroed"]
    assert words("på", "no") == ["pa", "paa"]
    assert words("Ærø", "da") == ["aero"]  # aero and aeroe, with one stem
    assert words("smörgås", "sv", no_morph=True) == ["smorgas"]


@pytest.mark.parametrize("mark", "'’`´ʼ‘＇")
def test_apostrophes(mark: str) -> None:
    """English: the possessive goes, any other apostrophe disappears inside its word."""
    assert words(f"men{mark}s don{mark}t O{mark}Neill") == ["men", "dont", "oneil"]
    assert words(f"L{mark}Oréal", "fr") == ["l", "oreal", "loreal"]
    assert words(f"5{mark}10") == ["5", "10", "5-10"]


def test_scripts_without_spaces_give_characters_and_pairs() -> None:
    assert words("東京都") == ["東", "東京", "京", "京都", "都"]
    assert words("ソニーTV") == ["ソ", "ソニ", "ニ", "ニー", "ー", "tv"]
    assert words("한국") == words(unicodedata.normalize("NFD", "한국")) == ["한", "한국", "국"]
    assert words("東、京") == ["東", "京"]
    assert words("ﾃﾚﾋﾞ") == words("テレビ") == ["テ", "テレ", "レ", "レビ", "ビ"]
    assert words("๔๕ มด") == ["45", "ม", "มด", "ด"]


def test_emoji_are_terms_and_typography_is_not() -> None:
    assert words("👕👖 ✓ ★ → 👍🏽") == ["👕", "👖", "👍"]
    assert words("❤️ ❤") == ["❤", "❤"]
    assert words("👨‍👩‍👧 🇩🇪") == ["👨", "👩", "👧", "🇩🇪"]


def test_stems_only_words_of_the_language() -> None:
    """Never a term with a digit, one of two letters, or one in another script."""
    terms = ["jacket", "run", "is", "abc123s", "куртками"]
    assert words("jackets running is abc123s куртками") == terms
    assert words("куртками jackets", "ru") == ["куртк", "jackets"]
    assert words("jackets", "und") == words("jackets", "pl") == ["jackets"]
    assert words("rain-jackets", no_morph=True) == ["rain", "jackets", "rainjackets"]


def test_long_terms_are_cut_at_a_hundred_characters() -> None:
    assert words("x" * 1000) == ["x" * 100]
    assert words("9" * 1000) == ["9" * 100]
    assert words("é" * 1000) == ["e" * 100]
    assert words("ab-" * 40 + "x" * 100)[-1] == "x" * 100


@pytest.mark.parametrize(
    "text", ["", " ", "*", ":", '"', "()[]{}", "…—„“", "\0", "\ud800", "\u0301"]
)
def test_nothing_to_index(text: str) -> None:
    assert words(text) == []
