"""WooCommerce's product export: variations in rows of their own, before or after their parent."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from steadyrank_builder.document import Document, Origin, Value
from steadyrank_builder.formats.detection import Anchored, Anchors
from steadyrank_builder.formats.grouped import grouped
from steadyrank_builder.formats.options import FormatInfo, ReadOptions
from steadyrank_builder.formats.product import Product, price_range, product_document, variant
from steadyrank_builder.formats.protocol import OpenFile
from steadyrank_builder.formats.refusals import fault_outcome
from steadyrank_builder.formats.values import FieldError
from steadyrank_builder.material import Source
from steadyrank_builder.reading.html_text import HtmlError, one_line
from steadyrank_builder.reading.ids import IdError, folded
from steadyrank_builder.reading.rows import Fault, Header, Row
from steadyrank_builder.records import Accepted, Outcome, Rejected, Skipped

_ATTRIBUTE = re.compile(r"attribute (\d+) (name|value\(s\)|visible|global|default)")
_NEWLINE = re.compile(r"\\(\\?)n")
_READ = frozenset(
    (
        "id", "type", "sku", "gtin, upc, ean, or isbn", "name", "published",
        "visibility in catalog", "short description", "description", "regular price",
        "sale price", "categories", "tags", "images", "parent", "brands", "external url",
    )
)  # fmt: skip
_IGNORED = frozenset(
    (
        "is featured?", "date sale price starts", "date sale price ends", "tax status",
        "tax class", "in stock?", "stock", "low stock amount", "backorders allowed?",
        "sold individually?", "allow customer reviews?", "purchase note", "shipping class",
        "download limit", "download expiry days", "upsells", "cross-sells", "grouped products",
        "button text", "position", "swatches attributes",
    )
)  # fmt: skip
_STATES = {"0": "private", "-1": "draft"}


class _Rows:
    """The rows of a file, read by column, and the products that they belong to."""

    def __init__(self, source: Source, header: Header) -> None:
        self.source = source
        self.header = header
        self.by_sku: dict[str, str] = {}
        numbers = {match.group(1) for name in header.index if (match := _ATTRIBUTE.fullmatch(name))}
        self.attributes = sorted(numbers, key=int)

    def cell(self, row: Row, column: str) -> str:
        at = self.header.index.get(column)
        return "" if at is None else unicodedata.normalize("NFC", row.cells[at].strip())

    def is_variation(self, row: Row) -> bool:
        return "variation" in _listed(self.cell(row, "type").lower())

    def identity(self, row: Row) -> str:
        return self.cell(row, "id") or self.cell(row, "sku")

    def note(self, row: Row | Fault) -> None:
        """First pass: which product has which article number."""
        if isinstance(row, Row) and not self.is_variation(row):
            self.by_sku.setdefault(self.cell(row, "sku"), self.identity(row))

    def key(self, row: Row | Fault) -> str:
        """The product that a row belongs to."""
        if isinstance(row, Fault):
            return ""
        if not self.is_variation(row):
            return self.identity(row)
        parent = self.cell(row, "parent")
        if parent.startswith("id:"):
            return parent.removeprefix("id:").strip()
        return self.by_sku.get(parent, parent) if parent else ""


def _outcomes(file: OpenFile, options: ReadOptions) -> Iterator[Outcome]:
    assert file.header is not None
    rows = _Rows(file.source, file.header)
    for row in file.rows():
        rows.note(row)
    for group in grouped(file.rows, rows.key):
        yield from _group(group, rows, options)


def _group(group: Sequence[Row | Fault], rows: _Rows, options: ReadOptions) -> Iterator[Outcome]:
    proper = [row for row in group if isinstance(row, Row)]
    for row in group:
        if isinstance(row, Fault):
            yield fault_outcome(rows.source, row)
    parents = [row for row in proper if not rows.is_variation(row)]
    variations = [row for row in proper if rows.is_variation(row)]
    if not parents:
        for row in variations:
            parent = rows.cell(row, "parent")
            message = (
                f"a variation of {parent!r}, which is no product of this file or was rejected"
                if parent
                else '"Parent" is empty, so the variation belongs to no product'
            )
            yield Rejected(_origin(rows, row), "orphan-row", message, row.raw)
        return
    first, *others = parents
    for row in others:
        what = rows.identity(row)
        message = (
            f"{what!r} is already the product at line {first.line}; give this one an ID of its own"
        )
        yield Rejected(_origin(rows, row), "duplicate-handle", message, row.raw)
    yield _product(first, variations, rows, options)


def _product(row: Row, variations: list[Row], rows: _Rows, options: ReadOptions) -> Outcome:
    origin = _origin(rows, row)
    count = 1 + len(variations)
    if not any(map(str.strip, row.cells)):
        return Skipped(origin, "empty row")
    if reason := _not_on_sale(row, rows):
        return Skipped(origin, reason, count)
    try:
        return Accepted(_document(row, variations, rows, options), origin, count)
    except (IdError, FieldError, HtmlError) as error:
        raw = "\n".join(each.raw for each in (row, *variations))
        return Rejected(origin, error.code, str(error), raw, count)


def _not_on_sale(row: Row, rows: _Rows) -> str:
    state = rows.cell(row, "published")
    if state in _STATES:
        return _STATES[state]
    return "hidden" if rows.cell(row, "visibility in catalog").lower() == "hidden" else ""


def _document(row: Row, variations: list[Row], rows: _Rows, options: ReadOptions) -> Document:
    title = _text(rows.cell(row, "name"))
    if not one_line(title):
        raise FieldError("empty-title", '"Name" is empty')
    sold = [each for each in variations if rows.cell(each, "published") not in _STATES]
    chosen: dict[str, list[str]] = {}
    variants: list[Value] = []
    for each in sold:
        own = {name: value for name, values in _attributes(each, rows) for value in values[:1]}
        for name, value in own.items():
            chosen.setdefault(name, []).append(value)
        variants.append(variant(own, rows.cell(each, "sku"), _price(each, rows)))
    for name, values in _attributes(row, rows):
        if name not in chosen:
            chosen[name] = values
    all_rows = [row, *sold]
    images = _listed(rows.cell(row, "images"))
    return product_document(
        Product(
            handle=rows.identity(row),
            title=title,
            summary=_text(rows.cell(row, "short description")),
            body=_text(rows.cell(row, "description")),
            said={
                "vendor": ", ".join(_listed(rows.cell(row, "brands"))),
                "category": ", ".join(_listed(rows.cell(row, "categories"))),
            },
            options=chosen,
            variants=tuple(variants),
            prices=price_range(("", _price(each, rows)) for each in sold or [row]),
            image=images[0] if images else "",
            skus=_distinct(rows, all_rows, "sku"),
            barcodes=_distinct(rows, all_rows, "gtin, upc, ean, or isbn"),
            tags=_listed(rows.cell(row, "tags")),
            url=rows.cell(row, "external url"),
            language=rows.cell(row, folded(options.language_of)) or options.language,
            more=_more(row, rows, options),
        )
    )


def _more(row: Row, rows: _Rows, options: ReadOptions) -> Mapping[str, Value]:
    found: dict[str, Value] = {}
    for column, at in rows.header.index.items():
        known = column in _READ or column in _IGNORED or _ATTRIBUTE.fullmatch(column)
        if not known and column != folded(options.language_of) and (value := row.cells[at].strip()):
            found[rows.header.names[at]] = _text(value)
    return found


def _attributes(row: Row, rows: _Rows) -> Iterator[tuple[str, list[str]]]:
    for number in rows.attributes:
        name = rows.cell(row, f"attribute {number} name")
        values = _listed(_text(rows.cell(row, f"attribute {number} value(s)")))
        if name and values:
            yield name, values


def _price(row: Row, rows: _Rows) -> str:
    return rows.cell(row, "sale price") or rows.cell(row, "regular price")


def _distinct(rows: _Rows, found: list[Row], column: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for row in found if (value := rows.cell(row, column))))


def _text(value: str) -> str:
    r"""A cell as it was before the export wrote line breaks as ``\n``, and ``\n`` as ``\\n``."""
    return _NEWLINE.sub(lambda match: "\\n" if match.group(1) else "\n", value)


def _listed(value: str) -> list[str]:
    r"""The values of a cell with commas; one inside of a value is written ``\,``."""
    parts = (part.replace("\\,", ",").strip() for part in re.split(r"(?<!\\),", value))
    return [part for part in parts if part]


def _origin(rows: _Rows, row: Row) -> Origin:
    return Origin(rows.source.name, row.line, row.end_line)


def _knows(name: str) -> bool:
    return name in _READ or name in _IGNORED or bool(_ATTRIBUTE.fullmatch(name))


WOOCOMMERCE_CSV = Anchored(
    FormatInfo(
        "woocommerce-csv",
        "WooCommerce product export; variations join their parent, before or after it",
        "columns Type, SKU and Name",
        ("ID", "Name", "Short description", "Description", "Published", "Tags", "Parent", "SKU"),
        (".csv", ".tsv"),
        ("table",),
    ),
    (
        Anchors(
            frozenset(("type", "sku", "name")),
            none_of=frozenset(("handle", "url handle", "slug")),
            knows=_knows,
        ),
    ),
    _outcomes,
)
