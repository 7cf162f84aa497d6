"""Real files that break importers: each has one right result, written down by hand."""

from __future__ import annotations

from typing import Any

import pytest

from support_reading import SHARED, Read, read_path

UGLY = SHARED / "ugly"
pytestmark = pytest.mark.skipif(not UGLY.is_dir(), reason="shared data is not beside the checkout")

# Whole files: none of them has a shape that is known, so each is one reject, at this line.
WHOLE = {
    "blns.json": ("unknown-format", 1),
    "bom_utf16be.csv": ("unknown-format", 1),
    "bom_utf16le.csv": ("unknown-format", 1),
    "bom_utf8.csv": ("unknown-format", 1),
    "cr_only_newlines.csv": ("unknown-format", 1),
    "dup_and_empty_headers_ragged_emptyrows.csv": ("unknown-format", 1),
    "icecat_names_differ_only_by_case.json": ("unknown-format", 1),
    "icecat_ugly_products.jsonl": ("unknown-format", 1),
    "icecat_widest_product.json": ("unknown-format", 1),
    "latin1_not_utf8.csv": ("encoding", 3),
    "missing_ids.csv": ("unknown-format", 1),
    "newline_in_header.csv": ("unknown-format", 1),
    "nul_byte.csv": ("unknown-format", 1),
    "only_newline.csv": ("empty-file", 1),
    "ragged_rows.csv": ("unknown-format", 1),
    "semicolon_delimited_embedded_newline.csv": ("unknown-format", 1),
    "spectrum_comma_in_quotes.csv": ("unknown-format", 1),
    "spectrum_empty.csv": ("unknown-format", 1),
    "spectrum_empty_crlf.csv": ("unknown-format", 1),
    "spectrum_escaped_quotes.csv": ("unknown-format", 1),
    "spectrum_json.csv": ("unknown-format", 1),
    "spectrum_location_coordinates.csv": ("unknown-format", 1),
    "spectrum_newlines.csv": ("unknown-format", 1),
    "spectrum_newlines_crlf.csv": ("unknown-format", 1),
    "spectrum_quotes_and_newlines.csv": ("unknown-format", 1),
    "spectrum_simple.csv": ("unknown-format", 1),
    "spectrum_simple_crlf.csv": ("unknown-format", 1),
    "spectrum_utf8.csv": ("unknown-format", 1),
    # Structured data in scripts is no text of the page.
    "jsonld/AllocateAction.001.html": ("empty-page", 1),
    "jsonld/JSONLD_with_JS_comment.html": ("empty-page", 1),
    "jsonld/JSONLD_with_control_characters.html": ("empty-page", 1),
    "jsonld/JSONLD_with_control_characters_comment.html": ("empty-page", 1),
    "jsonld/JoinAction.001.html": ("empty-page", 1),
}

# As tables with mapped columns: (id, text) of what is read, lines; code and lines of the rest.
Expected = tuple[list[tuple[str, str, int, int]], list[tuple[str, int, int]]]
TABLES: dict[str, tuple[str, Expected]] = {
    "bom_utf16be.csv": ("abc", ([("1", "3", 2, 2), ("4", "ʤ", 3, 3)], [])),
    "bom_utf16le.csv": ("abc", ([("1", "3", 2, 2), ("4", "ʤ", 3, 3)], [])),
    "spectrum_utf8.csv": ("abc", ([("1", "3", 2, 2), ("4", "ʤ", 3, 3)], [])),
    "cr_only_newlines.csv": (
        "abc",
        ([("1", "3", 2, 2), ("Once upon\ra time", "6", 3, 4)], []),
    ),
    "dup_and_empty_headers_ragged_emptyrows.csv": (
        "abc",
        ([], [("empty-field", 2, 2), ("ragged-row", 3, 3), ("empty row", 4, 4)]),
    ),
    "nul_byte.csv": ("abc", ([], [("nul-byte", 2, 2)])),
    "spectrum_empty.csv": ("abc", ([("2", "4", 3, 3)], [("empty-field", 2, 2)])),
    "spectrum_empty_crlf.csv": ("abc", ([("2", "4", 3, 3)], [("empty-field", 2, 2)])),
    "spectrum_newlines.csv": (
        "abc",
        ([("1", "3", 2, 2), ("Once upon \na time", "6", 3, 4), ("7", "9", 5, 5)], []),
    ),
    "spectrum_newlines_crlf.csv": (
        "abc",
        ([("1", "3", 2, 2), ("Once upon \r\na time", "6", 3, 4), ("7", "9", 5, 5)], []),
    ),
    "spectrum_simple.csv": ("abc", ([("1", "3", 2, 2)], [])),
    "spectrum_simple_crlf.csv": ("abc", ([("1", "3", 2, 2)], [])),
}


def read_ugly(name: str, **options: Any) -> Read:
    return read_path(UGLY / name, **options)


def test_every_file_has_an_expectation() -> None:
    found = {path.relative_to(UGLY).as_posix() for path in UGLY.rglob("*") if path.is_file()}
    assert found == set(WHOLE)


@pytest.mark.parametrize("name", sorted(WHOLE))
def test_without_options_each_is_one_reject_that_says_why(name: str) -> None:
    code, line = WHOLE[name]
    got = read_ugly(name)
    assert [(each[0], each[1], each[3]) for each in got.rejects] == [(code, line, 1)]
    assert len(got.outcomes) == 1


@pytest.mark.parametrize("name", sorted(TABLES))
def test_as_mapped_tables_their_rows_are_read_right(name: str) -> None:
    columns, (records, rest) = TABLES[name]
    mapping = dict(zip(("id", "title", "text"), columns, strict=True))
    got = read_ugly(name, mapping=mapping, kind="row")
    assert got.format == "csv"
    assert [
        (each.document.id, each.document.text, each.origin.line, each.origin.end_line)
        for each in got.accepted
    ] == records
    others = sorted([*got.rejects, *got.skips], key=lambda each: each[1])
    assert [each[:3] for each in others] == rest


@pytest.mark.parametrize(
    ("name", "mapping", "records", "rejects"),
    [
        (
            "bom_utf8.csv",
            {"id": "foo", "title": "bar", "text": "baz"},
            [("1", "2", "3"), ("4", "5", "ʤ")],
            [],
        ),
        (
            "ragged_rows.csv",
            {"id": "column_a", "title": "column_b", "text": "column_c"},
            [("0", "mixed types.... uh oh", "17")],
            [("ragged-row", 2, 2, 1), ("ragged-row", 3, 3, 1)],
        ),
        (
            "spectrum_comma_in_quotes.csv",
            {"id": "zip", "title": "city", "text": "address"},
            [("08123", "Anytown, WW", "120 any st.")],
            [],
        ),
        (
            "newline_in_header.csv",
            {"id": "b", "title": "start end", "text": "c"},
            [("e", "d", "f")],
            [],
        ),
        (
            "spectrum_location_coordinates.csv",
            {"id": "Contact Phone Number", "title": "Cities", "text": "Location Coordinates"},
            [("2095257564", "Modesto", "37\ufffd36'37.8\"N 121\ufffd2'17.9\"W")],
            [],
        ),
        (
            "missing_ids.csv",
            {"id": "Variant SKU", "title": "Variant Title", "text": "Product Subtitle"},
            [
                ("test-sku-1", "Test variant", ""),
                ("test-sku-1-1", "Test variant", ""),
                ("test-sku-2", "Test variant", ""),
                ("test-sku-3", "Test variant", ""),
                ("test-sku-4", "Test variant changed", ""),
            ],
            [],
        ),
        (
            "missing_ids.csv",
            {"id": "Product Id", "title": "Product Title", "text": "Variant Title"},
            [
                ("existing-product-id", "Test product", "Test variant"),
                ("existing-product-id", "Test product", "Test variant"),
                ("existing-product-id", "Test product", "Test variant changed"),
            ],
            [("empty-id", 2, 2, 1), ("empty-id", 3, 3, 1)],
        ),
        (
            "semicolon_delimited_embedded_newline.csv",
            {"id": "Variant Id", "title": "Product Title", "text": "Product Description"},
            [
                (
                    "variant_01J44RRJZW1T9KQB6XG7Q6K61F",
                    "Base product",
                    "test-product-description\ntest line 2",
                ),
                (
                    "variant_01J44RRJZW5GNQKT1FEDACEESW",
                    "Base product",
                    "test-product-description\ntest line 2",
                ),
                (
                    "variant_01J44RRK2WYHH0RDEK8BBGP7CY",
                    "Proposed product",
                    "test-product-description",
                ),
            ],
            [],
        ),
    ],
)
def test_other_tables_with_their_own_columns(
    name: str,
    mapping: dict[str, str],
    records: list[tuple[str, str, str]],
    rejects: list[tuple[str, int, int, int]],
) -> None:
    got = read_ugly(name, mapping=mapping, kind="row")
    assert [(each.id, each.title, each.text) for each in got.documents] == records
    assert got.rejects == rejects


@pytest.mark.parametrize(
    ("name", "question", "answer", "expected"),
    [
        ("spectrum_escaped_quotes.csv", "a", "b", [("1", 'ha "ha" ha'), ("3", "4")]),
        ("spectrum_quotes_and_newlines.csv", "a", "b", [("1", 'ha \n"ha" \nha'), ("3", "4")]),
        (
            "spectrum_json.csv",
            "key",
            "val",
            [("1", '{"type": "Point", "coordinates": [102.0, 0.5]}')],
        ),
    ],
)
def test_quoting_in_tables_of_two_columns(
    tmp_path: Any, name: str, question: str, answer: str, expected: list[tuple[str, str]]
) -> None:
    """Only the header is another: two columns are too few for a generic record."""
    content = (
        (UGLY / name).read_bytes().replace(f"{question},{answer}".encode(), b"question,answer", 1)
    )
    (tmp_path / "faq.csv").write_bytes(content)
    got = read_path(tmp_path / "faq.csv")
    assert [(each.title, each.text) for each in got.documents] == expected


def test_latin1_is_read_when_it_is_named() -> None:
    mapping = {"id": "a", "title": "b", "text": "c"}
    got = read_ugly("latin1_not_utf8.csv", mapping=mapping, kind="row", encoding="latin-1")
    assert [(each.id, each.text) for each in got.documents] == [("1", "3"), ("4", "©")]


def test_icecat_records_with_a_mapped_text() -> None:
    options = {"mapping": {"text": "short_description"}, "kind": "product"}
    got = read_ugly("icecat_ugly_products.jsonl", **options)
    documents = {document.id: document for document in got.documents}
    assert (got.format, len(got.documents), got.rejects) == ("jsonl", 17, [])
    # Titles are decoded once and without tags, text is taken as it is.
    assert documents["3934275"].title.startswith("StarTech.com 6 ft Coax High Resolution 90° Down")
    assert documents["296955"].text == "&#1057;artridge 701 large cyan"
    assert documents["77675077"].text == ""
    assert documents["19714"].attributes["name"] == "09002303"
    widest = read_ugly("icecat_widest_product.json", **options)
    assert widest.ids == ["1261389"]
