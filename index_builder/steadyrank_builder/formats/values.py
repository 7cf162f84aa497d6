"""Turning what a record says into what a document holds, or into the reason why it cannot."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from steadyrank_builder.document import Link, Value
from steadyrank_builder.reading.ids import IdError, clean_id
from steadyrank_builder.reading.strict_json import JsonError, parse


class FieldError(Exception):
    """A field that cannot be used: ``code`` for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def text_field(record: Mapping[str, Any], name: str) -> str:
    """A text; nothing and null are empty, numbers are written out, other types are refused."""
    value = record.get(name)
    if value is None:
        return ""
    if isinstance(value, str):
        return value.replace("\r\n", "\n").replace("\r", "\n").strip()
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    raise FieldError("field-type", f'"{name}" is {_kind(value)}; it must be a text')


def id_field(record: Mapping[str, Any], name: str) -> str:
    """An id as given; whole numbers are written out, empty if there is none."""
    value = record.get(name)
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise FieldError("field-type", f'"{name}" is {_kind(value)}; an id is a text or whole number')


def tag_list(value: Any) -> tuple[str, ...]:
    """Tags from a list or from one text separated by commas; order kept, each once."""
    if value is None:
        return ()
    if isinstance(value, str):
        parts = value.split(",")
    elif isinstance(value, list) and all(isinstance(tag, str | int) for tag in value):
        parts = [str(tag) for tag in value]
    else:
        raise FieldError("field-type", '"tags" must be a list of texts or one text with commas')
    return tuple(dict.fromkeys(" ".join(part.split()) for part in parts if part.strip()))


_LINK_SEPARATOR = re.compile(r"[\s,|]+")


def link_list(value: Any) -> tuple[Link, ...]:
    """Links from a list of ids, URLs or mappings, or from one text.

    A mapping has ``target``, or ``targetSlug`` and ``targetSection``, and perhaps
    ``relation``. A text is such a list as JSON, or ids separated by space, comma or ``|``.
    """
    if isinstance(value, str):
        value = value.strip()
        if value.startswith("["):
            try:
                value = parse(value)
            except JsonError as error:
                raise FieldError("field-type", f'"links" is no JSON list: {error}') from None
        else:
            value = [part for part in _LINK_SEPARATOR.split(value) if part]
    if value is None:
        return ()
    if not isinstance(value, list):
        raise FieldError("field-type", f'"links" is {_kind(value)}; it must be a list')
    return tuple(dict.fromkeys(_link(item) for item in value))


def _link(item: Any) -> Link:
    relation = "related"
    target = item
    if isinstance(item, dict):
        target = text_field(item, "target") or text_field(item, "targetSlug")
        section = text_field(item, "targetSection")
        if section and not item.get("target"):
            target = f"{target}#{section}" if target else ""
        relation = text_field(item, "relation") or relation
    if not isinstance(target, str):
        raise FieldError("field-type", f"a link is {_kind(target)}; it must be a text or mapping")
    try:
        return Link(clean_id(target, "a link's target"), relation)
    except IdError as error:
        raise FieldError("bad-link", str(error)) from None


def frozen(value: Any) -> Value:
    """The same JSON value in tuples and mappings."""
    if isinstance(value, dict):
        return {str(key): frozen(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return tuple(frozen(item) for item in value)
    if value is None or isinstance(value, str | int | float | bool):
        return value
    raise FieldError("field-type", f"{_kind(value)} cannot be an attribute")


def _kind(value: Any) -> str:
    names = {bool: "true or false", list: "a list", dict: "a mapping", int: "a number"}
    return names.get(type(value), f"a {type(value).__name__}")
