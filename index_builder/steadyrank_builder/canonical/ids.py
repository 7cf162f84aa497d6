"""The live documents of a reader in the order of their ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from steadyrank_builder.failures import CanonicalError

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Ordered:
    """``ids`` as text, in order; ``places`` has the segment and document number of each."""

    ids: list[str]
    places: list[tuple[int, int]]


def in_id_order(readers: list[Any], schema: Any, id_field: str) -> Ordered:
    """The live documents of ``readers``, a segment each.

    Ids are stored values where ``id_field`` is stored, else those of its column, else its terms.
    Text is ordered by code point, numbers and times by value. CanonicalError, which names
    examples, where a document has no id, several, or that of another, or where ids are of
    different kinds.
    """
    from steadyrank.postings.identity import typed

    if id_field not in schema:
        raise CanonicalError(
            f"The index has no field {id_field!r}; it has {', '.join(schema.names())}. Name the "
            "one with each document's own id: --id-field FIELD."
        )
    found: list[tuple[Any, tuple[int, int]]] = []
    nameless: list[str] = []
    for number, reader in enumerate(readers):
        for doc, values in _values(reader, schema[id_field], id_field):
            if len(values) == 1 and values[0] not in (None, "", b""):
                found.append((values[0], (number, doc)))
            else:
                nameless.append(f"document {doc} of segment {number} has {_list(values)}")
    if nameless:
        shown = "; ".join(nameless[:_SHOWN])
        raise CanonicalError(
            f"{len(nameless)} live documents have no single id in field {id_field!r} ({shown}). "
            "Name another field, or give each document one id."
        )
    keyed = [(typed(value), value, place) for value, place in found]
    kinds = {key[0] for key, _, _ in keyed}
    if len(kinds) > 1:
        raise CanonicalError(
            f"The ids in field {id_field!r} are of different kinds, as text and numbers, and so "
            "have no order among each other."
        )
    counts = Counter(key for key, _, _ in keyed)
    twice = sorted(key for key, count in counts.items() if count > 1)
    if twice:
        shown = ", ".join(repr(key[1]) for key in twice[:_SHOWN])
        raise CanonicalError(
            f"{len(twice)} ids in field {id_field!r} belong to more than one live document "
            f"({shown}), so they settle no order. Delete the ones that are not meant; which they "
            "are, only you can say."
        )
    keyed.sort(key=lambda item: item[0])
    return Ordered([_text(value) for _, value, _ in keyed], [place for _, _, place in keyed])


def _values(reader: Any, field: Any, name: str) -> Iterator[tuple[int, list[Any]]]:
    """Each live document's number and the values of its id."""
    live = [doc for doc in range(reader.doc_count_all()) if not reader.is_deleted(doc)]
    if field.stored:
        for doc in live:
            value = reader.stored_fields(doc).get(name)
            yield doc, [value]
        return
    if field.column_type and reader.has_column(name):
        column = reader.column_reader(name)
        for doc in live:
            yield doc, [column[doc]]
        return
    if not field.indexed:
        raise CanonicalError(
            f"Field {name!r} is neither stored nor sortable nor indexed, so it holds no ids."
        )
    terms: dict[int, list[Any]] = {doc: [] for doc in live}
    for text in reader.lexicon(name):
        if getattr(field, "shift_step", 0) and text[0]:
            continue  # a number's coarser terms, which ranges are searched by
        matcher = reader.postings(name, text)
        while matcher.is_active():
            terms[matcher.id()].append(field.from_bytes(text))
            matcher.next()
    yield from terms.items()


def _text(value: Any) -> str:
    return value if isinstance(value, str) else str(value)


def _list(values: list[Any]) -> str:
    return "no id" if not values or values == [None] else f"the ids {values!r}"
