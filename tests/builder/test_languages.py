"""A language for each document: where it is named, and what the index makes of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from steadyrank_builder.building import BuildSettings, build
from steadyrank_builder.errors import ReadOptionError
from steadyrank_builder.formats import ReadOptions
from support_builder import run_cli
from support_reading import read

pytestmark = pytest.mark.whoosh

NAMED: dict[str, tuple[str, str, dict[str, Any]]] = {
    "faq.jsonl": ("faq.jsonl", '{"question": "Q", "answer": "A", "locale": "de-AT"}', {}),
    "csv": ("a.csv", "id,title,text,kind,locale\n1,T,x,page,de-AT\n", {}),
    "mapped": ("a.csv", "id,title,text,kind,locale\n1,T,x,page,de-AT\n", {"mapping": {}}),
    "markdown": ("a.md", "---\nlocale: de-AT\nlang: fr\n---\n\ntext\n", {}),
    "spree": ("p.csv", "slug,sku,name,locale\na,1,Mug,de-AT\na,2,,\n", {}),
    "shopify": ("p.csv", "Title,URL handle,Description,Locale\nMug,mug,x,de-AT\n", {}),
    "shopify-json": (
        "p.json", '[{"handle": "m", "title": "M", "body_html": "x", "locale": "de-AT"}]', {},
    ),
    "woocommerce": ("p.csv", "ID,Type,SKU,Name,Locale\n1,simple,a,Mug,de-AT\n", {}),
    "google": (
        "p.tsv", "id\ttitle\tdescription\tlink\tprice\tlocale\n1\tM\tx\tu\t1 EUR\tde-AT\n", {},
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", NAMED)
def test_the_named_field_is_the_language_and_no_attribute(tmp_path: Path, case: str) -> None:
    name, content, options = NAMED[case]
    got = read(tmp_path, name, content, language="en", language_of="locale", **options)
    (document,) = got.documents
    assert document.language == "de-AT"
    assert "locale" not in {key.lower() for key in document.attributes}


def test_a_record_that_names_none_has_the_given_one(tmp_path: Path) -> None:
    line = '{"question": "Q", "answer": "A", "locale": ""}'
    got = read(tmp_path, "faq.jsonl", line, language="fr", language_of="locale")
    assert got.documents[0].language == "fr"


def test_two_names_for_the_language_are_one_too_many() -> None:
    with pytest.raises(ReadOptionError, match="language is mapped"):
        ReadOptions(mapping={"language": "Sprache"}, language_of="locale")


def records(path: Path, **languages: str) -> Path:
    texts = {"de": "Wasserdichte Jacken", "en": "Waterproof jackets", "fr": "Vestes légères"}
    lines = [
        {"id": id_, "kind": "page", "title": id_, "text": texts[tag[:2]], "locale": tag}
        for id_, tag in languages.items()
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_each_document_is_found_by_its_own_rules(tmp_path: Path) -> None:
    material = records(tmp_path / "a.jsonl", a="de", b="en-GB", c="fr")
    out = tmp_path / "store.idx"
    done = run_cli("build", material, "--out", out, "--language-of", "locale")
    assert done.returncode == 0, done.stderr
    for words, id_ in (("jacke", "a"), ("jacket", "b"), ("legere veste", "c")):
        found = json.loads(run_cli("search", out, words, "--json").stdout)
        assert [hit["id"] for hit in found["hits"]] == [id_]
    # The question in each language is analysed, and what is built can be verified.
    assert run_cli("verify", out).returncode == 0


def test_languages_of_documents_are_part_of_the_digest_and_one_language_is_as_before(
    tmp_path: Path,
) -> None:
    def digest(name: str, **languages: str) -> str:
        material = records(tmp_path / "a.jsonl", **languages)
        settings = BuildSettings(reading=ReadOptions(mapping={"language": "locale"}))
        return build([material], tmp_path / name, settings).digest

    one = digest("one", b="en")
    assert digest("two", b="en") == one
    assert digest("three", b="en", a="de") != one


def test_a_language_without_rules_is_analysed_as_the_store_s(tmp_path: Path) -> None:
    material = tmp_path / "a.jsonl"
    record = {"id": "1", "kind": "k", "title": "T", "text": "many jackets", "language": "tlh"}
    material.write_text(json.dumps(record))
    build([material], tmp_path / "store.idx")
    found = json.loads(run_cli("search", tmp_path / "store.idx", "jacket", "--json").stdout)
    assert [hit["id"] for hit in found["hits"]] == ["1"]
