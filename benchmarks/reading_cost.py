"""What reading and cleaning material costs, against the Whoosh writer's own time.

    python benchmarks/reading_cost.py [--products 2000] [--pages 150] [--rounds 3]

The same invented shop in every format: products with HTML descriptions of some 120 words, and
pages of twelve sections. For each format, reading (from bytes to documents) and writing those
documents with a bare Whoosh writer take turns; printed are the processor time of both for each
thousand documents, the share of reading in the two, and how fast it goes. The bound: reading
costs less than writing. Exit code 1 if a format is beyond it.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import io
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from whoosh.index import create_in

from steadyrank.schema import store_schema
from steadyrank_builder.document import Document
from steadyrank_builder.formats import ReadOptions, open_source
from steadyrank_builder.indexing import to_fields
from steadyrank_builder.material import discover
from steadyrank_builder.records import Accepted

_WORDS = 20_000  # vocabulary
_COLORS = ("Red", "Blue", "Green")


class Shop:
    """Words and products that are the same in every run."""

    def __init__(self) -> None:
        self.chance = random.Random(7)
        letters = "aeiourstlnmdgpk"
        self.vocabulary = [
            "".join(self.chance.choices(letters, k=self.chance.randint(3, 9)))
            for _ in range(_WORDS)
        ]
        self.weights = [1 / (rank + 10) for rank in range(_WORDS)]

    def words(self, count: int) -> str:
        """Drawn as words are: few often, most seldom."""
        return " ".join(self.chance.choices(self.vocabulary, self.weights, k=count))

    def body(self) -> str:
        """A description as shops write them."""
        items = "".join(f"<li>{self.words(6)}</li>" for _ in range(4))
        cells = "".join(
            f"<tr><td>{self.words(1)}</td><td>{self.words(3)}</td></tr>" for _ in range(4)
        )
        return (
            f"<p>{self.words(40)} &amp; <strong>{self.words(3)}</strong>.</p>\n<ul>{items}</ul>"
            f"<table>{cells}</table><p>{self.words(40)}</p>"
        )


def material(folder: Path, products: int, pages: int) -> Iterator[Path]:
    """Write the shop in each format, one folder for each."""
    shop = Shop()
    goods = [
        (f"p{n:06}", shop.words(4).title(), shop.body(), shop.words(2)) for n in range(products)
    ]
    shopify = [["Handle", "Title", "Body (HTML)", "Vendor", "Tags", "Option1 Name",
                "Option1 Value", "Variant SKU", "Variant Price"]]  # fmt: skip
    woo = [["ID", "Type", "SKU", "Name", "Description", "Regular price", "Parent",
            "Attribute 1 name", "Attribute 1 value(s)"]]  # fmt: skip
    items, stated, lines = [], [], []
    for handle, title, body, tags in goods:
        shopify.append([handle, title, body, "Fell", tags, "Color", "Red", f"{handle}-0", "9.00"])
        shopify += [
            [handle, "", "", "", "", "", color, f"{handle}-{n}", "9.00"]
            for n, color in enumerate(_COLORS[1:], 1)
        ]
        woo.append([handle, "variable", handle, title, body, "", "", "Color", ", ".join(_COLORS)])
        woo += [
            ["", "variation", f"{handle}-{n}", "", "", "9.00", handle, "Color", color]
            for n, color in enumerate(_COLORS)
        ]
        for n, color in enumerate(_COLORS):
            items.append(
                f"<item><g:id>{handle}-{n}</g:id><g:item_group_id>{handle}</g:item_group_id>"
                f"<title>{title}</title><description><![CDATA[{body}]]></description>"
                f"<g:color>{color}</g:color><g:price>9.00 EUR</g:price></item>\n"
            )
        variants = [{"option1": color, "sku": handle, "price": "9.00"} for color in _COLORS]
        stated.append(
            {
                "handle": handle, "title": title, "body_html": body, "tags": tags,
                "options": [{"name": "Color"}], "variants": variants,
            }
        )  # fmt: skip
        lines.append({"question": f"{title} {handle}?", "answer": body})
    feed = '<rss xmlns:g="http://base.google.com/ns/1.0"><channel>' + "".join(items)
    texts = {
        "shopify-csv": ("products.csv", table(shopify)),
        "shopify-json": ("products.json", json.dumps({"products": stated})),
        "woocommerce-csv": ("products.csv", table(woo)),
        "google-xml": ("feed.xml", f"{feed}</channel></rss>"),
        "faq-jsonl": ("faq.jsonl", "".join(json.dumps(line) + "\n" for line in lines)),
    }
    for name, (file, text) in texts.items():
        (folder / name).mkdir()
        (folder / name / file).write_text(text, encoding="utf-8")
        yield folder / name
    (folder / "gzip").mkdir()
    packed = gzip.compress(texts["shopify-csv"][1].encode(), 6)
    (folder / "gzip/products.csv.gz").write_bytes(packed)
    yield folder / "gzip"
    for suffix in ("md", "html"):
        (folder / suffix).mkdir()
        for number in range(pages):
            (folder / suffix / f"page-{number}.{suffix}").write_text(page(shop, suffix))
        yield folder / suffix


def table(rows: list[list[str]]) -> str:
    """The rows as CSV."""
    out = io.StringIO()
    csv.writer(out).writerows(rows)
    return out.getvalue()


def page(shop: Shop, suffix: str) -> str:
    """A page of twelve sections."""
    if suffix == "md":
        sections = (
            f"## {shop.words(3)}\n\n{shop.words(60)} [{shop.words(2)}](other.md).\n\n"
            f"- {shop.words(8)}\n- **{shop.words(2)}** {shop.words(6)}\n\n{shop.words(40)}\n"
            for _ in range(12)
        )
        return f"---\ntitle: {shop.words(3)}\n---\n\n" + "\n".join(sections)
    sections = (f"<h2>{shop.words(3)}</h2>\n{shop.body()}" for _ in range(12))
    around = "<nav><a href='/'>Home</a></nav><script>track()</script>"
    return f"<html><body>{around}<main><h1>T</h1>{''.join(sections)}</main></body></html>"


def read(folder: Path) -> list[Document]:
    """All documents of the material in ``folder``."""
    return [
        outcome.document
        for source in discover([folder])
        for outcome in open_source(source, ReadOptions()).outcomes
        if isinstance(outcome, Accepted)
    ]


def write(documents: list[Document]) -> None:
    """What a bare Whoosh writer does with the same fields."""
    with tempfile.TemporaryDirectory() as folder:
        writer = create_in(folder, store_schema("en")).writer()
        for document in documents:
            writer.add_document(**to_fields(document))
        writer.commit()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--products", type=int, default=2_000)
    parser.add_argument("--pages", type=int, default=150)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    beyond = []
    print(f"{'format':16} {'documents':>9} {'read':>9} {'write':>9} {'share':>6} {'MB/s':>6}")
    with tempfile.TemporaryDirectory() as place:
        for folder in material(Path(place), options.products, options.pages):
            size = sum(path.stat().st_size for path in folder.iterdir())
            documents = read(folder)  # parsers are imported, caches are warm
            write(documents[:100])
            reading, writing = [], []
            for _ in range(options.rounds):
                start = time.process_time()
                documents = read(folder)
                middle = time.process_time()
                write(documents)
                reading.append(middle - start)
                writing.append(time.process_time() - middle)
            r, w = statistics.median(reading), statistics.median(writing)
            each = 1_000_000 / len(documents)
            print(
                f"{folder.name:16} {len(documents):9} {r * each:6.0f} us {w * each:6.0f} us "
                f"{r / (r + w):6.1%} {size / r / 1e6:6.1f}"
            )
            if r >= w:
                beyond.append(folder.name)
    print(f"beyond the bound: {', '.join(beyond)}" if beyond else "reading costs less than writing")
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
