"""Ids and names: one spelling for one id, and a reason where there is none."""

from __future__ import annotations

import re
import unicodedata

_INVISIBLE = "\ufeff\u200b\u2060"
_PAGE_SUFFIX = re.compile(r"\.(?:html?|xhtml|mdx?|markdown|php|aspx?|jsp)$", re.IGNORECASE)


class IdError(Exception):
    """Why a text cannot be an id: ``code`` for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def clean_id(value: str, what: str) -> str:
    """NFC and trimmed, case kept. Raises IdError: ``empty-id``, ``bad-id``."""
    cleaned = unicodedata.normalize("NFC", value).strip().strip(_INVISIBLE).strip()
    if not cleaned:
        raise IdError("empty-id", f"{what} is empty, so the record has no id")
    if "\0" in cleaned:
        raise IdError("bad-id", f"{what} {cleaned!r} holds a NUL character; remove it")
    if not is_encodable(cleaned):
        raise IdError("bad-id", f"{what} {cleaned!r} holds half a character (a lone surrogate)")
    return cleaned


def prefixed(kind: str, value: str, what: str) -> str:
    """``kind:value``; a value that starts with the prefix already is taken as it is."""
    cleaned = clean_id(value, what)
    if not cleaned.startswith(f"{kind}:"):
        return f"{kind}:{cleaned}"
    return f"{kind}:{clean_id(cleaned.removeprefix(f'{kind}:'), what)}"


def is_encodable(text: str) -> bool:
    """Whether the text can be written as UTF-8: it has no lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def folded(name: str) -> str:
    """A column's or key's name for comparison: NFC, no case, single spaces."""
    return " ".join(unicodedata.normalize("NFC", name).replace("\ufeff", "").split()).casefold()


def path_slug(path: str) -> str:
    """A page's path as its slug: no slashes at the ends, no page suffix, no trailing /index.

    The path of a home page is ``index``, because an id is never empty.
    """
    slug = _PAGE_SUFFIX.sub("", unicodedata.normalize("NFC", path).strip().strip("/"))
    return slug.removesuffix("/index").strip("/") or "index"
