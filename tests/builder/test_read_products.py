"""Rows of variants become the product they belong to, or a reject that says why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from steadyrank_builder.document import Document
from steadyrank_builder.records import Rejected
from support_reading import Read, read

OLD = "Handle,Title,Body (HTML),Vendor,Tags,Published,Option1 Name,Option1 Value,Variant SKU,"
OLD += "Variant Price,Image Src,Status\n"


def old(folder: Path, *rows: str) -> Read:
    return read(folder, "products.csv", OLD + "".join(f"{row}\n" for row in rows))


MUG = (
    'mug,Trail &amp; <b>Mug</b>,<p>Steel.</p><p>Keeps <b>heat</b>.</p>,Larch,"camp, cup",TRUE,'
    "Size,S,MUG-S,10.00,mug.png,active"
)


def test_variant_and_image_rows_join_their_product(tmp_path: Path) -> None:
    got = old(
        tmp_path,
        MUG,
        "mug,,,,,,,M,MUG-M,9.50,,",
        ",,,,,,,L,MUG-L,12.00,,",
        "mug,,,,,,,,,,back.png,",
        "cup,Cup,,,,TRUE,Title,Default Title,CUP,5,,",
    )
    mug, cup = got.documents
    assert got.format == "shopify-csv"
    assert [each.records for each in got.accepted] == [4, 1]
    assert str(got.accepted[0].origin).endswith("products.csv:2-5")
    assert mug == Document(
        id="product:mug",
        kind="product",
        title="Trail & Mug",
        text="Steel.\nKeeps heat.\n\nVendor: Larch\nSize: S, M, L\nSKU: MUG-S, MUG-M, MUG-L",
        tags=("camp", "cup"),
        attributes={
            "vendor": "Larch",
            "options": {"Size": ("S", "M", "L")},
            "variants": (
                {"options": {"Size": "S"}, "sku": "MUG-S", "price": "10.00"},
                {"options": {"Size": "M"}, "sku": "MUG-M", "price": "9.50"},
                {"options": {"Size": "L"}, "sku": "MUG-L", "price": "12.00"},
            ),
            "price_min": "9.50",
            "price_max": "12.00",
            "image": "mug.png",
            "skus": ("MUG-S", "MUG-M", "MUG-L"),
        },
    )
    assert "options" not in cup.attributes
    assert cup.attributes["price_min"] == "5"


def test_the_new_columns_of_shopify_are_read_alike(tmp_path: Path) -> None:
    got = read(
        tmp_path,
        "p.csv",
        "Title,URL handle,Description,Vendor,Published on online store,Status,SKU,Option1 name,"
        "Option1 value,Price,Product image URL,Color (product.metafields.shopify.color)\n"
        "Mug,mug,<p>Steel &lt;3</p>,Larch,TRUE,Active,M-1,Size,S,10,mug.png,Blue\n"
        ",mug,,,,,M-2,,M,11,,\n",
    )
    (mug,) = got.documents
    assert got.format == "shopify-csv"
    assert mug.text == ("Steel <3\n\nVendor: Larch\nSize: S, M\nColor: Blue\nSKU: M-1, M-2")
    assert mug.attributes["Color (product.metafields.shopify.color)"] == "Blue"
    assert (mug.attributes["price_min"], mug.attributes["price_max"]) == ("10", "11")


@pytest.mark.parametrize(
    ("published", "status", "reason"),
    [
        ("TRUE", "draft", "draft"),
        ("TRUE", "Archived", "archived"),
        ("FALSE", "active", "unpublished"),
        ("", "", None),
    ],
)
def test_products_not_on_sale_are_skipped_with_all_their_rows(
    tmp_path: Path, published: str, status: str, reason: str | None
) -> None:
    got = old(tmp_path, f"mug,Mug,,,,{published},,,,,,{status}", "mug,,,,,,,,X,1,,")
    assert got.skips == ([] if reason is None else [(reason, 2, 3, 2)])
    assert got.ids == (["product:mug"] if reason is None else [])


def test_a_second_product_with_a_handle_is_a_reject_that_names_the_first(tmp_path: Path) -> None:
    got = old(
        tmp_path,
        "mug,Mug,,,,,,,,,,",
        "mug,Other mug,,,,,,,,,,",
        "mug,,,,,,,,,,,",
        "cup,Cup,,,,,,,,,,",
        "mug,Mug,,,,,,,,,,",
    )
    assert sorted(got.ids) == ["product:cup", "product:mug"]
    assert got.rejects == [("duplicate-handle", 3, 4, 2), ("duplicate-handle", 6, 6, 1)]
    first = got.outcomes[0]
    assert isinstance(first, Rejected)
    assert "line 2" in first.message
    assert first.raw == "mug,Other mug,,,,,,,,,,\nmug,,,,,,,,,,,"


def test_a_repeated_title_continues_the_product_above(tmp_path: Path) -> None:
    got = old(tmp_path, "mug,Mug,,,,,,,A,1,,", "mug,Mug,,,,,,,B,2,,")
    assert [(each.records, each.document.id) for each in got.accepted] == [(2, "product:mug")]


def test_rows_of_a_product_may_stand_apart(tmp_path: Path) -> None:
    got = old(tmp_path, "mug,Mug,,,,,,,A,1,,", "cup,Cup,,,,,,,,,,", "mug,,,,,,,,B,2,,")
    assert sorted((each.document.id, each.records) for each in got.accepted) == [
        ("product:cup", 1),
        ("product:mug", 2),
    ]
    mug = next(document for document in got.documents if document.id == "product:mug")
    assert mug.attributes["skus"] == ("A", "B")


def test_rows_without_title_or_handle_are_rejects_with_all_their_rows(tmp_path: Path) -> None:
    got = old(
        tmp_path,
        ",,,,,,,,A,1,,",
        "mug,,,,,,,,A,1,,",
        ",,,,,,,,B,1,,",
        ",No handle,,,,,,,C,1,,",
        ",,,,,,,,D,1,,",
        "tags,<br>,,,,,,,,,,",
    )
    assert got.documents == []
    assert got.rejects == [
        ("orphan-row", 2, 2, 1),
        ("empty-title", 3, 4, 2),
        ("empty-handle", 5, 6, 2),
        ("empty-title", 7, 7, 1),
    ]


def test_rows_below_a_lost_row_do_not_join_another_product(tmp_path: Path) -> None:
    got = old(
        tmp_path,
        "mug,Mug,,,,,,,A,1,,",
        "cup,Cup,ragged",
        ",,,,,,,,CUP-2,1,,",
        "mug,,,,,,,,B,1,,",
        ",,,,,,,,C,1,,",
    )
    assert got.rejects == [("ragged-row", 3, 3, 1), ("orphan-row", 4, 4, 1)]
    assert got.documents[0].attributes["skus"] == ("A", "B", "C")
    assert got.accepted[0].records == 3


def test_handles_that_differ_by_unicode_form_only_are_one(tmp_path: Path) -> None:
    got = old(tmp_path, "caf\u00e9,A,,,,,,,,,,", "cafe\u0301,B,,,,,,,,,,")
    assert got.ids == ["product:caf\u00e9"]
    assert got.rejects == [("duplicate-handle", 3, 3, 1)]


SPREE = """slug,sku,name,price,currency,status,description,tags,option1_name,option1_value,\
custom_field.custom.noise_level
kettle,K,Kettle,0,USD,active,Boils.,"tea, kitchen",,,60 dB
kettle,K-R,,49.90,USD,,,,Color,Red,
old-pan,P,Old pan,5,USD,archived,,,,,
kettle,K-R,,45.00,EUR,,,,,,
"""


def test_spree_variants_and_prices_of_a_second_currency_join(tmp_path: Path) -> None:
    got = read(tmp_path, "p.csv", SPREE)
    (kettle,) = got.documents
    assert got.format == "spree-csv"
    assert got.accepted[0].records == 3
    assert got.skips == [("archived", 4, 4, 1)]
    assert kettle.text == "Boils.\n\nColor: Red\nnoise level: 60 dB\nSKU: K, K-R"
    assert kettle.attributes["price_min"] == kettle.attributes["price_max"] == "49.90"
    assert kettle.attributes["currency"] == "USD"
    assert kettle.attributes["prices"] == {"EUR": {"min": "45.00", "max": "45.00"}}


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<p>a</p><p>b</p>", "a\nb"),
        ("un<b>brea</b>kable", "unbreakable"),
        ("a<br>b", "a\nb"),
        ("one\ntwo", "one\ntwo"),
        ("<ul><li>x</li><li>y</li></ul>", "x\ny"),
        ("<table><tr><td>S</td><td>38</td></tr><tr><td>M</td></tr></table>", "S | 38\nM"),
        ("&amp;lt;b &lt;3", "&lt;b <3"),
        ("<p>&amp;lt;b</p>", "&lt;b"),
        ("<p>https://x.example/?a=1&copy=1</p>", "https://x.example/?a=1&copy=1"),
        ("a<script>alert(1)</script><style>p{}</style>b", "ab"),
        ("<details><summary>Care</summary><p hidden>Wash cold</p></details>", "Care\nWash cold"),
        ("see <img alt='the chart' src=x>now", "see the chart now"),
        ("<pre>a\n  b</pre>", "a\n  b"),
        ("<div>" * 500 + "deep", "deep"),
        ("5 < 6 & 7", "5 < 6 & 7"),
        (r"line\nline", r"line\nline"),
    ],
)
def test_descriptions_become_the_text_a_browser_shows(tmp_path: Path, body: str, text: str) -> None:
    quoted = body.replace('"', '""')
    got = old(tmp_path, f'mug,Mug,"{quoted}",,,,,,,,,')
    assert got.documents[0].text == text
