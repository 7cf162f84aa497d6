"""The same live documents, written again by a plain Whoosh writer in another order."""

from __future__ import annotations

import random
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whoosh.fields import STORED, FieldType, Schema
from whoosh.index import create_in, open_dir

from steadyrank.errors import SteadyRankError
from steadyrank.measure.audit import Layout
from steadyrank_builder.auditing.source import Source
from steadyrank_builder.auditing.taking import TakenField

# In how many segments the layouts with several are written.
_SEGMENTS = 4


class LayoutError(SteadyRankError, RuntimeError):
    """A layout cannot be written. ``fields`` stand in the way."""

    def __init__(self, message: str, fields: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.fields = tuple(fields)


@dataclass(frozen=True, slots=True)
class Written:
    """A layout, its Whoosh index, and the place in the source of each of its documents."""

    layout: Layout
    index: Any
    order: tuple[int, ...]


class GivenField(FieldType):  # type: ignore[misc]
    """A field whose value is its postings, taken from another index."""

    def __init__(self, like: Any, stored: bool) -> None:
        super().__init__(like.format, None, scorable=like.scorable, stored=stored)

    def index(self, value: Any, **_: Any) -> Any:
        """The postings as they were given."""
        return value


def planned(documents: int, count: int, seed: int) -> Iterator[tuple[Layout, tuple[int, ...]]]:
    """``count`` layouts with the order in which each has the documents.

    The first is the order of the index backwards, in which no tie stays as it was; then ones that
    ``random.Random(layout.seed)`` shuffles, by turns in one segment and in several.
    """
    for number in range(count):
        if number == 0:
            yield Layout("reversed", 1), tuple(reversed(range(documents)))
            continue
        segments = 1 if number % 2 else min(_SEGMENTS, max(documents, 1))
        order = list(range(documents))
        own = seed + number
        random.Random(own).shuffle(order)
        several = f" in {segments} segments" if segments > 1 else ""
        yield Layout(f"shuffled {number}{several}", segments, own), tuple(order)


class Writer:
    """Writes layouts of a source, which all have its stored fields and the postings of
    ``searched``; other fields can be told apart by, and not searched.
    """

    def __init__(self, source: Source, searched: Collection[str]) -> None:
        """Takes the postings. Raises LayoutError for a field whose postings cannot be read."""
        self._source = source
        self._taken: dict[str, TakenField] = {}
        for name in sorted(searched):
            try:
                self._taken[name] = TakenField(source.view, name, source.places)
            except Exception as error:  # a third party's format can raise anything
                raise LayoutError(
                    f"the postings of field {name!r} cannot be read: "
                    f"{type(error).__name__}: {error}",
                    [name],
                ) from error
        self._schema = self._of_stored(source)
        for name in self._taken:
            if name in self._schema:
                self._schema.remove(name)
            self._schema.add(name, GivenField(source.schema[name], stored=True))

    def _of_stored(self, source: Source) -> Any:
        names = {name for place in range(len(source.docs)) for name in source.stored(place)}
        if source.id_field is not None:
            names.add(source.id_field)
        schema = Schema()
        for name in sorted(names):
            schema.add(name, STORED())
        return schema

    def write(
        self, folder: Path, layout: Layout, order: tuple[int, ...], tick: Callable[[], None]
    ) -> Written:
        """A new index in the empty ``folder``; ``tick`` is called once per document.

        Raises LayoutError when what was written does not read back as the same documents.
        """
        index = create_in(str(folder), self._schema)
        for part in range(layout.segments):
            start, stop = (len(order) * n // layout.segments for n in (part, part + 1))
            writer = index.writer(procs=1)
            try:
                for place in order[start:stop]:
                    writer.add_document(**self._document(place))
                    tick()
            except BaseException:
                writer.cancel()
                raise
            writer.commit(merge=False)
        written = open_dir(str(folder), schema=self._source.schema)
        self._check(written, order)
        return Written(layout, written, order)

    def _document(self, place: int) -> dict[str, Any]:
        stored = self._stored(place)
        document: dict[str, Any] = {
            name: value for name, value in stored.items() if name not in self._taken
        }
        for name, taken in self._taken.items():
            document[name] = taken.postings(place)
            document[f"_stored_{name}"] = stored.get(name)
        return document

    def _stored(self, place: int) -> Mapping[str, Any]:
        stored = dict(self._source.stored(place))
        name = self._source.id_field
        if name is not None and name not in stored:  # an id that is in a column alone
            stored[name] = self._source.view.value(name, int(self._source.docs[place]))
        return {name: value for name, value in stored.items() if value is not None}

    def _check(self, written: Any, order: tuple[int, ...]) -> None:
        reader = written.reader()
        try:
            if reader.doc_count_all() != len(order):
                raise LayoutError(
                    f"{len(order)} documents were written and {reader.doc_count_all()} are there"
                )
            for number, place in enumerate(order):
                read, wrote = dict(reader.stored_fields(number)), self._stored(place)
                if read != wrote and repr(read) != repr(wrote):  # a NaN is not itself
                    raise LayoutError(
                        f"document {self._source.id_of(place)!r} reads back with other stored "
                        "fields",
                        [name for name in wrote if read.get(name) != wrote[name]],
                    )
        finally:
            reader.close()
