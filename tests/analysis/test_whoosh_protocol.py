"""The analyzer behaves as Whoosh expects of one, in an index too."""

from __future__ import annotations

import pickle
import pickletools
from pathlib import Path

import pytest
from whoosh import highlight, index
from whoosh.analysis import LowercaseFilter, StandardAnalyzer
from whoosh.fields import TEXT, Schema
from whoosh.qparser import QueryParser

from steadyrank.analysis import (
    ANALYZER_VERSION,
    LANGUAGES,
    AnalyzerVersionError,
    LanguageError,
    StoreAnalyzer,
    describe,
)
from support_analysis import words

pytestmark = pytest.mark.whoosh


def test_attributes_are_set_as_asked() -> None:
    [first, second] = [
        token.copy()
        for token in StoreAnalyzer()(
            "Rain Jackets",
            positions=True,
            chars=True,
            keeporiginal=True,
            start_pos=7,
            start_char=100,
            mode="index",
        )
    ]
    assert (first.text, first.pos, first.startchar, first.endchar) == ("rain", 7, 100, 104)
    assert (second.text, second.pos, second.startchar, second.endchar) == ("jacket", 8, 105, 112)
    assert (second.original, second.mode, second.boost, second.stopped) == (
        "Jackets",
        "index",
        1.0,
        False,
    )
    [bare] = [token.copy() for token in StoreAnalyzer()("Rain")]
    assert not hasattr(bare, "pos") and not hasattr(bare, "startchar")


def test_tokenize_false_gives_the_whole_text() -> None:
    [token] = [
        token.copy() for token in StoreAnalyzer()("Rain Jackets", tokenize=False, chars=True)
    ]
    assert (token.text, token.startchar, token.endchar) == ("Rain Jackets", 0, 12)


def test_composes_with_a_filter() -> None:
    assert [token.text for token in (StoreAnalyzer() | LowercaseFilter())("Red")] == ["red"]


def test_other_values_than_text_are_refused() -> None:
    with pytest.raises(TypeError, match="reads str, not bytes"):
        StoreAnalyzer()(b"red")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("tag", "code"), [("de", "de"), ("de-AT", "de"), ("EN_us", "en"), ("nb", "no"), ("und", "und")]
)
def test_language_tags(tag: str, code: str) -> None:
    assert StoreAnalyzer(tag).language == code


@pytest.mark.parametrize("tag", ["", "xx", "english", "e"])
def test_an_unknown_language_is_an_error_that_lists_the_known(tag: str) -> None:
    with pytest.raises(LanguageError, match=r"known are ar, .*de, .*zh") as caught:
        StoreAnalyzer(tag)
    assert caught.value.language == tag


def test_equality_and_hash() -> None:
    assert StoreAnalyzer("de-AT") == StoreAnalyzer("de") != StoreAnalyzer("en")
    assert len({StoreAnalyzer("de"), StoreAnalyzer("de-CH"), StoreAnalyzer("en")}) == 2
    assert StoreAnalyzer() != StandardAnalyzer()


def test_describe() -> None:
    described = describe(StoreAnalyzer("de"))
    assert {key: described[key] for key in ("name", "version", "language", "stemmer")} == {
        "name": "steadyrank.analysis.StoreAnalyzer",
        "version": ANALYZER_VERSION,
        "language": "de",
        "stemmer": "snowball:de",
    }
    assert describe(StoreAnalyzer("ja"))["stemmer"] == "none"
    foreign = describe(StandardAnalyzer())
    assert (foreign["version"], foreign["unicode"]) == (None, described["unicode"])


# What every distribution writes for StoreAnalyzer("de"), and what indexes out there hold.
PICKLED = (
    b"\x80\x02csteadyrank.analysis\nStoreAnalyzer\nq\x00)\x81q\x01}q\x02(X\x08\x00\x00\x00language"
    b"q\x03X\x02\x00\x00\x00deq\x04X\x07\x00\x00\x00versionq\x05K\x01ub."
)


def test_the_pickle_is_the_same_everywhere_and_names_one_class() -> None:
    analyzer = StoreAnalyzer("de")
    assert pickle.dumps(analyzer, 2) == PICKLED
    assert pickle.loads(PICKLED) == analyzer
    globals_ = [arg for op, arg, _ in pickletools.genops(PICKLED) if op.name == "GLOBAL"]
    assert globals_ == ["steadyrank.analysis StoreAnalyzer"]


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_every_pickle_protocol_brings_it_back(protocol: int) -> None:
    analyzer = pickle.loads(pickle.dumps(StoreAnalyzer("fr"), protocol))
    assert analyzer == StoreAnalyzer("fr")
    assert [token.text for token in analyzer("L'eau")] == words("L'eau", "fr")


def test_an_index_of_another_version_opens_and_refuses_to_analyse() -> None:
    old = pickle.loads(PICKLED.replace(b"K\x01", b"K\x63"))
    assert old != StoreAnalyzer("de")
    with pytest.raises(
        AnalyzerVersionError, match=r"version 99 .* build the index again"
    ) as caught:
        old("red")
    assert (caught.value.version, caught.value.supported) == (99, ANALYZER_VERSION)


DOCUMENTS = ["waterproof rain-jacket for men", "the Schlüssel of 東京都", "TC-300-BLU, blue tent"]


@pytest.fixture(scope="module")
def searcher(tmp_path_factory: pytest.TempPathFactory):  # type: ignore[no-untyped-def]
    directory: Path = tmp_path_factory.mktemp("index")
    store = index.create_in(directory, Schema(text=TEXT(analyzer=StoreAnalyzer(), stored=True)))
    writer = store.writer()
    for text in DOCUMENTS:
        writer.add_document(text=text)
    writer.commit()
    with index.open_dir(directory).searcher() as opened:
        yield opened


@pytest.mark.parametrize(
    ("phrase", "found"),
    [
        ("rain-jacket", 1),
        ("rain jacket", 1),
        ("waterproof rain jacket", 1),
        ("waterproof rain-jacket for", 1),
        ("jacket waterproof", 0),
        ("rain jacket for", 0),  # the whole stands between
        ("京都", 1),
        ("東京都", 1),
        ("京東", 0),
        ("TC 300 BLU", 1),
        ("300-BLU tent", 0),
        ("blue tents", 1),
        ("the Schlüssel of", 1),
    ],
)
def test_whoosh_phrases(searcher, phrase: str, found: int) -> None:  # type: ignore[no-untyped-def]
    query = QueryParser("text", searcher.schema).parse(f'"{phrase}"')
    assert len(searcher.search(query)) == found


def test_a_phrase_past_the_end_of_a_compound_is_found_with_slop(searcher) -> None:  # type: ignore[no-untyped-def]
    query = QueryParser("text", searcher.schema).parse('"rain jacket for"~2')
    assert len(searcher.search(query)) == 1


@pytest.mark.parametrize(
    "fragmenter",
    [
        highlight.WholeFragmenter(),
        highlight.SentenceFragmenter(),
        highlight.ContextFragmenter(),
        highlight.PinpointFragmenter(),
    ],
)
def test_highlights_mark_the_words_as_written(searcher, fragmenter) -> None:  # type: ignore[no-untyped-def]
    for text, marked in (
        ("jackets", '<b class="match term0">jacket</b>'),
        ("schluessel", '<b class="match term0">Schlüssel</b>'),
        ("京都", "京都"),
        ("tc300blu", "TC-300-BLU"),
    ):
        query = QueryParser("text", searcher.schema).parse(text)
        results = searcher.search(query, terms=True)
        results.fragmenter = fragmenter
        assert marked in results[0].highlights("text")


def test_spelling_keeps_the_words() -> None:
    field = TEXT(analyzer=StoreAnalyzer(), spelling=True)
    assert field.separate_spelling()
    assert list(field.spellable_words("Jackets jackets")) == ["jackets"]
    assert not TEXT(analyzer=StoreAnalyzer("ja"), spelling=True).separate_spelling()


def test_every_language_works() -> None:
    for code in LANGUAGES:
        assert words("red 450", code) == ["red", "450"]
