"""Generic records: id, title, text and kind, under these names or mapped to them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from steadyrank_builder.document import Document, Value
from steadyrank_builder.formats.options import GENERIC_FIELDS, ReadOptions
from steadyrank_builder.formats.raw_records import Raw, RawRecord
from steadyrank_builder.formats.values import (
    FieldError,
    frozen,
    id_field,
    link_list,
    tag_list,
    text_field,
)
from steadyrank_builder.reading.html_text import one_line
from steadyrank_builder.reading.ids import IdError, clean_id, folded
from steadyrank_builder.records import Accepted, Outcome, Rejected


def generic_outcomes(records: Iterable[Raw], options: ReadOptions) -> Iterator[Outcome]:
    """A document for each record; ids and text are taken as they are."""
    names = field_names(options.mapping)
    for record in records:
        if not isinstance(record, RawRecord):
            yield record
            continue
        try:
            yield Accepted(_document(record.values, names, options), record.origin)
        except (IdError, FieldError) as error:
            yield Rejected(record.origin, error.code, str(error), record.raw)


def field_names(mapping: Mapping[str, str]) -> dict[str, str]:
    """From a folded key of the material to the field it fills.

    A mapped field is read from its mapped key only.
    """
    names = {name: name for name in GENERIC_FIELDS if name not in mapping}
    names.update({folded(column): name for name, column in mapping.items()})
    return names


def _document(
    values: Mapping[str, Any], names: Mapping[str, str], options: ReadOptions
) -> Document:
    fields: dict[str, Any] = {}
    attributes: dict[str, Value] = {}
    for key, value in values.items():
        field = names.get(folded(key))
        if field is None:
            if value not in (None, ""):
                attributes[key] = frozen(value)
        elif field in fields:
            raise FieldError("duplicate-key", f"{key!r} stands twice in this record")
        else:
            fields[field] = value
    if "id" not in fields:
        key = options.mapping.get("id", "id")
        raise FieldError("missing-id", f'"{key}" is missing; map another with --map id=NAME')
    record_id = clean_id(id_field(fields, "id"), '"id"')
    title = one_line(text_field(fields, "title"))
    text = text_field(fields, "text")
    heading = one_line(text_field(fields, "heading"))
    if not (title or text or heading):
        raise FieldError("empty-field", '"title" and "text" are empty, so nothing can be found')
    kind = text_field(fields, "kind") or (options.kind or "").strip()
    if not kind:
        raise FieldError("missing-kind", '"kind" is missing; add it or give one with --kind')
    document = id_field(fields, "document")
    for name in ("section", "level"):
        if (value := fields.get(name)) not in (None, ""):
            attributes[name] = _whole(value) if name == "level" else text_field(fields, name)
    return Document(
        id=record_id,
        kind=kind,
        title=title,
        text=text,
        document=clean_id(document, '"document"') if document.strip() else "",
        heading=heading,
        url=text_field(fields, "url"),
        tags=tag_list(fields.get("tags")),
        language=text_field(fields, "language") or options.language,
        links=link_list(fields.get("links")),
        attributes=attributes,
    )


def _whole(value: Any) -> Value:
    """A level as a number, also where a table wrote it as text."""
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit():
        return int(value.strip()[:9])
    return frozen(value)
