"""Generic records: id, title, text and kind, under these names or mapped to them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from steadyrank_builder.document import Document, Origin, Value
from steadyrank_builder.formats.detection import Anchored, Anchors
from steadyrank_builder.formats.options import GENERIC_FIELDS, FormatInfo, ReadOptions
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
from steadyrank_builder.reading.html_text import one_line
from steadyrank_builder.reading.ids import IdError, clean_id, folded
from steadyrank_builder.records import Accepted, Outcome, Rejected


def generic_outcomes(file: OpenFile, options: ReadOptions) -> Iterator[Outcome]:
    """A document for each record; ids and text are taken as they are."""
    mapping = _mapping(options)
    if file.header is not None and not options.kind:
        column = folded(mapping.get("kind", "kind"))
        if column not in file.header.index:
            message = "the table has no column kind; give the kind of its records with --kind"
            yield Rejected(Origin(file.source.name, 1, 1), "missing-kind", message)
            return
    names = field_names(mapping)
    for record in file.records():
        if not isinstance(record, RawRecord):
            yield record
            continue
        try:
            yield Accepted(_document(record.values, names, options), record.origin)
        except (IdError, FieldError) as error:
            yield Rejected(record.origin, error.code, str(error), record.raw)


def _mapping(options: ReadOptions) -> Mapping[str, str]:
    """The mapping, with the field that names the language if there is an option for it."""
    if not options.language_of:
        return options.mapping
    return {**options.mapping, "language": options.language_of}


def _anchors(options: ReadOptions) -> tuple[Anchors, ...]:
    """The names that the options map; kind is asked for later."""
    mapping = _mapping(options)
    known = {name: folded(mapping.get(name, name)) for name in GENERIC_FIELDS}
    wanted = frozenset(known[name] for name in ("id", "title", "text"))
    return (Anchors(wanted, knows=frozenset(known.values()).__contains__),)


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


def _format(
    name: str, description: str, what: str, suffixes: tuple[str, ...], container: str
) -> Anchored:
    info = FormatInfo(name, description, what, GENERIC_FIELDS, suffixes, (container,))
    return Anchored(info, _anchors, generic_outcomes)


GENERIC_FORMATS = (
    _format(
        "jsonl",
        "any records, one JSON object on each line",
        "objects with id, title and text; kind in the objects or by --kind",
        (".jsonl", ".ndjson"),
        "jsonl",
    ),
    _format(
        "json",
        "any records as a JSON array",
        "objects with id, title and text; kind in the objects or by --kind",
        (".json",),
        "json",
    ),
    _format(
        "csv",
        "any records as a table",
        "columns id, title and text; kind as a column or by --kind",
        (".csv", ".tsv"),
        "table",
    ),
)
