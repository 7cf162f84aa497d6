"""One store in many guises gives the same documents: encodings, delimiters, line ends, formats."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from steadyrank_builder.document import Document
from steadyrank_builder.formats import ReadOptions, open_source
from steadyrank_builder.material import discover
from steadyrank_builder.records import Accepted
from support_reading import SHARED, Read, read, read_path

# A small shop: handle, title, description, vendor, tags, option values with number and price.
SHOP: tuple[Mapping[str, Any], ...] = (
    {
        "handle": "mug", "title": "Trail mug & cup", "body": "<p>Steel, 450&nbsp;ml.</p>",
        "vendor": "Fell", "type": "Mugs", "tags": ("steel", "camping"), "image": "https://x/m.jpg",
        "variants": (("Red", "M-R", "9.00"), ("Blue", "M-B", "11.00")),
    },
    {
        "handle": "lampe", "title": "Lampe für Zelte", "body": "Hell: 200 Lumen; leicht.",
        "vendor": "Müller", "type": "Lampen", "tags": (), "image": "https://x/l.jpg",
        "variants": (("Grün", "L-G", "20.00"),),
    },
)  # fmt: skip


def table(header: list[str], rows: list[list[str]], delimiter: str = ",", end: str = "\n") -> str:
    out = io.StringIO(newline="")
    writer = csv.writer(out, delimiter=delimiter, lineterminator=end)
    writer.writerows([header, *rows])
    return out.getvalue()


def shopify_old(**how: str) -> str:
    header = [
        "Handle", "Title", "Body (HTML)", "Vendor", "Type", "Tags", "Published", "Option1 Name",
        "Option1 Value", "Variant SKU", "Variant Price", "Image Src", "Status",
    ]  # fmt: skip
    rows = []
    for product in SHOP:
        for number, (color, sku, price) in enumerate(product["variants"]):
            first = [
                product["title"], product["body"], product["vendor"], product["type"],
                ", ".join(product["tags"]), "TRUE", "Color",
            ]  # fmt: skip
            about = first if number == 0 else [""] * 7
            image = product["image"] if number == 0 else ""
            rows.append([product["handle"], *about, color, sku, price, image, "active"])
    return table(header, rows, **how)


def shopify_new() -> str:
    names = {
        "Handle": "URL handle", "Body (HTML)": "Description", "Variant SKU": "SKU",
        "Variant Price": "Price", "Image Src": "Product image URL",
        "Published": "Published on online store", "Option1 Name": "Option1 name",
        "Option1 Value": "Option1 value",
    }  # fmt: skip
    header, *rows = csv.reader(io.StringIO(shopify_old()))
    return table([names.get(name, name) for name in header], rows)


def shopify_json() -> str:
    return json.dumps(
        {
            "products": [
                {
                    "handle": product["handle"], "title": product["title"],
                    "body_html": product["body"], "vendor": product["vendor"],
                    "product_type": product["type"], "tags": list(product["tags"]),
                    "options": [{"name": "Color"}], "images": [{"src": product["image"]}],
                    "variants": [
                        {"option1": color, "sku": sku, "price": price}
                        for color, sku, price in product["variants"]
                    ],
                }
                for product in SHOP
            ]
        }
    )  # fmt: skip


def woocommerce() -> str:
    header = [
        "ID", "Type", "SKU", "Name", "Published", "Description", "Regular price", "Categories",
        "Tags", "Images", "Parent", "Brands", "Attribute 1 name", "Attribute 1 value(s)",
    ]  # fmt: skip
    rows = []
    for product in SHOP:
        colors = ", ".join(color for color, _, _ in product["variants"])
        rows += [
            ["", "variation", sku, "x", "1", "", price, "", "", "", product["handle"], "", "Color",
             color]
            for color, sku, price in product["variants"]
        ]  # fmt: skip
        rows.append(
            [
                "", "variable", product["handle"], product["title"], "1", product["body"], "", "",
                ", ".join(product["tags"]), product["image"], "", product["vendor"], "Color",
                colors,
            ]
        )  # fmt: skip
    return table(header, rows)


def google_tsv() -> str:
    header = ["id", "item_group_id", "title", "description", "link", "brand", "product_type",
              "color", "price", "image_link"]  # fmt: skip
    rows = [
        [sku, product["handle"], product["title"], product["body"], "", product["vendor"],
         product["type"], color, price, product["image"]]
        for product in SHOP
        for color, sku, price in product["variants"]
    ]  # fmt: skip
    return table(header, rows, delimiter="\t")


def json_ld() -> str:
    blocks = "".join(
        '<script type="application/ld+json">'
        + json.dumps(
            {
                "@type": "ProductGroup", "productGroupID": product["handle"],
                "name": product["title"], "description": product["body"],
                "brand": {"name": product["vendor"]}, "image": product["image"],
                "hasVariant": [
                    {"@type": "Product", "sku": sku, "color": color, "offers": {"price": price}}
                    for color, sku, price in product["variants"]
                ],
            }
        )
        + "</script>"
        for product in SHOP
    )  # fmt: skip
    return f"<html><body>{blocks}</body></html>"


FORMATS = {
    "shopify-csv": ("p.csv", shopify_old()),
    "shopify-csv, new": ("p.csv", shopify_new()),
    "shopify-json": ("p.json", shopify_json()),
    "woocommerce-csv": ("p.csv", woocommerce()),
    "google-tsv": ("p.tsv", google_tsv()),
    "json-ld": ("p.html", json_ld()),
}
# What a format cannot carry, or carries otherwise.
CANNOT = {
    "woocommerce-csv": {"type", "own sku"},
    "google-tsv": {"tags"},
    "json-ld": {"tags", "type"},
}


def core(document: Document, cannot: frozenset[str]) -> Document:
    """The document without what one of the two formats cannot carry."""
    lines = [
        line
        for line in document.text.split("\n")
        if not ("type" in cannot and line.startswith("Type: "))
    ]
    text = "\n".join(lines)
    attributes = dict(document.attributes)
    if "type" in cannot:
        attributes.pop("type", None)
    if "own sku" in cannot:  # a product that has variants has an article number of its own
        handle = document.id.removeprefix("product:")
        text = text.replace(f"SKU: {handle}, ", "SKU: ")
        skus = attributes["skus"]
        assert isinstance(skus, tuple)
        attributes["skus"] = tuple(sku for sku in skus if sku != handle)
    tags = () if "tags" in cannot else document.tags
    return replace(document, text=text, attributes=attributes, tags=tags)


@pytest.mark.parametrize("name", FORMATS)
def test_the_same_store_gives_the_same_documents_in_every_format(tmp_path: Path, name: str) -> None:
    file, content = FORMATS[name]
    got = read(tmp_path, file, content)
    assert got.format == name.partition(",")[0]
    products = [document for document in got.documents if document.kind == "product"]
    expected = read(tmp_path, "reference.csv", shopify_old()).documents
    cannot = frozenset(CANNOT.get(name, ()))
    assert len(products) == len(expected) == len(SHOP)
    by_id = {document.id: core(document, cannot) for document in products}
    for document in expected:
        assert by_id[document.id] == core(document, cannot)


ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252", "iso-8859-15"]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"], ids=["lf", "crlf", "cr"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encoding_delimiter_and_line_ends_change_nothing(
    tmp_path: Path, encoding: str, delimiter: str, end: str
) -> None:
    expected = read(tmp_path, "reference.csv", shopify_old()).documents
    content = shopify_old(delimiter=delimiter, end=end).encode(encoding)
    named = encoding in ("cp1252", "iso-8859-15")
    options = {"encoding": encoding} if named else {}
    got = read(tmp_path, "p.csv", content, **options)
    assert got.rejects == []
    assert got.documents == expected


shared = pytest.mark.skipif(not SHARED.is_dir(), reason="shared data is not beside the checkout")


@shared
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-32", "gb18030"])
@pytest.mark.parametrize("delimiter", [";", "\t"])
def test_a_real_export_in_another_guise_is_the_same_store(
    tmp_path: Path, encoding: str, delimiter: str
) -> None:
    path = SHARED / "store/products.csv"
    with path.open(encoding="utf-8-sig", newline="") as stream:
        header, *rows = csv.reader(stream)
    content = table(header, rows, delimiter, "\r\n").encode(encoding)
    options = {"encoding": encoding} if encoding in ("utf-16-le", "gb18030") else {}
    got = read(tmp_path, "products.csv", content, **options)
    assert got.documents == read_path(path).documents


@shared
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_real_pages_in_another_guise_are_the_same_pages(tmp_path: Path, encoding: str) -> None:
    for source in discover([SHARED / "store/help"])[::6]:
        text = source.path.read_text("utf-8").replace("\n", "\r\n")
        got = read(tmp_path, source.page_path, text.encode(encoding))
        expected = [
            outcome.document
            for outcome in open_source(source, ReadOptions()).outcomes
            if isinstance(outcome, Accepted)
        ]
        assert got.documents == expected


UGLY = (
    "ragged_rows.csv",
    "spectrum_utf8.csv",
    "missing_ids.csv",
    "spectrum_comma_in_quotes.csv",
    "cr_only_newlines.csv",
)


@shared
@pytest.mark.parametrize("name", UGLY)
@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_ugly_tables_in_another_encoding_give_the_same_outcomes(
    tmp_path: Path, name: str, encoding: str
) -> None:
    text = (SHARED / "ugly" / name).read_bytes().decode("utf-8-sig")
    first = read(tmp_path, name, text)
    again = read(tmp_path, name, text.encode(encoding))

    def told(got: Read) -> list[tuple[object, ...]]:
        return [(type(each), each.origin.line, each.records) for each in got.outcomes]

    assert told(again) == told(first)
    assert again.documents == first.documents


HINTS = {
    "cp1252": ("cp1252", "Crème brûlée – für Käse, 3 € l’été"),
    "german cp1252": ("cp1252", "Größe: für Männer und Mädchen, weiß"),
    "shift_jis": ("shift_jis", "質問,回答。返品はできますか。はい、三十日以内です。"),
    "euc_jp": ("euc_jp", "質問と回答。返品はできますか。はい、三十日以内です。"),
    "cp1251": ("cp1251", "Вопрос и ответ: возврат товара в течение месяца"),
    "gb18030": ("gb18030", "问题和回答。我们的产品可以在三十天内退货的。"),
    "euc_kr": ("euc_kr", "질문과 답변. 반품은 삼십일 이내에 가능합니다."),
}


@pytest.mark.parametrize("case", HINTS)
def test_another_encoding_is_refused_with_the_right_hint_and_read_when_it_is_named(
    tmp_path: Path, case: str
) -> None:
    encoding, text = HINTS[case]
    content = f"question,answer\nq,{text.replace(',', ' ')}\n".encode(encoding)
    got = read(tmp_path, "faq.csv", content)
    ((code, line, _, _),) = got.rejects
    assert (code, line) == ("encoding", 2)
    assert f"perhaps --encoding {encoding}" in got.message
    named = read(tmp_path, "faq.csv", content, encoding=encoding)
    assert named.documents[0].text == text.replace(",", " ")


def test_the_encoding_that_a_page_names_is_the_hint(tmp_path: Path) -> None:
    page = '<meta charset="iso-8859-2"><p>Zażółć gęślą jaźń</p>'
    got = read(tmp_path, "a.html", page.encode("iso-8859-2"))
    assert "--encoding iso-8859-2, as it says of itself" in got.message
    wrong = '<meta charset="x-none"><p>Größe für Männer</p>'.encode("cp1252")
    assert "perhaps --encoding cp1252" in read(tmp_path, "b.html", wrong).message
