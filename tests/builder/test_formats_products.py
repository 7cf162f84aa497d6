"""Products out of every export that carries them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from steadyrank_builder.document import Document
from steadyrank_builder.formats.product import price_range
from support_reading import Read, read

MUG = {
    "id": 7,
    "handle": "trail-mug",
    "title": "Trail <b>mug</b>",
    "body_html": "<p>Steel, <em>450 ml</em>.</p>",
    "vendor": "Fell",
    "product_type": "Mugs",
    "tags": "steel, camping",
    "published_at": "2024-01-01",
    "options": [{"name": "Color"}],
    "variants": [
        {"option1": "Red", "sku": "M-R", "price": "9.00", "barcode": "111"},
        {"option1": "Blue", "sku": "M-B", "price": "11.00", "barcode": None},
    ],
    "images": [{"src": "https://x/m.jpg"}],
    "updated_at": "2024-05-01",
}
MUG_TEXT = (
    "Steel, 450 ml.\n\nVendor: Fell\nType: Mugs\nColor: Red, Blue\nSKU: M-R, M-B\nBarcode: 111"
)


def only(got: Read) -> Document:
    assert (got.rejects, got.skips) == ([], [])
    (document,) = got.documents
    return document


@pytest.mark.parametrize("tags", ["steel, camping", ["steel", "camping"]])
@pytest.mark.parametrize("wrapped", [True, False])
def test_shopify_json(tmp_path: Path, tags: Any, wrapped: bool) -> None:
    product = {**MUG, "tags": tags}
    content = json.dumps({"products": [product]} if wrapped else [product])
    got = read(tmp_path, "products.json", content)
    assert got.format == "shopify-json"
    document = only(got)
    assert (document.id, document.title) == ("product:trail-mug", "Trail mug")
    assert document.text == MUG_TEXT
    assert document.tags == ("steel", "camping")
    assert document.attributes == {
        "vendor": "Fell",
        "type": "Mugs",
        "options": {"Color": ("Red", "Blue")},
        "variants": (
            {"options": {"Color": "Red"}, "sku": "M-R", "price": "9.00"},
            {"options": {"Color": "Blue"}, "sku": "M-B", "price": "11.00"},
        ),
        "price_min": "9.00",
        "price_max": "11.00",
        "image": "https://x/m.jpg",
        "skus": ("M-R", "M-B"),
        "barcodes": ("111",),
        "aliases": ("7",),
    }


def test_shopify_json_leaves_out_what_is_not_on_sale_and_tells_what_is_wrong(
    tmp_path: Path,
) -> None:
    products = [
        MUG,
        {**MUG, "handle": "a", "status": "draft"},
        {**MUG, "handle": "b", "published_at": None},
        {**MUG, "handle": ""},
        {**MUG, "handle": "c", "title": " "},
        {**MUG, "handle": "d", "variants": "none"},
    ]
    lines = ",\n".join(map(json.dumps, products))
    got = read(tmp_path, "products.json", f'{{"products": [\n{lines}\n]}}')
    assert got.skips == [("draft", 3, 3, 1), ("unpublished", 4, 4, 1)]
    assert got.rejects == [
        ("empty-id", 5, 5, 1),
        ("empty-title", 6, 6, 1),
        ("field-type", 7, 7, 1),
    ]


WOO_HEADER = (
    "ID,Type,SKU,Name,Published,Visibility in catalog,Short description,Description,"
    "Regular price,Sale price,Categories,Tags,Images,Parent,Brands,"
    "Attribute 1 name,Attribute 1 value(s),Meta: note\n"
)
WOO_PARENT = (
    '7,variable,M,Trail mug,1,visible,Light.,"<p>Steel.</p>\\nKeeps heat.",,,"Cups > Steel",'
    '"steel, camping","https://x/1.jpg, https://x/2.jpg",,Fell,Color,"Red, Blue",hand-made\n'
)
WOO_RED = "8,variation,M-R,Trail mug - Red,1,visible,,,9,8.50,,,,id:7,,Color,Red,\n"
WOO_BLUE = "9,variation,M-B,Trail mug - Blue,1,visible,,,11,,,,,M,,Color,Blue,\n"


@pytest.mark.parametrize(
    "rows",
    [
        [WOO_PARENT, WOO_RED, WOO_BLUE],
        [WOO_RED, WOO_PARENT, WOO_BLUE],
        [WOO_RED, WOO_BLUE, WOO_PARENT],
    ],
    ids=["after", "around", "before"],
)
def test_woocommerce_variations_join_their_parent_wherever_they_stand(
    tmp_path: Path, rows: list[str]
) -> None:
    got = read(tmp_path, "products.csv", WOO_HEADER + "".join(rows))
    assert got.format == "woocommerce-csv"
    assert got.records == 3
    document = only(got)
    assert document.id == "product:7"
    assert document.text == (
        "Light.\n\nSteel.\nKeeps heat.\n\n"
        "Vendor: Fell\nCategory: Cups > Steel\nColor: Red, Blue\nSKU: M, M-R, M-B"
    )
    assert document.tags == ("steel", "camping")
    assert document.attributes["price_min"] == "8.50"
    assert document.attributes["price_max"] == "11"
    assert document.attributes["image"] == "https://x/1.jpg"
    assert document.attributes["Meta: note"] == "hand-made"
    assert document.attributes["variants"] == (
        {"options": {"Color": "Red"}, "sku": "M-R", "price": "8.50"},
        {"options": {"Color": "Blue"}, "sku": "M-B", "price": "11"},
    )


def test_woocommerce_states_orphans_and_doubles(tmp_path: Path) -> None:
    def row(start: str) -> str:
        return start + "," * (WOO_HEADER.count(",") - start.count(",")) + "\n"

    got = read(
        tmp_path,
        "products.csv",
        WOO_HEADER
        + row('1,"simple, virtual",A,Gift card,1').replace("\n", ",\n")
        + row("2,simple,B,Secret,0")
        + row("3,variable,C,Unfinished,-1")
        + row("4,variation,C-1,x,1,,,,,,,,,id:3")
        + row("5,simple,D,Hidden,1,hidden")
        + row("6,variation,E-1,x,1,,,,,,,,,id:99")
        + row("7,variation,E-2,x,1")
        + row("1,simple,F,Again,1")
        + row(",simple,G,By number,1"),
    )
    assert got.ids == ["product:1", "product:G"]
    assert got.skips == [("private", 3, 3, 1), ("draft", 4, 4, 2), ("hidden", 6, 6, 1)]
    assert sorted(got.rejects) == [
        ("duplicate-handle", 9, 9, 1),
        ("orphan-row", 7, 7, 1),
        ("orphan-row", 8, 8, 1),
    ]


def test_a_backslash_n_of_woocommerce_is_a_line_break_and_two_are_itself(tmp_path: Path) -> None:
    text = r"""ID,Type,SKU,Name,Description
1,simple,A,Mug,"one\ntwo C:\\new"
"""
    assert only(read(tmp_path, "p.csv", text)).text == "one\ntwo C:\\new\n\nSKU: A"


FEED_ITEMS = (
    ("1", "Trail mug, red", "Red", "9.00 EUR", "group"),
    ("2", "Lamp", "", "20.00 EUR", ""),
    ("3", "Trail mug, blue", "Blue", "11.00 EUR", "group"),
)
NS = 'xmlns:g="http://base.google.com/ns/1.0"'


def feed_item(prefix: str, tag: str, describe: str, item: tuple[str, ...]) -> str:
    id_, title, color, price, group = item
    link = '<link href="https://x/p"/>' if tag == "entry" else "<link>https://x/p</link>"
    fields = {
        "id": id_, "price": price, "color": color, "item_group_id": group, "brand": "Fell",
        "image_link": "https://x/i.jpg", "gtin": f"00{id_}", "availability": "in_stock",
    }  # fmt: skip
    inner = "".join(f"<{prefix}{k}>{v}</{prefix}{k}>\n" for k, v in fields.items() if v)
    body = f"<title>{title}</title><{describe}>&lt;p&gt;Steel&lt;/p&gt;</{describe}>"
    return f"<{tag}>{body}{link}\n{inner}</{tag}>\n"


FEEDS = {
    "rss2": (
        f'<?xml version="1.0"?>\n<rss version="2.0" {NS}><channel><title>Shop</title>\n',
        "item", "description", "</channel></rss>",
    ),
    "rss1": (
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
        f'xmlns="http://purl.org/rss/1.0/" {NS}><channel/>\n\n',
        "item", "description", "</rdf:RDF>",
    ),
    "atom": (
        f'<feed xmlns="http://www.w3.org/2005/Atom" {NS}>\n<title>Shop</title>\n',
        "entry", "summary", "</feed>",
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", FEEDS)
@pytest.mark.parametrize("prefix", ["g:", ""])
def test_google_feeds_are_one_whatever_their_envelope(
    tmp_path: Path, kind: str, prefix: str
) -> None:
    start, tag, describe, end = FEEDS[kind]
    items = "".join(feed_item(prefix, tag, describe, item) for item in FEED_ITEMS)
    got = read(tmp_path, "feed.xml", start + items + end)
    assert (got.format, got.rejects, got.records) == ("google-xml", [], 3)
    by_id = {document.id: document for document in got.documents}
    assert sorted(by_id) == ["product:2", "product:group"]
    mug = by_id["product:group"]
    assert (mug.title, mug.url) == ("Trail mug, red", "https://x/p")
    assert mug.text == ("Steel\n\nVendor: Fell\nColor: Red, Blue\nSKU: 1, 3\nBarcode: 001, 003")
    assert (mug.attributes["price_min"], mug.attributes["price_max"]) == ("9.00", "11.00")
    assert mug.attributes["currency"] == "EUR"
    assert mug.attributes["variants"] == (
        {"options": {"Color": "Red"}, "sku": "1", "price": "9.00"},
        {"options": {"Color": "Blue"}, "sku": "3", "price": "11.00"},
    )
    assert mug.attributes["availability"] == "in_stock"
    origin = next(each.origin for each in got.accepted if each.document is mug)
    assert (origin.line, origin.end_line) == (3, 3 + items.partition(f"</{tag}>")[0].count("\n"))


def google_table() -> str:
    """The items of the feed as a table."""
    columns = "id\ttitle\tdescription\tlink\tcolor\tprice\titem_group_id\tbrand\n"
    return columns + "".join(
        f"{id_}\t{title}\tSteel\thttps://x/p\t{color}\t{price}\t{group}\tFell\n"
        for id_, title, color, price, group in FEED_ITEMS
    )


@pytest.mark.parametrize("name", ["feed.tsv", "feed.txt", "FEED.TXT"])
def test_google_tsv_is_the_feed_as_a_table(tmp_path: Path, name: str) -> None:
    got = read(tmp_path, name, google_table())
    assert (got.format, got.rejects, got.records) == ("google-tsv", [], 3)
    assert sorted(got.ids) == ["product:2", "product:group"]


@pytest.mark.parametrize(
    "content",
    [
        "Dear all,\nthis is a note, not material.\n",
        "id\ttitle\n1\tMug\n",
        "a;b;c\n1;2;3\n",
        "",
        b"\xff\xfe\xfa\x00 no text at all \x00\x01",
        b"caf\xe9, in no encoding that is known",
    ],
)
def test_other_text_files_are_no_material(tmp_path: Path, content: str | bytes) -> None:
    """They are told of, as files of any other kind are."""
    got = read(tmp_path, "notes.txt", content)
    assert (got.accepted, got.rejects) == ([], [])
    assert got.skips == [("not a supported format", 1, 1, 1)]


def test_a_feed_in_an_encoding_that_is_not_known_is_rejected(tmp_path: Path) -> None:
    """Its header says that it is material, so it must not be passed over."""
    got = read(tmp_path, "feed.txt", google_table().replace("Steel", "Caf\xe9").encode("latin-1"))
    assert [code for code, *_ in got.rejects] == ["encoding"]


def test_a_feed_that_breaks_off_keeps_its_items_and_says_where(tmp_path: Path) -> None:
    start, tag, describe, _ = FEEDS["rss2"]
    items = "".join(feed_item("g:", tag, describe, item) for item in FEED_ITEMS[1:2])
    got = read(tmp_path, "feed.xml", start + items + "<item><title>Torn")
    assert got.ids == ["product:2"]
    ((code, line, _, _),) = got.rejects
    assert (code, line) == ("xml", 3 + items.count("\n"))


def test_the_encoding_that_a_feed_declares_is_read(tmp_path: Path) -> None:
    start, tag, describe, end = FEEDS["rss2"]
    start = start.replace('version="1.0"', 'version="1.0" encoding="ISO-8859-1"')
    item = feed_item("g:", tag, describe, ("1", "Crème", "", "1 EUR", ""))
    got = read(tmp_path, "feed.xml", (start + item + end).encode("latin-1"))
    assert only(got).title == "Crème"


def test_a_feed_of_something_else_is_unknown(tmp_path: Path) -> None:
    got = read(tmp_path, "blog.xml", "<rss><channel><item><title>Hi</title></item></channel></rss>")
    assert got.rejects == [("unknown-format", 1, 1, 1)]


def page(*blocks: str) -> str:
    scripts = "".join(f'<script type="application/ld+json">\n{b}\n</script>\n' for b in blocks)
    return f'<!DOCTYPE html>\n<html lang="en">\n<body><h1>Page</h1>\n{scripts}</body></html>'


PRODUCT = {
    "@context": "https://schema.org",
    "@type": "Product",
    "name": "Mug",
    "sku": "M-1",
    "description": "&lt;p&gt;Steel &amp;amp; cork&lt;/p&gt;",
    "brand": {"@type": "Brand", "name": "Fell"},
    "offers": {"@type": "Offer", "price": 9.5, "priceCurrency": "EUR"},
    "image": ["https://x/1.jpg", "https://x/2.jpg"],
}


def test_a_product_in_json_ld(tmp_path: Path) -> None:
    got = read(tmp_path, "mug.html", page(json.dumps(PRODUCT)) + "<p>Words of the page</p>")
    assert got.format == "json-ld"
    product, section = got.documents
    assert (product.id, product.title, product.language) == ("product:M-1", "Mug", "en")
    assert product.text == "Steel & cork\n\nVendor: Fell\nSKU: M-1"
    assert product.attributes["price_min"] == "9.5"
    assert product.attributes["image"] == "https://x/1.jpg"
    # What the page says besides is not lost.
    assert (section.id, section.text) == ("page:mug#overview", "Words of the page")
    assert got.accepted[0].origin.line == 4


QUESTION = {
    "@type": "Question",
    "name": "Can I return it?",
    "acceptedAnswer": {"@type": "Answer", "text": "<p>Within <b>30</b> days.</p>"},
}


@pytest.mark.parametrize(
    "block",
    [
        {"@type": "FAQPage", "mainEntity": [QUESTION]},
        {"@type": ["WebPage", "FAQPage"], "mainEntity": QUESTION},
        {"@graph": [{"@type": "WebSite"}, {"@type": "FAQPage", "mainEntity": [QUESTION]}]},
        [{"@type": "https://schema.org/FAQPage", "mainEntity": [QUESTION]}],
    ],
    ids=["plain", "types", "graph", "array"],
)
def test_questions_in_json_ld(tmp_path: Path, block: Any) -> None:
    got = read(tmp_path, "faq.html", page(json.dumps(block)))
    (faq,) = [document for document in got.documents if document.kind == "faq"]
    assert (faq.id, faq.title) == ("faq:can-i-return-it", "Can I return it?")
    assert faq.text == "Within 30 days."


WRAPPINGS = {
    "semicolon": "{};",
    "cdata": "//<![CDATA[\n{}\n//]]>",
    "comment": "<!-- {} -->".replace("<!-- {} -->", "<!-- a note -->\n{}"),
    "script comment": "// a note\n{} /* and one more */",
}


@pytest.mark.parametrize("wrapping", WRAPPINGS.values(), ids=WRAPPINGS)
def test_what_templates_do_to_json_ld_is_undone(tmp_path: Path, wrapping: str) -> None:
    # A raw line break in a string, an address with slashes, and a comma too many.
    block = json.dumps(PRODUCT)[:-1] + ', "url": "https://x/m", "award": "one\ntwo",}'
    got = read(tmp_path, "mug.html", page(wrapping.replace("{}", block)))
    assert got.ids[0] == "product:M-1"
    assert got.documents[0].url == "https://x/m"
    assert [code for code, *_ in got.rejects] == ["empty-page"]


def test_a_broken_block_is_a_reject_and_loses_no_other(tmp_path: Path) -> None:
    got = read(
        tmp_path,
        "mug.html",
        page('{"@type": "Product", "name": ', json.dumps(PRODUCT), '{"@type": "Organization", ')
        + "<p>text</p>",
    )
    assert got.ids == ["product:M-1", "page:mug#overview"]
    assert got.rejects == [("json-ld", 4, 6, 1)]


def test_an_id_that_counts_within_a_page_gets_the_page_s_path(tmp_path: Path) -> None:
    got = read(tmp_path, "shop/mug.html", page(json.dumps({**PRODUCT, "@id": "#product"})))
    assert got.ids[0] == "product:shop/mug#product"


def test_a_product_group_is_one_product(tmp_path: Path) -> None:
    group = {
        "@type": "ProductGroup",
        "name": "Mug",
        "productGroupID": "mug",
        "hasVariant": [
            {**PRODUCT, "sku": "M-R", "color": "Red"},
            {**PRODUCT, "sku": "M-B", "color": "Blue"},
        ],
    }
    got = read(tmp_path, "mug.html", page(json.dumps(group)))
    product = got.documents[0]
    assert product.id == "product:mug"
    assert product.attributes["options"] == {"Color": ("Red", "Blue")}
    assert product.attributes["skus"] == ("M-R", "M-B")


def test_html_alone_can_be_asked_for(tmp_path: Path) -> None:
    text = page(json.dumps(PRODUCT)) + "<p>text</p>"
    assert read(tmp_path, "mug.html", text, format="html").ids == ["page:mug#overview"]


@pytest.mark.parametrize(
    ("prices", "least", "most"),
    [
        (["1.299,00", "9,50", "1.300,00"], "9,50", "1.300,00"),
        (["1,299.00", "9.50", "999.00"], "9.50", "1,299.00"),
        (["1 299,00", "1'000.00", "999"], "999", "1 299,00"),
        (["1.299.000", "5.000,00", "1,000,000"], "5.000,00", "1.299.000"),
        (["€ 12.50", "9 €", "about 10 or so", "free"], "9 €", "€ 12.50"),
    ],
)
def test_prices_of_every_country_have_an_order(prices: list[str], least: str, most: str) -> None:
    """As they are written; what is no number is in no range."""
    found = price_range(("", price) for price in prices)
    assert found == {"price_min": least, "price_max": most}
