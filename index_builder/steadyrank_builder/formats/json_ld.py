"""Products and FAQ entries that a page states as JSON-LD, and then the page itself.

The page's own sections are read too, since what it says in words is more than what it states;
``--format html`` reads the sections alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from steadyrank_builder.document import Document, Origin, Value
from steadyrank_builder.formats.detection import Anchored, Anchors
from steadyrank_builder.formats.options import FormatInfo, ReadOptions
from steadyrank_builder.formats.pages import HTML
from steadyrank_builder.formats.product import Product, price_range, product_document, variant
from steadyrank_builder.formats.protocol import OpenFile
from steadyrank_builder.formats.values import FieldError
from steadyrank_builder.pages.slugs import github_slug
from steadyrank_builder.reading.html_text import (
    HtmlError,
    html_to_text,
    looks_like_html,
    one_line,
    unescape,
)
from steadyrank_builder.reading.ids import IdError, is_encodable, path_slug, prefixed
from steadyrank_builder.reading.json_ld import Block, blocks
from steadyrank_builder.records import Accepted, Outcome, Rejected

_PRODUCTS = frozenset(("Product", "ProductGroup", "IndividualProduct", "ProductModel"))
_QUESTIONS = frozenset(("FAQPage", "QAPage", "Question"))
_TYPES = _PRODUCTS | _QUESTIONS
# Where nodes of a page's own stand; what else a node names is about other pages.
_INSIDE = ("@graph", "mainEntity", "itemListElement", "item", "hasPart", "about")
_DEPTH = 20
_OPTIONS = {"color": "Color", "size": "Size", "material": "Material", "pattern": "Pattern"}


def _outcomes(file: OpenFile, options: ReadOptions) -> Iterator[Outcome]:
    for block in blocks(file.content):
        origin = Origin(file.source.name, block.line, block.end_line)
        if block.error:
            if any(kind in block.raw for kind in ("Product", "FAQPage", "Question")):
                message = f"a JSON-LD block that cannot be read: {block.error}"
                yield Rejected(origin, "json-ld", message, block.raw)
            continue
        for node in _nodes(block.value, 0):
            yield _outcome(file, block, origin, node, options)
    yield from HTML.read(file, options)


def _nodes(value: Any, depth: int) -> Iterator[Mapping[str, Any]]:
    if depth > _DEPTH:
        return
    if isinstance(value, list):
        for each in value:
            yield from _nodes(each, depth + 1)
    elif isinstance(value, dict):
        types = _types(value)
        if types & _PRODUCTS or "Question" in types:
            yield value
            return
        for name in _INSIDE:
            yield from _nodes(value.get(name), depth + 1)


def _types(node: Mapping[str, Any]) -> frozenset[str]:
    found = node.get("@type")
    names = found if isinstance(found, list) else [found]
    return frozenset(re.split(r"[/:#]", name)[-1] for name in names if isinstance(name, str))


def _outcome(
    file: OpenFile, block: Block, origin: Origin, node: Mapping[str, Any], options: ReadOptions
) -> Outcome:
    try:
        read = _question if "Question" in _types(node) else _product
        return Accepted(read(file, node, options), origin)
    except (IdError, FieldError, HtmlError) as error:
        return Rejected(origin, error.code, str(error), block.raw)


def _question(file: OpenFile, node: Mapping[str, Any], options: ReadOptions) -> Document:
    question = one_line(_first(node.get("name")) or _first(node.get("text")))
    answers = [
        text
        for name in ("acceptedAnswer", "suggestedAnswer")
        for each in _listed(node.get(name))
        if (text := _prose(_first(each.get("text")) if isinstance(each, dict) else _first(each)))
    ]
    for name, text in (("name", question), ("acceptedAnswer.text", "".join(answers))):
        if not text:
            raise FieldError("empty-field", f'"{name}" of a Question is empty')
    slug = _identity(file, node) or github_slug(question).strip("-")
    if not slug.strip("-_"):
        raise IdError("empty-id", f"{question!r} gives no id; add an @id to the question")
    return Document(
        id=prefixed("faq", slug, "the id"),
        kind="faq",
        title=question,
        text="\n\n".join(dict.fromkeys(answers)),
        url=_url(node),
        language=_language(file, node, options),
    )


def _product(file: OpenFile, node: Mapping[str, Any], options: ReadOptions) -> Document:
    title = _first(node.get("name"))
    if not one_line(title):
        raise FieldError("empty-title", '"name" of a Product is empty')
    kinds = [each for each in _listed(node.get("hasVariant")) if isinstance(each, dict)]
    own = [each for each in kinds if each.get("sku") or each.get("offers") or each.get("name")]
    chosen: dict[str, list[str]] = {}
    variants: list[Value] = []
    for each in [node, *own]:
        options_of = {
            label: one_line(value)
            for name, label in _OPTIONS.items()
            if (value := _first(each.get(name)))
        }
        for name, value in options_of.items():
            chosen.setdefault(name, []).append(value)
        if each is not node:
            prices = [price for _, price in _offers(each.get("offers"))]
            variants.append(variant(options_of, _first(each.get("sku")), "".join(prices[:1])))
    more: dict[str, Value] = {}
    for each in _listed(node.get("additionalProperty")):
        if isinstance(each, dict):
            name, value = one_line(_first(each.get("name"))), one_line(_first(each.get("value")))
            if name and value:
                more[f"custom_field.{name}"] = value
    sku = _first(node.get("sku")) or _first(node.get("productGroupID"))
    group = [node, *own]
    return product_document(
        Product(
            handle=_identity(file, node) or sku or github_slug(one_line(title)).strip("-"),
            title=title,
            body=_prose(_first(node.get("description"))),
            said={
                "vendor": one_line(_first(node.get("brand"))),
                "category": one_line(_first(node.get("category"))),
            },
            options=chosen,
            variants=tuple(variants),
            prices=price_range(price for each in group for price in _offers(each.get("offers"))),
            image=_first(node.get("image")),
            skus=tuple(dict.fromkeys(s for each in group if (s := _first(each.get("sku"))))),
            barcodes=tuple(dict.fromkeys(code for each in group for code in _barcodes(each))),
            url=_url(node),
            language=_language(file, node, options),
            more=more,
        )
    )


def _offers(value: Any) -> Iterator[tuple[str, str]]:
    """Currency and price of each offer."""
    for offer in _listed(value):
        if isinstance(offer, dict):
            inner = list(_offers(offer.get("offers")))
            yield from inner
            for name in () if inner else ("price", "lowPrice", "highPrice"):
                if price := _first(offer.get(name)):
                    yield _first(offer.get("priceCurrency")), price


def _barcodes(node: Mapping[str, Any]) -> Iterator[str]:
    for name in ("gtin", "gtin8", "gtin12", "gtin13", "gtin14", "isbn"):
        if code := _first(node.get(name)):
            yield code


def _identity(file: OpenFile, node: Mapping[str, Any]) -> str:
    """The ``@id``; one that only counts within the page gets the page's path in front."""
    given = _first(node.get("@id"))
    if given.startswith("_:"):
        return ""
    if given.startswith("#"):
        return f"{path_slug(file.source.page_path)}{given}"
    return given


def _url(node: Mapping[str, Any]) -> str:
    url = _first(node.get("url"))
    return url if url.startswith(("http://", "https://", "/")) else ""


_PAGE_LANGUAGE = re.compile(r"""<html\b[^>]*?\slang\s*=\s*["']?([\w-]+)""", re.IGNORECASE)


def _language(file: OpenFile, node: Mapping[str, Any], options: ReadOptions) -> str:
    stated = _first(node.get(options.language_of or "inLanguage"))
    page = _PAGE_LANGUAGE.search(file.head.start)
    return stated or (page.group(1) if page else options.language)


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [] if value is None else [value]


def _first(value: Any) -> str:
    """The first text of a value that may be a list or an object with a name, value or URL."""
    for each in _listed(value):
        if isinstance(each, dict):
            names = ("name", "@value", "value", "url", "contentUrl", "alternateName", "@id")
            each = next((each[name] for name in names if isinstance(each.get(name), str)), None)
        if isinstance(each, str) and each.strip():
            if not is_encodable(each):
                raise FieldError("bad-value", "an escape for half a character (a lone surrogate)")
            return each.strip()
        if isinstance(each, int | float) and not isinstance(each, bool):
            return str(each)
    return ""


def _prose(value: str) -> str:
    """HTML or text; a template may have escaped the HTML once more."""
    if not looks_like_html(value) and looks_like_html(unescape(value)):
        value = unescape(value)
    return html_to_text(value) if looks_like_html(value) else unescape(value)


JSON_LD = Anchored(
    FormatInfo(
        "json-ld",
        "products and questions that a page states as JSON-LD, and the page's sections",
        "a script of the type application/ld+json with a Product, ProductGroup or FAQPage",
        ("@id", "name", "description", "sku", "offers", "brand", "acceptedAnswer"),
        (".html", ".htm", ".xhtml"),
        ("html",),
    ),
    (Anchors(frozenset(), _TYPES, 1, knows=_TYPES.__contains__),),
    _outcomes,
)
