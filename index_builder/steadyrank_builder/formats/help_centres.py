"""Articles of help centres, as their interfaces give them: Zendesk, Intercom, Help Scout."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from steadyrank_builder.document import Document
from steadyrank_builder.formats.detection import Anchored, Anchors
from steadyrank_builder.formats.options import FormatInfo, ReadOptions
from steadyrank_builder.formats.protocol import OpenFile
from steadyrank_builder.formats.raw_records import RawRecord
from steadyrank_builder.formats.values import FieldError, id_field, tag_list, text_field
from steadyrank_builder.reading.html_text import HtmlError, one_line, text_or_html
from steadyrank_builder.reading.ids import IdError, prefixed
from steadyrank_builder.records import Accepted, Outcome, Rejected, Skipped


@dataclass(frozen=True)
class _Article:
    """One article in one language; ``skip`` says why it is not for shoppers."""

    number: str
    locale: str
    title: str
    body: str
    url: str
    tags: Any = None
    language: str = ""
    skip: str = ""


_Articles = Callable[[Mapping[str, Any]], Iterator[_Article]]


def _zendesk(values: Mapping[str, Any]) -> Iterator[_Article]:
    skip = "draft" if values.get("draft") is True else ""
    if values.get("user_segment_id") is not None:
        skip = skip or "only for a segment of users"
    locale = text_field(values, "locale")
    yield _Article(
        id_field(values, "id"),
        locale,
        text_field(values, "title") or text_field(values, "name"),
        text_field(values, "body"),
        text_field(values, "html_url"),
        values.get("label_names"),
        locale,
        skip,
    )


def _intercom(values: Mapping[str, Any]) -> Iterator[_Article]:
    number = id_field(values, "id")
    default = text_field(values, "default_locale")
    yield _intercom_article(values, number, "", default)
    translations = values.get("translated_content") or {}
    if not isinstance(translations, dict):
        raise FieldError("field-type", '"translated_content" must be an object')
    for locale, content in sorted(translations.items()):
        # The default language stands here too, and "type" beside the languages.
        if locale != default and isinstance(content, dict):
            yield _intercom_article(content, number, locale, locale)


def _intercom_article(
    values: Mapping[str, Any], number: str, locale: str, language: str
) -> _Article:
    published = text_field(values, "state") in ("", "published")
    return _Article(
        number,
        locale,
        text_field(values, "title"),
        text_field(values, "body"),
        text_field(values, "url"),
        language=language,
        skip="" if published else "draft",
    )


def _helpscout(values: Mapping[str, Any]) -> Iterator[_Article]:
    published = text_field(values, "status") in ("", "published")
    yield _Article(
        id_field(values, "number"),
        "",
        text_field(values, "name"),
        text_field(values, "text"),
        text_field(values, "publicUrl"),
        values.get("keywords"),
        skip="" if published else "draft",
    )


def _reader(vendor: str, articles: _Articles) -> Callable[[OpenFile, ReadOptions], Any]:
    def outcomes(file: OpenFile, options: ReadOptions) -> Iterator[Outcome]:
        for record in file.records():
            if not isinstance(record, RawRecord):
                yield record
                continue
            try:
                found = list(articles(record.values))
                own = text_field(record.values, options.language_of)
            except FieldError as error:
                yield Rejected(record.origin, error.code, str(error), record.raw)
                continue
            for article in found:
                if article.skip:
                    yield Skipped(record.origin, article.skip)
                    continue
                try:
                    language = own or article.language or options.language
                    yield Accepted(_document(vendor, article, language), record.origin)
                except (IdError, FieldError, HtmlError) as error:
                    yield Rejected(record.origin, error.code, str(error), record.raw)

    return outcomes


def _document(vendor: str, article: _Article, language: str) -> Document:
    title = one_line(article.title)
    body = text_or_html(article.body)
    for name, value in (("title", title), ("body", body)):
        if not value:
            raise FieldError("empty-field", f'"{name}" is empty')
    if not article.number:
        raise IdError("empty-id", "the article has no id; export it with its id")
    place = f"@{article.locale}" if article.locale else ""
    return Document(
        id=prefixed("faq", f"{vendor}-{article.number}{place}", "the article's id"),
        kind="faq",
        title=title,
        text=body,
        url=article.url,
        tags=tag_list(article.tags),
        language=language,
    )


def _format(
    vendor: str, description: str, known_by: str, keys: tuple[str, ...], anchors: Anchors,
    articles: _Articles, fields: tuple[str, ...],
) -> Anchored:  # fmt: skip
    info = FormatInfo(
        vendor,
        description,
        known_by,
        fields,
        (".json", ".jsonl", ".ndjson"),
        ("json", "jsonl"),
        keys,
    )
    return Anchored(info, (anchors,), _reader(vendor, articles))


ZENDESK = _format(
    "zendesk",
    "articles of a Zendesk help centre; drafts are skipped",
    "articles, objects with title, body and html_url",
    ("", "articles"),
    Anchors(
        frozenset(("title", "body", "html_url")),
        knows=frozenset(("id", "locale", "draft", "label_names", "section_id")).__contains__,
    ),
    _zendesk,
    ("id", "locale", "title", "body", "html_url", "label_names", "draft"),
)
INTERCOM = _format(
    "intercom",
    "articles of Intercom, a document for each translation; drafts are skipped",
    'objects of the type "article" with title and body',
    ("", "data", "articles"),
    Anchors(
        frozenset(("type", "title", "body")),
        marks=frozenset(("article",)),
        knows=frozenset(("id", "state", "url", "default_locale", "author_id")).__contains__,
    ),
    _intercom,
    ("id", "title", "body", "url", "state", "default_locale", "translated_content"),
)
HELPSCOUT = _format(
    "helpscout",
    "articles of Help Scout; those not published are skipped",
    "objects with number, publicUrl, name and text",
    ("", "articles.items", "articles", "items"),
    Anchors(
        frozenset(("number", "publicurl", "name", "text")),
        knows=frozenset(("id", "status", "keywords", "collectionid", "slug")).__contains__,
    ),
    _helpscout,
    ("number", "name", "text", "publicUrl", "keywords", "status"),
)
HELP_CENTRES = (ZENDESK, INTERCOM, HELPSCOUT)
