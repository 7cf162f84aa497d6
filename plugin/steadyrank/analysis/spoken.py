"""Text that knows its language, for an analyzer that knows several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Spoken(str):
    """A text in ``language``, a tag as ``language_of`` takes it; in all else the string it is.

    It is for the moment of indexing: give Whoosh the plain text as the stored value
    (``_stored_title=title``), or the index stores this class. ``spoken_fields`` does.
    """

    __slots__ = ("language",)
    language: str

    def __new__(cls, text: str, language: str) -> Spoken:
        made = super().__new__(cls, text)
        made.language = language
        return made


def spoken_fields(schema: Any, fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """The fields of a document for ``add_document``, its texts in the language of the document.

    That is the value of the field ``language``. Fields whose analyzer knows one language stay as
    they are; what is stored is the plain text.
    """
    language = fields.get("language")
    if not isinstance(language, str):
        return fields
    told: dict[str, Any] = {}
    for name, value in fields.items():
        analyzer = schema[name].analyzer if name in schema else None
        others = getattr(analyzer, "others", ())
        if others and isinstance(value, str):
            told[name] = Spoken(value, language)
            told[f"_stored_{name}"] = fields.get(f"_stored_{name}", value)
    return {**fields, **told} if told else fields
