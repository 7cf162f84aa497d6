"""Shopify's ``products.json``: one object for each product, with its variants inside."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from steadyrank_builder.document import Document, Value
from steadyrank_builder.formats.detection import Anchored, Anchors
from steadyrank_builder.formats.options import FormatInfo, ReadOptions
from steadyrank_builder.formats.product import Product, price_range, product_document, variant
from steadyrank_builder.formats.protocol import OpenFile
from steadyrank_builder.formats.raw_records import RawRecord
from steadyrank_builder.formats.values import FieldError, frozen, id_field, text_field
from steadyrank_builder.reading.html_text import HtmlError, one_line
from steadyrank_builder.reading.ids import IdError
from steadyrank_builder.records import Accepted, Outcome, Rejected, Skipped

_NOT_ON_SALE = frozenset(("draft", "archived", "unlisted"))
_READ = frozenset(
    (
        "id", "handle", "title", "body_html", "vendor", "product_type", "tags", "status",
        "options", "variants", "images", "image", "published_at", "product_category",
    )
)  # fmt: skip
# Times and numbers of Shopify's own, which say nothing about the product.
_IGNORED = frozenset(
    ("created_at", "updated_at", "published_scope", "template_suffix", "admin_graphql_api_id")
)


def _outcomes(file: OpenFile, options: ReadOptions) -> Iterator[Outcome]:
    for record in file.records():
        if not isinstance(record, RawRecord):
            yield record
            continue
        try:
            reason = _not_on_sale(record.values)
            if reason:
                yield Skipped(record.origin, reason)
            else:
                yield Accepted(_document(record.values, options), record.origin)
        except (IdError, FieldError, HtmlError) as error:
            yield Rejected(record.origin, error.code, str(error), record.raw)


def _not_on_sale(values: Mapping[str, Any]) -> str:
    status = text_field(values, "status").lower()
    if status in _NOT_ON_SALE:
        return status
    return "unpublished" if values.get("published_at", "") is None else ""


def _document(values: Mapping[str, Any], options: ReadOptions) -> Document:
    title = text_field(values, "title")
    if not one_line(title):
        raise FieldError("empty-title", '"title" is empty')
    names = [text_field(option, "name") for option in _objects(values, "options")]
    chosen: dict[str, list[str]] = {}
    variants: list[Value] = []
    found = list(_objects(values, "variants"))
    for each in found:
        own = {}
        for number in (1, 2, 3):
            value = text_field(each, f"option{number}")
            name = names[number - 1] if number <= len(names) else f"Option {number}"
            if value and (name, value) != ("Title", "Default Title"):
                own[name] = value
                chosen.setdefault(name, []).append(value)
        if own:
            variants.append(variant(own, text_field(each, "sku"), text_field(each, "price")))
    images = [*_objects(values, "images"), *_objects({"image": [values.get("image")]}, "image")]
    more: dict[str, Value] = {}
    if number_ := id_field(values, "id"):
        more["aliases"] = (number_,)
    for name, value in values.items():
        known = name in _READ or name in _IGNORED or name == options.language_of
        if not known and value not in (None, "", [], {}):
            more[name] = frozen(value)
    return product_document(
        Product(
            handle=text_field(values, "handle"),
            title=title,
            body=text_field(values, "body_html"),
            said={
                "vendor": text_field(values, "vendor"),
                "type": text_field(values, "product_type"),
                "category": _category(values.get("product_category")),
            },
            options=chosen,
            variants=tuple(variants),
            prices=price_range(("", text_field(each, "price")) for each in found),
            image=next((src for each in images if (src := text_field(each, "src"))), ""),
            skus=_distinct(found, "sku"),
            barcodes=_distinct(found, "barcode"),
            tags=values.get("tags"),
            language=text_field(values, options.language_of) or options.language,
            more=more,
        )
    )


def _objects(values: Mapping[str, Any], name: str) -> Iterator[Mapping[str, Any]]:
    """The objects of a list; null is no object, anything else is refused."""
    found = values.get(name)
    if found is None:
        return
    if not isinstance(found, list):
        raise FieldError("field-type", f'"{name}" must be a list of objects')
    for each in found:
        if isinstance(each, dict):
            yield each
        elif each is not None:
            raise FieldError("field-type", f'"{name}" must be a list of objects')


def _category(value: Any) -> str:
    if isinstance(value, dict):
        value = value.get("product_taxonomy_node", value)
        value = value.get("full_name") if isinstance(value, dict) else None
    return value.strip() if isinstance(value, str) else ""


def _distinct(found: list[Mapping[str, Any]], name: str) -> tuple[str, ...]:
    values = (text_field(each, name) for each in found)
    return tuple(dict.fromkeys(value for value in values if value))


SHOPIFY_JSON = Anchored(
    FormatInfo(
        "shopify-json",
        "Shopify's products.json, variants inside their product",
        "an object with products, or a list, of objects with handle and body_html",
        ("handle", "title", "body_html", "tags", "status", "options", "variants", "images"),
        (".json", ".jsonl", ".ndjson"),
        ("json", "jsonl"),
        ("", "products"),
    ),
    (Anchors(frozenset(("handle", "title", "body_html")), knows=(_READ | _IGNORED).__contains__),),
    _outcomes,
)
