"""One product out of the rows of its variants."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from steadyrank_builder.document import Value
from steadyrank_builder.formats.product import Product, price_range, variant
from steadyrank_builder.formats.product_columns import ProductColumns
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


def product_of_rows(product: ProductRows, language: str) -> Product:
    """What the rows say of the product."""
    columns = product.columns
    options, variants = _variants(product)
    more: dict[str, Value] = {}
    for name, at in product.others:
        value = next((cell for row in product.rows if (cell := row.cells[at].strip())), "")
        if value:
            more[name] = value
    return Product(
        handle=product.first(columns.handle),
        title=product.first(columns.title),
        body=product.first(columns.body),
        said={name: product.first(column) for name, column in columns.single.items()},
        options=options,
        variants=tuple(variants),
        prices=price_range(_prices(product)),
        image=product.first(columns.image),
        skus=tuple(dict.fromkeys(product.values(columns.sku))),
        barcodes=tuple(dict.fromkeys(product.values(columns.barcode))),
        tags=product.first(columns.tags),
        language=language,
        more=more,
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
        chosen: dict[str, str] = {}
        for name_column, value_column, default in pairs:
            value = product.cell(row, value_column)
            name = product.cell(row, name_column) or default
            if value and (name, value) != ("Title", "Default Title"):
                chosen[name] = value
                options.setdefault(name, []).append(value)
        if chosen:
            sku, price = product.cell(row, columns.sku), product.cell(row, columns.price)
            variants.append(variant(chosen, sku, price))
    return options, variants


def _prices(product: ProductRows) -> Iterator[tuple[str, str]]:
    """Currency and price of each row that counts.

    A master row's own price counts only where there are no variants; rows that only add a price
    in another currency name the variant by its article number.
    """
    columns = product.columns
    at = [product.header.index.get(columns.option(number)[1]) for number in _OPTIONS]
    present = [number for number in at if number is not None]
    chosen = [row for row in product.rows if any(row.cells[number].strip() for number in present)]
    skus = {product.cell(row, columns.sku) for row in chosen} - {""}
    counted = {id(row) for row in chosen}
    for row in product.rows:
        if chosen and id(row) not in counted and product.cell(row, columns.sku) not in skus:
            continue
        yield product.cell(row, columns.currency), product.cell(row, columns.price)
