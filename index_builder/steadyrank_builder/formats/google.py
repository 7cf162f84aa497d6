"""Google Merchant feeds, as XML (RSS 2, RSS 1, Atom) and as a table: an item for each variant."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from steadyrank_builder.document import Document, Origin, Value
from steadyrank_builder.formats.detection import Anchored, Anchors
from steadyrank_builder.formats.grouped import grouped
from steadyrank_builder.formats.options import FormatInfo, ReadOptions
from steadyrank_builder.formats.product import Product, price_range, product_document, variant
from steadyrank_builder.formats.protocol import OpenFile
from steadyrank_builder.formats.raw_records import Raw, RawRecord
from steadyrank_builder.formats.values import FieldError
from steadyrank_builder.reading.html_text import HtmlError, one_line
from steadyrank_builder.reading.ids import IdError, folded
from steadyrank_builder.reading.xml_items import XmlFault, XmlItem, xml_items
from steadyrank_builder.records import Accepted, Outcome, Rejected

NAMESPACE = "http://base.google.com/ns/1.0"
_OPTIONS = {"color": "Color", "size": "Size", "material": "Material", "pattern": "Pattern"}
_READ = frozenset(
    (
        "id", "title", "description", "summary", "content", "link", "image link", "price",
        "sale price", "brand", "gtin", "product type", "google product category",
        "item group id", *_OPTIONS,
    )
)  # fmt: skip
_KNOWN = _READ | frozenset(
    (
        "availability", "condition", "mpn", "additional image link", "identifier exists", "gender",
        "age group", "shipping", "custom label 0", "size type", "size system", "product highlight",
        "product detail", "availability date", "mobile link",
    )
)  # fmt: skip
_IGNORED = frozenset(("updated", "published", "pubdate", "guid", "tax", "ads redirect"))


def _name(key: str) -> str:
    """``g:image_link``, ``image_link`` and ``Image link`` are one name."""
    return folded(key.replace("_", " ")).removeprefix("g:")


def _from_xml(file: OpenFile) -> Iterator[Raw]:
    for item in xml_items(file.text, ("item", "entry")):
        if isinstance(item, XmlFault):
            origin = Origin(file.source.name, item.line, item.line)
            yield Rejected(origin, item.code, item.message, ends=True)
        else:
            yield _raw(file, item)


def _raw(file: OpenFile, item: XmlItem) -> RawRecord:
    return RawRecord(item.values, Origin(file.source.name, item.line, item.end_line), item.raw)


def _group_of(record: Raw) -> str:
    if not isinstance(record, RawRecord):
        return ""
    group = ""
    for key, value in record.values.items():
        if _name(key) == "item group id" and isinstance(value, str):
            group = value.strip()
    return group


def _products(records: Callable[[], Iterable[Raw]], options: ReadOptions) -> Iterator[Outcome]:
    for group in grouped(records, _group_of):
        items = []
        for record in group:
            if isinstance(record, RawRecord):
                items.append(record)
            else:
                yield record
        if items:
            yield _outcome(items, options)


def _outcome(items: Sequence[RawRecord], options: ReadOptions) -> Outcome:
    origin = items[0].origin
    try:
        return Accepted(_document(items, options), origin, len(items))
    except (IdError, FieldError, HtmlError) as error:
        raw = "\n".join(item.raw for item in items)
        return Rejected(origin, error.code, str(error), raw, len(items))


def _document(items: Sequence[RawRecord], options: ReadOptions) -> Document:
    found = [_fields(item.values) for item in items]
    first = found[0]
    title = _text(first, "title")
    if not one_line(title):
        raise FieldError("empty-title", '"title" is empty')
    group = _group_of(items[0])
    chosen: dict[str, list[str]] = {}
    variants: list[Value] = []
    for each in found:
        own = {label: value for name, label in _OPTIONS.items() if (value := _text(each, name))}
        for name, value in own.items():
            chosen.setdefault(name, []).append(value)
        if own and group:
            variants.append(variant(own, _text(each, "id"), _price(each)[1]))
    language_of = _name(options.language_of)
    more: dict[str, Value] = {}
    for name, value in first.items():
        if name not in _READ and name not in _IGNORED and name != language_of and value:
            more[name.replace(" ", "_")] = tuple(value) if isinstance(value, list) else value
    return product_document(
        Product(
            handle=group or _text(first, "id"),
            title=title,
            body=_text(first, "description") or _text(first, "summary") or _text(first, "content"),
            said={
                "vendor": _text(first, "brand"),
                "type": _text(first, "product type"),
                "category": _text(first, "google product category"),
            },
            options=chosen,
            variants=tuple(variants),
            prices=price_range(map(_price, found)),
            image=_text(first, "image link"),
            skus=_distinct(found, "id"),
            barcodes=_distinct(found, "gtin"),
            url=_text(first, "link"),
            language=_text(first, language_of) or options.language,
            more=more,
        )
    )


def _fields(values: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, value in values.items():
        if value and not found.get(_name(key)):
            found[_name(key)] = value
    return found


def _text(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name, "")
    return str(value[0] if isinstance(value, list) else value).strip()


def _price(values: Mapping[str, Any]) -> tuple[str, str]:
    """Currency and amount of ``15.00 USD`` (or ``USD 15.00``)."""
    parts = (_text(values, "sale price") or _text(values, "price")).split()
    currency = "".join(part for part in parts if part.isalpha())
    return currency, "".join(part for part in parts if not part.isalpha())


def _distinct(found: Iterable[Mapping[str, Any]], name: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for each in found if (value := _text(each, name))))


def _read_xml(file: OpenFile, options: ReadOptions) -> Iterator[Outcome]:
    xml_items(file.text, ())  # a missing parser is told before anything is read
    return _products(lambda: _from_xml(file), options)


def _read_table(file: OpenFile, options: ReadOptions) -> Iterator[Outcome]:
    return _products(file.records, options)


def _knows(name: str) -> bool:
    return _name(name) in _KNOWN


_FIELDS = ("id", "item_group_id", "title", "description", "link", "price", "brand", "gtin")
GOOGLE_XML = Anchored(
    FormatInfo(
        "google-xml",
        "Google Merchant feed as RSS 2, RSS 1 or Atom; the items of a group join",
        f"the namespace {NAMESPACE}, and items or entries with a title",
        _FIELDS,
        (".xml", ".rss", ".atom"),
        ("xml",),
    ),
    (
        Anchors(
            frozenset(("title", "id")),
            frozenset(("item", "entry")),
            1,
            marks=frozenset((NAMESPACE,)),
            knows=_knows,
        ),
    ),
    _read_xml,
)
GOOGLE_TSV = Anchored(
    FormatInfo(
        "google-tsv",
        "Google Merchant feed as a table; the rows of a group join",
        "columns id, title, description and link, and one of availability, condition, price, "
        "image link, brand, gtin",
        _FIELDS,
        (".tsv", ".csv", ".txt"),
        ("table",),
    ),
    tuple(
        Anchors(
            frozenset(("id", "title", "description", "link")),
            frozenset(("availability", "condition", "price", "brand", "gtin", image)),
            1,
            frozenset(("handle", "slug", "text")),
            knows=_knows,
        )
        for image in ("image link", "image_link")
    ),
    _read_table,
)
