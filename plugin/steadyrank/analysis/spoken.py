"""Text that knows its language, for an analyzer that knows several."""

from __future__ import annotations


class Spoken(str):
    """A text in ``language``, a tag as ``language_of`` takes it; in all else the string it is.

    It is for the moment of indexing: give Whoosh the plain text as the stored value
    (``_stored_title=title``), or the index stores this class.
    """

    __slots__ = ("language",)
    language: str

    def __new__(cls, text: str, language: str) -> Spoken:
        made = super().__new__(cls, text)
        made.language = language
        return made
