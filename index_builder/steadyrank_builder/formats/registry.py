"""The formats that can be read, as data."""

from __future__ import annotations

from steadyrank_builder.formats.faq import FAQ_FIELDS
from steadyrank_builder.formats.options import GENERIC_FIELDS, FormatInfo

_TABLE = (".csv", ".tsv")
_LINES = (".jsonl", ".ndjson")
_PAGE_FIELDS = ("title", "id", "slug", "url", "language", "tags", "draft", "published")
_PRODUCT_FIELDS = ("handle", "title", "description", "tags", "status", "options", "sku", "price")

FORMATS: tuple[FormatInfo, ...] = (
    FormatInfo(
        "shopify-csv",
        "Shopify product export, old and new columns; variant rows join their product",
        "columns Handle and Title with two of Body (HTML), Variant SKU, Variant Price; "
        "or Title, URL handle and Description",
        _PRODUCT_FIELDS,
        _TABLE,
    ),
    FormatInfo(
        "spree-csv",
        "Spree product export; variant rows repeat the slug and have no name",
        "columns slug, sku and name",
        _PRODUCT_FIELDS,
        _TABLE,
    ),
    FormatInfo(
        "faq-yaml",
        "questions and answers as a YAML list, or a mapping with such a list under faq",
        "entries with question and answer",
        FAQ_FIELDS,
        (".yaml", ".yml"),
    ),
    FormatInfo(
        "faq-jsonl",
        "questions and answers, one JSON object on each line",
        "objects with question and answer",
        FAQ_FIELDS,
        _LINES,
    ),
    FormatInfo(
        "faq-json",
        "questions and answers as a JSON array, or an object with such an array under faq",
        "objects with question and answer",
        FAQ_FIELDS,
        (".json",),
    ),
    FormatInfo(
        "faq-csv",
        "questions and answers as a table",
        "columns question and answer",
        FAQ_FIELDS,
        _TABLE,
    ),
    FormatInfo(
        "markdown",
        "Markdown and MDX pages, a record for each section",
        "suffix .md, .mdx or .markdown",
        _PAGE_FIELDS,
        (".md", ".mdx", ".markdown"),
    ),
    FormatInfo(
        "html",
        "HTML pages, a record for each section",
        "suffix .html, .htm or .xhtml",
        ("title", "canonical link", "lang", "description"),
        (".html", ".htm", ".xhtml"),
    ),
    FormatInfo(
        "jsonl",
        "any records, one JSON object on each line",
        "objects with id, title and text; kind in the objects or by --kind",
        GENERIC_FIELDS,
        _LINES,
    ),
    FormatInfo(
        "json",
        "any records as a JSON array",
        "objects with id, title and text; kind in the objects or by --kind",
        GENERIC_FIELDS,
        (".json",),
    ),
    FormatInfo(
        "csv",
        "any records as a table",
        "columns id, title and text; kind as a column or by --kind",
        GENERIC_FIELDS,
        _TABLE,
    ),
)
