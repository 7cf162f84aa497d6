"""Where Shopify and Spree exports keep what a product is made of."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

_OPTION_COLUMN = re.compile(r"option\d+[ _](name|value|linked to)")


@dataclass(frozen=True)
class ProductColumns:
    """Folded header names of one product format.

    ``single`` maps an attribute to the column it is read from, on the row that has it first.
    ``option`` gives the name and value columns of option 1, 2 and 3. ``variant`` are columns
    that differ from variant to variant, ``ignored`` ones that say nothing about the product.
    """

    handle: str
    title: str
    body: str
    tags: str
    sku: str
    barcode: str
    price: str
    currency: str
    image: str
    published: str
    status: str
    single: Mapping[str, str]
    option: Callable[[int], tuple[str, str]]
    variant: frozenset[str]

    def taken(self, column: str) -> bool:
        """Whether the column is read by name, so that it is not an attribute of its own."""
        return (
            column in self._named
            or column in self.variant
            or bool(_OPTION_COLUMN.fullmatch(column))
        )

    @property
    def _named(self) -> frozenset[str]:
        own = (
            self.handle,
            self.title,
            self.body,
            self.tags,
            self.sku,
            self.barcode,
            self.price,
            self.currency,
            self.image,
            self.published,
            self.status,
        )
        return frozenset((*own, *self.single.values()))


SHOPIFY_OLD = ProductColumns(
    handle="handle",
    title="title",
    body="body (html)",
    tags="tags",
    sku="variant sku",
    barcode="variant barcode",
    price="variant price",
    currency="",
    image="image src",
    published="published",
    status="status",
    single={"vendor": "vendor", "type": "type", "category": "product category"},
    option=lambda number: (f"option{number} name", f"option{number} value"),
    variant=frozenset(
        (
            "variant grams",
            "variant inventory tracker",
            "variant inventory qty",
            "variant inventory policy",
            "variant fulfillment service",
            "variant compare at price",
            "variant requires shipping",
            "variant taxable",
            "variant image",
            "variant weight unit",
            "variant tax code",
            "image position",
            "image alt text",
            "cost per item",
        )
    ),
)

SHOPIFY_NEW = ProductColumns(
    handle="url handle",
    title="title",
    body="description",
    tags="tags",
    sku="sku",
    barcode="barcode",
    price="price",
    currency="",
    image="product image url",
    published="published on online store",
    status="status",
    single={"vendor": "vendor", "type": "type", "category": "product category"},
    option=lambda number: (f"option{number} name", f"option{number} value"),
    variant=frozenset(
        (
            "compare-at price",
            "cost per item",
            "charge tax",
            "tax code",
            "unit price total measure",
            "unit price total measure unit",
            "unit price base measure",
            "unit price base measure unit",
            "inventory tracker",
            "inventory quantity",
            "continue selling when out of stock",
            "weight value (grams)",
            "weight unit for display",
            "requires shipping",
            "fulfillment service",
            "image position",
            "image alt text",
            "variant image url",
        )
    ),
)

SPREE = ProductColumns(
    handle="slug",
    title="name",
    body="description",
    tags="tags",
    sku="sku",
    barcode="barcode",
    price="price",
    currency="currency",
    image="image1_src",
    published="",
    status="status",
    single={"vendor": "vendor_name", "type": "product_type", "category": "category1"},
    option=lambda number: (f"option{number}_name", f"option{number}_value"),
    variant=frozenset(
        (
            "compare_at_price",
            "width",
            "height",
            "depth",
            "dimensions_unit",
            "weight",
            "weight_unit",
            "inventory_count",
            "inventory_backorderable",
            "track_inventory",
            "image2_src",
            "image3_src",
        )
    ),
)
