"""FAQ entries: a question, its answer, perhaps an id, tags, a language, a URL and links."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from steadyrank_builder.document import Document
from steadyrank_builder.formats.detection import Anchored, Anchors
from steadyrank_builder.formats.options import FormatInfo, ReadOptions
from steadyrank_builder.formats.protocol import OpenFile
from steadyrank_builder.formats.raw_records import RawRecord
from steadyrank_builder.formats.values import (
    FieldError,
    frozen,
    id_field,
    link_list,
    tag_list,
    text_field,
)
from steadyrank_builder.pages.slugs import github_slug
from steadyrank_builder.reading.html_text import HtmlError, one_line, text_or_html
from steadyrank_builder.reading.ids import IdError, folded, prefixed
from steadyrank_builder.records import Accepted, Outcome, Rejected

FAQ_FIELDS = ("question", "answer", "id", "tags", "language", "url", "links")
FAQ_ANCHORS = (
    Anchors(frozenset(("question", "answer")), knows=frozenset(FAQ_FIELDS).__contains__),
)


def faq_outcomes(file: OpenFile, options: ReadOptions) -> Iterator[Outcome]:
    """A document for each entry; the question is its title, the answer its text."""
    for record in file.records():
        if not isinstance(record, RawRecord):
            yield record
            continue
        try:
            yield Accepted(_document(record.values, options), record.origin)
        except (IdError, FieldError, HtmlError) as error:
            yield Rejected(record.origin, error.code, str(error), record.raw)


def _document(values: Mapping[str, Any], options: ReadOptions) -> Document:
    fields: dict[str, Any] = {}
    attributes = {}
    for name, value in values.items():
        key = folded(name)
        if options.language_of and key in (folded(options.language_of), "language"):
            key = "language" if key == folded(options.language_of) else ""
        if key in FAQ_FIELDS:
            if key in fields:
                raise FieldError("duplicate-key", f"{key!r} stands twice in this entry")
            fields[key] = value
        elif value not in (None, ""):
            attributes[name] = frozen(value)
    question = one_line(text_field(fields, "question"))
    answer = text_or_html(text_field(fields, "answer"))
    for name, text in (("question", question), ("answer", answer)):
        if name not in fields:
            raise FieldError("missing-field", f'"{name}" is missing')
        if not text:
            raise FieldError("empty-field", f'"{name}" is empty')
    given = id_field(fields, "id")
    slug = given if given.strip() else github_slug(question).strip("-")
    if not slug.strip("-_"):
        raise IdError("empty-id", f"{question!r} gives no id; add an id to the entry")
    return Document(
        id=prefixed("faq", slug, "the id"),
        kind="faq",
        title=question,
        text=answer,
        url=text_field(fields, "url"),
        tags=tag_list(fields.get("tags")),
        language=text_field(fields, "language") or options.language,
        links=link_list(fields.get("links")),
        attributes=attributes,
    )


def _format(
    name: str, description: str, recognised_by: str, suffixes: tuple[str, ...], container: str
) -> Anchored:
    keys = ("", "faq") if container in ("json", "yaml") else ("",)
    info = FormatInfo(name, description, recognised_by, FAQ_FIELDS, suffixes, (container,), keys)
    return Anchored(info, FAQ_ANCHORS, faq_outcomes)


FAQ_FORMATS = (
    _format(
        "faq-yaml",
        "questions and answers as a YAML list, or a mapping with such a list under faq",
        "entries with question and answer",
        (".yaml", ".yml"),
        "yaml",
    ),
    _format(
        "faq-jsonl",
        "questions and answers, one JSON object on each line",
        "objects with question and answer",
        (".jsonl", ".ndjson"),
        "jsonl",
    ),
    _format(
        "faq-json",
        "questions and answers as a JSON array, or an object with such an array under faq",
        "objects with question and answer",
        (".json",),
        "json",
    ),
    _format(
        "faq-csv",
        "questions and answers as a table",
        "columns question and answer",
        (".csv", ".tsv"),
        "table",
    ),
)
