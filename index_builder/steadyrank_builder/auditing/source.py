"""The index that is audited, as its reader sees it: live documents, and what tells them apart."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from steadyrank.errors import PolicyError
from steadyrank.index import SteadyIndex, open_index
from steadyrank.measure import Entry, Origin
from steadyrank.postings import IndexView, SteadyRankWarning, content_hash, record_id
from steadyrank.provenance import index_digest
from steadyrank_builder.provenance import made_with

_TITLES = ("title", "name")


class Source:
    """One reader of an index, opened once and never written to.

    Its live documents are numbered from 0 in the order of the index; these places are how all
    layouts speak of a document. ``keys`` has one text per place, equal for documents that a
    caller cannot tell apart.
    """

    def __init__(self, folder: Path, id_field: str | None, no_id: bool) -> None:
        """Raises NoIndexError, IdFieldError, and PolicyError for records without an order."""
        self.folder = folder
        with warnings.catch_warnings():
            # What it warns of is counted here, as records that are alike.
            warnings.simplefilter("ignore", SteadyRankWarning)
            plain = open_index(folder, id_field=None)
            self.id_field = None if no_id else id_field or guessed_id_field(plain.schema)
            self.index: SteadyIndex = open_index(folder, id_field=self.id_field)
        self.reader = self.index.reader()
        self.view = IndexView(self.reader)
        self.docs = self.view.live_docs()

    @property
    def schema(self) -> Any:
        return self.index.schema

    @cached_property
    def places(self) -> np.ndarray[Any, np.dtype[np.int64]]:
        """The place of each document number, -1 for deleted ones."""
        found = np.full(self.reader.doc_count_all(), -1, np.int64)
        found[self.docs] = np.arange(self.docs.size)
        return found

    @cached_property
    def keys(self) -> list[str]:
        """Its record id; where several records share one, with a hash of what they store.

        PolicyError where all are alike: no exchange of any two could be seen.
        """
        ids = [self.id_of(place) for place in range(len(self.docs))]
        counts = Counter(ids)
        keys = [
            id if counts[id] == 1 else f"{id}\0{self._content(place)}"
            for place, id in enumerate(ids)
        ]
        if len(keys) > 1 and len(set(keys)) == 1:
            raise PolicyError(
                f"{self.folder}: nothing that is stored tells its {len(keys)} documents apart, so "
                "it cannot be seen which of them an answer has; name a field that is stored or "
                "sortable with --id-field"
            )
        return keys

    @property
    def alike(self) -> int:
        """How many documents are like another one, so that no order among them can be seen."""
        return sum(count for count in Counter(self.keys).values() if count > 1)

    def id_of(self, place: int) -> str:
        try:
            return record_id(self.view, self.id_field, int(self.docs[place]))
        except TypeError as error:
            raise PolicyError(f"{self.folder}: {error}") from error

    def stored(self, place: int) -> Mapping[str, Any]:
        """The stored fields of a document."""
        fields: Mapping[str, Any] = self.reader.stored_fields(int(self.docs[place]))
        return fields

    def _content(self, place: int) -> str:
        try:
            return content_hash(self.stored(place))
        except TypeError as error:
            raise PolicyError(f"{self.folder}: {error}") from error

    def entry(self, place: int, score: float) -> Entry:
        """The document as it stands in a ranking."""
        stored = self.stored(place)
        id = self.id_of(place)
        title = next((stored[name] for name in _TITLES if stored.get(name)), "")
        return Entry(id=id, score=score, document=id, title=str(title))

    @property
    def ours(self) -> bool:
        """Whether this generation was published by ``steadyrank build``."""
        return (self.folder / f"steadyrank-{self.reader.generation()}.json").is_file()

    def origin(self) -> Origin:
        generation = int(self.reader.generation() or 0)  # None in an index without a segment
        digest = index_digest(self.index, generation)
        return Origin(generation, digest, int(self.reader.doc_count()), made_with())

    def close(self) -> None:
        self.reader.close()


def guessed_id_field(schema: Any) -> str | None:
    """The field that names records where nobody said which: ``id``, else the only unique one.

    None where there is neither, or its values cannot be read: then all stored fields do.
    """

    def readable(field: Any) -> bool:
        return bool(field.stored or field.column_type)

    if "id" in schema and readable(schema["id"]):
        return "id"
    unique = [name for name, field in schema.items() if field.unique and readable(field)]
    return unique[0] if len(unique) == 1 else None
