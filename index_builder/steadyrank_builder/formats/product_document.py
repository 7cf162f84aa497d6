"""One product document out of the rows of its variants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from steadyrank_builder.document import Document, Value
from steadyrank_builder.formats.product_columns import ProductColumns
from steadyrank_builder.formats.values import tag_list
from steadyrank_builder.reading.html_text import html_to_text, one_line
from steadyrank_builder.reading.ids import prefixed
from steadyrank_builder.reading.rows import Header, Row

_OPTIONS = (1, 2, 3)


@dataclass(frozen=True)
class ProductRows:
    """The rows of one product, read by column.

    ``others`` are the columns that the format does not read by name: name and number.
    """

    header: Header
    columns: ProductColumns
    others: tuple[tuple[str, int], ...]
    rows: list[Row]

    def cell(self, row: Row, column: str) -> str:
        """The trimmed cell; empty where the file has no such column."""
        at = self.header.index.get(column)
        return "" if at is None else row.cells[at].strip()

    def values(self, column: str) -> Iterator[str]:
        """What the rows have in a column, top down, without empty cells."""
        at = self.header.index.get(column)
        if at is not None:
            for row in self.rows:
                if value := row.cells[at].strip():
                    yield value

    def first(self, column: str) -> str:
        """The first cell that is not empty, else empty."""
        return next(self.values(column), "")


def product_document(product: ProductRows, language: str) -> Document:
    """The document of a product. Raises IdError.

    The text is the description, then a line for each of vendor, type, category, options, further
    columns and article numbers: what a shopper may search by. Prices are attributes only.
    """
    columns = product.columns
    attributes: dict[str, Value] = {}
    lines: list[str] = []
    for name, column in columns.single.items():
        value = product.first(column)
        if value:
            attributes[name] = value
            if name in columns.labels:
                lines.append(f"{columns.labels[name]}: {value}")
    options, variants = _variants(product)
    for name, values in options.items():
        lines.append(f"{name}: {', '.join(values)}")
    if options:
        attributes["options"] = {name: tuple(values) for name, values in options.items()}
    if variants:
        attributes["variants"] = tuple(variants)
    attributes.update(_prices(product))
    image = product.first(columns.image)
    if image:
        attributes["image"] = image
    skus = tuple(dict.fromkeys(product.values(columns.sku)))
    if skus:
        attributes["skus"] = skus
    barcodes = tuple(dict.fromkeys(product.values(columns.barcode)))
    if barcodes:
        attributes["barcodes"] = barcodes
    for name, at in product.others:
        value = next((cell for row in product.rows if (cell := row.cells[at].strip())), "")
        if value:
            attributes[f"column {name}" if name in attributes else name] = value
    lines.extend(_characteristics(product, attributes))
    if skus:
        lines.append(f"SKU: {', '.join(skus)}")
    if barcodes:
        lines.append(f"Barcode: {', '.join(barcodes)}")
    body = html_to_text(product.first(columns.body))
    return Document(
        id=prefixed("product", product.first(columns.handle), "the handle"),
        kind="product",
        title=one_line(product.first(columns.title)),
        text="\n\n".join(filter(None, (body, "\n".join(lines)))),
        tags=tag_list(product.first(columns.tags)),
        language=language,
        attributes=attributes,
    )


def _variants(product: ProductRows) -> tuple[dict[str, list[str]], list[Value]]:
    """Option values by option name, and the rows that sell something.

    Continuation rows may leave the option's name to the first row. Where any row has an option
    value, only such rows are variants; rows with just an image never are.
    """
    columns = product.columns
    pairs = []
    for number in _OPTIONS:
        name_column, value_column = columns.option(number)
        if value_column in product.header.index:
            name = product.first(name_column) or f"Option {number}"
            pairs.append((name_column, value_column, name))
    options: dict[str, list[str]] = {}
    variants: list[Value] = []
    for row in product.rows:
        chosen: dict[str, Value] = {}
        for name_column, value_column, default in pairs:
            value = product.cell(row, value_column)
            name = product.cell(row, name_column) or default
            if value and (name, value) != ("Title", "Default Title"):
                chosen[name] = value
                known = options.setdefault(name, [])
                if value not in known:
                    known.append(value)
        if chosen:
            variant: dict[str, Value] = {"options": chosen}
            for key, column in (("sku", columns.sku), ("price", columns.price)):
                if found := product.cell(row, column):
                    variant[key] = found
            variants.append(variant)
    return options, variants


def _prices(product: ProductRows) -> dict[str, Value]:
    """Lowest and highest price as written, in the first currency; others under ``prices``.

    A master row's own price counts only where there are no variants; rows that only add a price
    in another currency name the variant by its article number.
    """
    columns = product.columns
    at = [product.header.index.get(columns.option(number)[1]) for number in _OPTIONS]
    present = [number for number in at if number is not None]
    chosen = [row for row in product.rows if any(row.cells[number].strip() for number in present)]
    skus = {product.cell(row, columns.sku) for row in chosen} - {""}
    counted = {id(row) for row in chosen}
    ranges: dict[str, list[tuple[Decimal, str]]] = {}
    for row in product.rows:
        if chosen and id(row) not in counted and product.cell(row, columns.sku) not in skus:
            continue
        written = product.cell(row, columns.price)
        try:
            amount = Decimal(written)
        except InvalidOperation:
            continue
        if amount.is_finite():
            currency = product.cell(row, columns.currency)
            ranges.setdefault(currency, []).append((amount, written))
    if not ranges:
        return {}
    (currency, first), *others = ranges.items()
    found: dict[str, Value] = {"price_min": min(first)[1], "price_max": max(first)[1]}
    if currency:
        found["currency"] = currency
    if others:
        found["prices"] = {
            other: {"min": min(priced)[1], "max": max(priced)[1]} for other, priced in others
        }
    return found


def _characteristics(product: ProductRows, attributes: dict[str, Value]) -> Iterator[str]:
    """Custom fields, which hold what shoppers compare: ``wattage: 1400W``."""
    for name, value in list(attributes.items()):
        if name.startswith("custom_field."):
            yield f"{name.rpartition('.')[2].replace('_', ' ')}: {value}"
        elif "metafields." in name and isinstance(value, str):
            label = name.partition("(")[0].strip() or name
            yield f"{label}: {html_to_text(value)}"
