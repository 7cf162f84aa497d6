"""One product, whatever export it comes from, as one document.

Every product format is read into ``Product`` first, so that the same store gives the same
documents in every format, but for what a format cannot carry.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal, InvalidOperation

from steadyrank_builder.document import Document, Link, Value
from steadyrank_builder.formats.values import tag_list
from steadyrank_builder.reading.html_text import html_to_text, one_line
from steadyrank_builder.reading.ids import prefixed

# What is also written into the text, with this label.
LABELS: Mapping[str, str] = {"vendor": "Vendor", "type": "Type", "category": "Category"}


@dataclass(frozen=True)
class Product:
    """What a shop says of a product.

    ``handle`` becomes its id. ``body`` is HTML or text; ``summary`` stands above it. ``said`` is
    what ``LABELS`` names. ``options`` are values by option name, ``variants`` what can be bought.
    ``more`` are further attributes as they are.
    """

    handle: str
    title: str
    body: str
    summary: str = ""
    said: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Iterable[str]] = field(default_factory=dict)
    variants: tuple[Value, ...] = ()
    prices: Mapping[str, Value] = field(default_factory=dict)
    image: str = ""
    skus: tuple[str, ...] = ()
    barcodes: tuple[str, ...] = ()
    tags: object = None
    url: str = ""
    language: str = ""
    links: tuple[Link, ...] = ()
    more: Mapping[str, Value] = field(default_factory=dict)


def product_document(product: Product) -> Document:
    """The document of a product. Raises IdError and FieldError.

    The text is the description, then a line for each of vendor, type, category, options, further
    columns and article numbers: what a shopper may search by. Prices are attributes only.
    """
    attributes: dict[str, Value] = {}
    lines: list[str] = []
    for name, value in product.said.items():
        if value:
            attributes[name] = value
            if name in LABELS:
                lines.append(f"{LABELS[name]}: {value}")
    options = {name: tuple(dict.fromkeys(values)) for name, values in product.options.items()}
    for name, values in options.items():
        lines.append(f"{name}: {', '.join(values)}")
    if options:
        attributes["options"] = options
    if product.variants:
        attributes["variants"] = product.variants
    attributes.update(product.prices)
    if product.image:
        attributes["image"] = product.image
    if product.skus:
        attributes["skus"] = product.skus
    if product.barcodes:
        attributes["barcodes"] = product.barcodes
    for name, further in product.more.items():
        attributes[f"column {name}" if name in attributes else name] = further
    lines.extend(_characteristics(attributes))
    if product.skus:
        lines.append(f"SKU: {', '.join(product.skus)}")
    if product.barcodes:
        lines.append(f"Barcode: {', '.join(product.barcodes)}")
    summary, body = html_to_text(product.summary), html_to_text(product.body)
    if summary == body:
        summary = ""
    return Document(
        id=prefixed("product", product.handle, "the handle"),
        kind="product",
        title=one_line(product.title),
        text="\n\n".join(filter(None, (summary, body, "\n".join(lines)))),
        tags=tag_list(product.tags),
        url=product.url,
        language=product.language,
        links=product.links,
        attributes=attributes,
    )


def variant(options: Mapping[str, str], sku: str, price: str) -> Value:
    """One thing that can be bought, as it stands among ``variants``."""
    found: dict[str, Value] = {"options": dict(options)}
    if sku:
        found["sku"] = sku
    if price:
        found["price"] = price
    return found


def price_range(priced: Iterable[tuple[str, str]]) -> dict[str, Value]:
    """Lowest and highest of (currency, price as written), in the first currency.

    Others stand under ``prices``. What is no number is passed over.
    """
    ranges: dict[str, list[tuple[Decimal, str]]] = {}
    for currency, written in priced:
        amount = _amount(written)
        if amount is not None:
            ranges.setdefault(currency, []).append((amount, written))
    if not ranges:
        return {}
    (currency, first), *others = ranges.items()
    found: dict[str, Value] = {"price_min": min(first)[1], "price_max": max(first)[1]}
    if currency:
        found["currency"] = currency
    if others:
        found["prices"] = {
            other: {"min": min(prices)[1], "max": max(prices)[1]} for other, prices in others
        }
    return found


_NUMBER = re.compile(r"[^\d.,+-]*([+-]?[\d.,]*\d)[^\d.,]*", re.ASCII)
_GROUPED = re.compile(r"[+-]?\d{1,3}(?:[.,]\d{3}){2,}")
_SPACES = re.compile(r"[\s'\u2019]")


def _amount(written: str) -> Decimal | None:
    """The number that a price means, None where it is none.

    The last of points and commas is the decimal one, unless one kind stands there more than once:
    ``1.299,00``, ``1,299.00``, ``1 299,00`` and ``1'299`` are the same, ``1,299`` is less than two.
    """
    found = _NUMBER.fullmatch(_SPACES.sub("", written))
    if found is None:
        return None
    text = found.group(1)
    kinds = {sign for sign in text if sign in ".,"}
    if len(kinds) == 1 and _GROUPED.fullmatch(text):
        text = re.sub("[.,]", "", text)
    elif kinds:
        last = max(text.rfind(sign) for sign in kinds)
        whole = re.sub("[.,]", "", text[:last]) if len(kinds) > 1 else text[:last]
        text = f"{whole}.{text[last + 1 :]}"
    try:
        amount = Decimal(text)
    except InvalidOperation:
        return None
    return amount if amount.is_finite() else None


def _characteristics(attributes: Mapping[str, Value]) -> Iterator[str]:
    """Custom fields, which hold what shoppers compare: ``wattage: 1400W``."""
    for name, value in attributes.items():
        if name.startswith("custom_field."):
            yield f"{name.rpartition('.')[2].replace('_', ' ')}: {value}"
        elif "metafields." in name and isinstance(value, str):
            label = name.partition("(")[0].strip() or name
            yield f"{label}: {html_to_text(value)}"
