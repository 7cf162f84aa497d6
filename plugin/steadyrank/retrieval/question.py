"""From what somebody typed to a query tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from steadyrank.errors import PolicyError
from steadyrank.schema import DEFAULT_WEIGHTS
from steadyrank.words import words_query

Syntax = Literal["words", "whoosh"]


def default_fields(schema: Any) -> Mapping[str, float]:
    """The fields that are searched when nobody names any, with their weights.

    Those of the builder's schema where they are there, else every indexed text field at 1.
    """
    ours = {name: weight for name, weight in DEFAULT_WEIGHTS.items() if name in schema}
    if "title" in ours and "text" in ours:
        return ours
    texts = {name: 1.0 for name, field in schema.items() if field.indexed and field.scorable}
    if not texts:
        raise PolicyError("the index has no text field to search; name one with fields")
    return texts


def parsed(
    text: str, schema: Any, fields: Mapping[str, float] | None = None, syntax: Syntax = "words"
) -> Any:
    """The query for a text: a bag of words, or Whoosh's query language if asked for.

    Raises PolicyError for a field that cannot be searched, and for a text that Whoosh's parser
    refuses; with ``syntax="words"`` no text is refused.
    """
    fields = default_fields(schema) if fields is None else fields
    if syntax == "words":
        return words_query(text, schema, fields)
    from whoosh.qparser import MultifieldParser

    for name in fields:
        if name not in schema:
            raise PolicyError(f"the index has no field {name!r}: {', '.join(schema.names())}")
    try:
        return MultifieldParser(list(fields), schema, fieldboosts=dict(fields)).parse(text)
    except Exception as error:  # its parser has errors of every kind
        raise PolicyError(
            f"Whoosh cannot parse {text!r} ({error}); without --syntax whoosh the text is words"
        ) from error
