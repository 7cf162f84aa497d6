"""Pages as outcomes: one record for each section with text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from steadyrank_builder.document import Document, Link, Origin, Value, canonical_json
from steadyrank_builder.formats.detection import MARGIN
from steadyrank_builder.formats.options import FormatInfo, ReadOptions
from steadyrank_builder.formats.protocol import Head, OpenFile
from steadyrank_builder.formats.values import FieldError, frozen, tag_list
from steadyrank_builder.material import Source
from steadyrank_builder.pages.blocks import Page
from steadyrank_builder.pages.html import read_html
from steadyrank_builder.pages.links import link_target, url_slug
from steadyrank_builder.pages.markdown import parser, read_markdown
from steadyrank_builder.pages.sections import Section, page_title, sections
from steadyrank_builder.reading.decode import PAGE_LIMIT
from steadyrank_builder.reading.html_text import HtmlError, parse_html
from steadyrank_builder.reading.ids import IdError, path_slug, prefixed
from steadyrank_builder.reading.yaml_nodes import YamlError
from steadyrank_builder.records import Accepted, Outcome, Rejected, Skipped

_YES = frozenset(("true", "yes", "on", "1"))
_NO = frozenset(("false", "no", "off", "0"))
# A page's settings are in each of its sections; more characters than a page may have are a bomb.
_REPEATED_LIMIT = 8 * PAGE_LIMIT
# Settings that became a part of the document, so they are not repeated as attributes.
_USED = frozenset(("id", "slug", "url", "title", "tags", "language", "lang", "locale"))


def markdown_outcomes(file: OpenFile, options: ReadOptions) -> Iterator[Outcome]:
    """A Markdown or MDX page."""
    mdx = file.source.suffix == ".mdx"
    parser(mdx)  # a missing parser is told before anything is read
    parse_html("")
    return page_outcomes(file.source, lambda: read_markdown(file.content, mdx=mdx), options)


def html_outcomes(file: OpenFile, options: ReadOptions) -> Iterator[Outcome]:
    """An HTML page."""
    parse_html("")
    return page_outcomes(file.source, lambda: read_html(file.content), options)


def page_outcomes(
    source: Source, read: Callable[[], Page], options: ReadOptions
) -> Iterator[Outcome]:
    """The sections of a page, or why it has none."""
    try:
        page = read()
    except HtmlError as error:
        yield Rejected(Origin(source.name, 1, 1), error.code, str(error))
        return
    except YamlError as error:
        line = error.line + 1  # below the line that opens the front matter
        yield Rejected(Origin(source.name, line, line), error.code, f"front matter: {error}")
        return
    yield from _outcomes(source, page, options)


def _outcomes(source: Source, page: Page, options: ReadOptions) -> Iterator[Outcome]:
    whole = Origin(source.name, 1, page.lines)
    if _says(page.settings, "draft", _YES) or _says(page.settings, "published", _NO):
        yield Skipped(whole, "draft")
        return
    try:
        document, url = _identity(source, page.settings)
        shared = _Shared(source, page, options, document, url)
    except (IdError, FieldError) as error:
        yield Rejected(whole, error.code, str(error))
        return
    found = sections(page)
    repeated = len(canonical_json(shared.attributes)) * len(found)
    if repeated > _REPEATED_LIMIT:
        message = (
            f"settings that come to {repeated} characters, as each of {len(found)} sections has "
            "them; shorten the front matter"
        )
        yield Rejected(whole, "too-large", message)
        return
    if not found:
        message = "no text was found on the page; if a script fills it, export the filled page"
        yield Rejected(whole, "empty-page", message)
    for section in found:
        origin = Origin(source.name, section.line, section.end_line)
        try:
            yield Accepted(shared.document_of(section), origin)
        except IdError as error:
            yield Rejected(origin, error.code, str(error), section.text)


def _says(settings: Mapping[str, Any], name: str, words: frozenset[str]) -> bool:
    value = settings.get(name)
    return isinstance(value, str) and value.strip().lower() in words


def _identity(source: Source, settings: Mapping[str, Any]) -> tuple[str, str]:
    """The page's id and URL. ``id``, ``slug`` and ``url`` win over the path, in this order."""
    url = _setting(settings, "url")
    slug = _setting(settings, "id") or _setting(settings, "slug")
    if not slug:
        slug = url_slug(url) if url else path_slug(source.page_path)
    return prefixed("page", slug, "the page's id"), url


def _setting(settings: Mapping[str, Any], name: str) -> str:
    value = settings.get(name)
    if value is None:
        return ""
    if not isinstance(value, str):
        raise FieldError("field-type", f'"{name}" in the front matter must be a text')
    return value.strip()


class _Shared:
    """What all sections of a page have in common."""

    def __init__(
        self, source: Source, page: Page, options: ReadOptions, document: str, url: str
    ) -> None:
        self.source = source
        self.document = document
        self.url = url
        self.title = page_title(page, PurePosixPath(source.page_path).stem)
        settings = page.settings
        self.tags = tag_list(settings.get("tags"))
        names = (options.language_of,) if options.language_of else ("language", "lang", "locale")
        languages = (_setting(settings, name) for name in names)
        self.language = next(filter(None, languages), page.language) or options.language
        self.attributes: dict[str, Value] = {}
        path = path_slug(source.page_path)
        if document != f"page:{path}":
            self.attributes["path"] = path
        description = settings.get("description")
        if isinstance(description, str) and description:
            self.attributes["description"] = description
        others = {
            name: frozen(value)
            for name, value in settings.items()
            if name not in _USED and name != "description"
        }
        if "title" in settings and page.fallback_title not in ("", self.title):
            others["title"] = page.fallback_title
        if others:
            self.attributes["front_matter"] = others
        if page.note:
            self.attributes["note"] = page.note

    def document_of(self, section: Section) -> Document:
        """Raises IdError for an anchor that cannot be part of an id."""
        targets = (link_target(href, self.source.page_path) for href in section.links)
        return Document(
            id=prefixed("page", f"{self.document}#{section.slug}", "the section's id"),
            kind="page",
            title=self.title,
            text=section.text,
            document=self.document,
            heading=section.heading,
            url=self.url,
            tags=self.tags,
            language=self.language,
            links=tuple(Link(target) for target in dict.fromkeys(targets) if target),
            attributes={"section": section.slug, "level": section.level, **self.attributes},
        )


@dataclass(frozen=True)
class _PageFormat:
    """A format that is known by its suffix."""

    info: FormatInfo
    outcomes: Callable[[OpenFile, ReadOptions], Iterator[Outcome]]

    def fit(self, head: Head, options: ReadOptions) -> int | None:
        """Any file of the container is a page; whoever knows one thing more goes first."""
        return -MARGIN if head.container in self.info.containers else None

    def read(self, file: OpenFile, options: ReadOptions) -> Iterator[Outcome]:
        """The sections of the page."""
        return self.outcomes(file, options)


MARKDOWN = _PageFormat(
    FormatInfo(
        "markdown",
        "Markdown and MDX pages, a record for each section",
        "suffix .md, .mdx or .markdown",
        ("title", "id", "slug", "url", "language", "tags", "draft", "published"),
        (".md", ".mdx", ".markdown"),
        ("markdown",),
    ),
    markdown_outcomes,
)
HTML = _PageFormat(
    FormatInfo(
        "html",
        "HTML pages, a record for each section",
        "suffix .html, .htm or .xhtml",
        ("title", "canonical link", "lang", "description"),
        (".html", ".htm", ".xhtml"),
        ("html",),
    ),
    html_outcomes,
)
