"""Several languages in one index: each text by its own rules, a question by all of them."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest
from whoosh import index
from whoosh.fields import TEXT, Schema

from steadyrank.analysis import LanguageError, Spoken, StoreAnalyzer, describe, spoken_fields
from steadyrank.schema import TEXT_FIELDS, store_schema
from steadyrank.words import words_query

pytestmark = pytest.mark.whoosh
TEXTS = {
    "de": "Wasserdichte Jacken mit Reißverschluss, 1,5 kg",
    "en": "Waterproof jackets with a zip, 1.5 kg",
    "fr": "L'imperméable léger, des vestes, 1,5 kg",
    "ja": "東京のジャケット",
}


def terms(analyzer: StoreAnalyzer, text: str) -> list[str]:
    return [token.text for token in analyzer(text)]


@pytest.mark.parametrize("language", TEXTS)
def test_a_text_is_analysed_as_if_the_index_had_its_language_alone(language: str) -> None:
    together = StoreAnalyzer("en", TEXTS)
    text = TEXTS[language]
    assert terms(together, Spoken(text, language)) == terms(StoreAnalyzer(language), text)


def test_the_languages_differ_so_that_the_test_above_says_something() -> None:
    english = StoreAnalyzer("en")
    assert all(terms(english, TEXTS[code]) != terms(StoreAnalyzer(code), TEXTS[code])
               for code in ("de", "fr"))  # fmt: skip


@pytest.mark.parametrize("text", [TEXTS["de"], Spoken(TEXTS["de"], "xx"), Spoken(TEXTS["de"], "")])
def test_a_text_of_no_known_language_is_analysed_by_the_first(text: str) -> None:
    assert terms(StoreAnalyzer("en", ["de"]), text) == terms(StoreAnalyzer("en"), str(text))


def test_a_tag_with_a_region_is_its_language() -> None:
    text = TEXTS["de"]
    both = StoreAnalyzer("en-GB", ["de-AT"])
    assert terms(both, Spoken(text, "de_CH")) == terms(StoreAnalyzer("de"), text)


def test_one_language_is_what_it_was_before_there_could_be_several() -> None:
    assert StoreAnalyzer("en", ["en-US"]) == StoreAnalyzer("en")
    assert StoreAnalyzer("en").__getstate__() == {"language": "en", "version": 1}
    assert "others" not in describe(StoreAnalyzer("en"))
    old = StoreAnalyzer.__new__(StoreAnalyzer)
    old.__setstate__({"language": "en", "version": 1})
    assert old == StoreAnalyzer("en")


def test_several_languages_survive_a_pickle_and_are_told_apart() -> None:
    both = StoreAnalyzer("en", ["fr", "de"])
    assert pickle.loads(pickle.dumps(both)) == both != StoreAnalyzer("en")
    assert both == StoreAnalyzer("en", ["de", "fr", "de"])
    assert describe(both)["others"] == "de fr"
    assert [each.language for each in both.readings] == ["en", "de", "fr"]
    with pytest.raises(LanguageError):
        StoreAnalyzer("en", ["klingon"])


def write(folder: Path, schema: Schema) -> index.Index:
    folder.mkdir(exist_ok=True)
    store = index.create_in(str(folder), schema)
    writer = store.writer()
    for code, text in TEXTS.items():
        writer.add_document(
            id=code, document=code, kind="page", language=code,
            title=Spoken(text, code), _stored_title=text,
        )  # fmt: skip
    writer.commit()
    return store


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("jacke", {"de"}),
        ("Reissverschluss", {"de"}),
        ("jacket", {"en"}),
        ("veste", {"fr"}),
        ("impermeable", {"fr"}),
        ("京", {"ja"}),
        ("1.5", {"de", "en", "fr"}),
    ],
)
def test_a_document_is_found_by_the_rules_of_its_language(
    tmp_path: Path, words: str, found: set[str]
) -> None:
    store = write(tmp_path, store_schema("en", TEXTS))
    with store.searcher() as searcher:
        query = words_query(words, store.schema, dict.fromkeys(TEXT_FIELDS, 1.0))
        assert {hit["id"] for hit in searcher.search(query, limit=None)} == found


def test_what_is_stored_is_plain_text(tmp_path: Path) -> None:
    store = write(tmp_path, store_schema("en", TEXTS))
    with store.reader() as reader:
        titles = [fields["title"] for fields in reader.all_stored_fields()]
    assert sorted(titles) == sorted(TEXTS.values())
    assert {type(title) for title in titles} == {str}


def test_a_field_with_another_analyzer_reads_words_once() -> None:
    schema = Schema(body=TEXT())
    assert len(list(words_query("jackets", schema, {"body": 1.0}).leaves())) == 1


def test_what_is_stored_can_be_written_again_to_the_same_terms(tmp_path: Path) -> None:
    """As everything does that rebuilds an index from what it stores."""
    store = write(tmp_path / "first", store_schema("en", TEXTS))
    again = tmp_path / "again"
    again.mkdir()
    copy = index.create_in(str(again), store.schema)
    with store.reader() as reader:
        writer = copy.writer()
        for fields in reader.all_stored_fields():
            writer.add_document(**spoken_fields(store.schema, fields))
        writer.commit()
        with copy.reader() as written:
            assert list(written.all_terms()) == list(reader.all_terms())
            assert list(written.all_stored_fields()) == list(reader.all_stored_fields())


def test_fields_of_one_language_stay_as_they_are() -> None:
    fields = {"title": "Jacken", "language": "de", "kind": "page"}
    assert spoken_fields(store_schema("en"), fields) is fields
    told = spoken_fields(store_schema("en", ["de"]), fields)
    assert told == {**fields, "_stored_title": "Jacken"}
    assert [type(told[name]) for name in ("title", "kind", "_stored_title")] == [Spoken, str, str]
