"""The schema of the indexes that steadyrank builds."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from steadyrank.whoosh_support import require_whoosh

require_whoosh()

from whoosh.fields import ID, STORED, TEXT, Schema  # noqa: E402 - after the check

from steadyrank.analysis import StoreAnalyzer  # noqa: E402

ID_FIELD = "id"
DOCUMENT_FIELD = "document"
KIND_FIELD = "kind"
TEXT_FIELDS = ("title", "heading", "text", "tags")
STORED_FIELDS = ("url", "attributes", "links")

# What a word found in a field counts for, against one in the text. Measured on the sample store's
# questions (93 with an answer): of these, 94 % have a right piece in the first four. A starting
# point, to be measured on one's own questions.
DEFAULT_WEIGHTS: Mapping[str, float] = MappingProxyType(
    {"title": 1.5, "heading": 2.5, "text": 1.0, "tags": 0.5}
)


def store_schema(language: str = "en", others: Iterable[str] = ()) -> Schema:
    """A new schema for store documents, whose texts are analysed by that language's rules.

    ``others`` are the languages of texts that are given as ``steadyrank.analysis.Spoken``.

    ``id`` (unique), ``document`` and ``kind`` are exact terms, stored, and have a column each,
    which keeps every string that UTF-8 can carry. ``title``, ``heading``, ``text`` and ``tags``
    (see ``tags_text``) share one StoreAnalyzer, keep positions for phrases and are stored.
    ``language`` is an exact term. ``url`` is only stored; so are ``attributes`` and ``links``,
    as canonical JSON, so that reading a document back never unpickles more than strings.

    Raises LanguageError for a language without rules.
    """
    analyzer = StoreAnalyzer(language, others)
    schema = Schema(
        id=ID(stored=True, unique=True, sortable=True),
        document=ID(stored=True, sortable=True),
        kind=ID(stored=True, sortable=True),
        language=ID(stored=True),
    )
    for name in TEXT_FIELDS:
        schema.add(name, TEXT(analyzer=analyzer, phrase=True, chars=False, stored=True))
    for name in STORED_FIELDS:
        schema.add(name, STORED())
    return schema


def tags_text(tags: Iterable[str]) -> str:
    """The value of the field ``tags``: one tag a line, in the order given.

    A list would not do: Whoosh takes the elements of a list for finished terms and does not
    analyse them.
    """
    return "\n".join(tags)
