"""A real merchant's export, its help pages, and a documentation whose anchors are known."""

from __future__ import annotations

import json
import re
from collections import Counter

import pytest

from steadyrank_builder.formats import ReadOptions, open_source
from steadyrank_builder.material import discover
from steadyrank_builder.records import Accepted, Skipped
from support_reading import SHARED, read_path

pytestmark = pytest.mark.skipif(
    not SHARED.is_dir(), reason="shared data is not beside the checkout"
)


def test_211_rows_are_37_products() -> None:
    got = read_path(SHARED / "store/products.csv")
    assert got.format == "spree-csv"
    assert (len(got.documents), got.records) == (37, 211)
    assert len(set(got.ids)) == 37
    assert (got.rejects, got.skips) == ([], [])
    espresso = got.documents[got.ids.index("product:automatic-espresso-machine")]
    # Rows 2 to 5, and three more far below with the prices in euro.
    assert espresso.attributes["skus"] == (
        "AUTOMATIC-ESPRESSO-MACHINE",
        "AUTOMATIC-ESPRESSO-MACHINE-MATTE-BLACK",
        "AUTOMATIC-ESPRESSO-MACHINE-SILVER",
        "AUTOMATIC-ESPRESSO-MACHINE-WHITE",
    )
    assert espresso.attributes["price_max"] == "879.99"
    assert espresso.attributes["prices"] == {"EUR": {"min": "819.99", "max": "819.99"}}
    assert "Color: Matte Black, Silver, White" in espresso.text


def test_every_help_page_gives_sections_and_no_reject() -> None:
    sources = discover([SHARED / "store/help"])
    assert len(sources) == 76
    ids: Counter[str] = Counter()
    for source in sources:
        opened = open_source(source, ReadOptions())
        outcomes = list(opened.outcomes)
        assert opened.format == "markdown"
        assert outcomes, source.name
        for outcome in outcomes:
            assert isinstance(outcome, Accepted), (source.name, outcome)
            ids[outcome.document.id] += 1
            for leftover in ("<Note", "<Card", "<Step", "</", "className"):
                assert leftover not in outcome.document.text or "`" in source.path.read_text()
    assert set(ids.values()) == {1}


def test_licences_beside_the_material_are_skipped() -> None:
    skipped = [
        source.page_path
        for source in discover([SHARED / "store"])
        if isinstance(next(open_source(source, ReadOptions()).outcomes, None), Skipped)
    ]
    assert skipped == ["LICENSE-help.md", "LICENSE-products"]


def squeezed(anchor: str) -> str:
    return re.sub("-+", "-", anchor).strip("-")


def test_a_documentation_has_the_sections_that_were_published() -> None:
    """Their anchors were made by a tool that squeezes hyphens, which GitHub does not."""
    published: dict[str, set[str]] = {}
    for line in (SHARED / "guidance/sections.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        # That tool also took comments in code for headings, all of level 1.
        if record["document"].startswith("pages/") and record["level"] > 1:
            document = f"page:{record['document'].removeprefix('pages/')}"
            published.setdefault(document, set()).add(record["section"])
    found: dict[str, set[str]] = {}
    for source in discover([SHARED / "guidance/pages"]):
        for outcome in open_source(source, ReadOptions()).outcomes:
            assert isinstance(outcome, Accepted)
            document, _, anchor = outcome.document.id.partition("#")
            if anchor != "overview":
                found.setdefault(document, set()).add(squeezed(anchor))
    assert found == published


def test_generic_records_of_the_documentation_are_read_without_a_reject() -> None:
    got = read_path(SHARED / "guidance/sections.jsonl")
    assert (got.format, len(got.documents), got.rejects) == ("jsonl", 146, [])


def test_a_real_catalogue_is_read_by_a_mapping() -> None:
    got = read_path(
        SHARED / "icecat/products.jsonl", mapping={"text": "short_description"}, kind="product"
    )
    assert (len(got.documents), got.rejects) == (1417, [])
