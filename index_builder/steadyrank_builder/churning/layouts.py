"""The same live documents in other layouts, each as a host's writer may leave them."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steadyrank_builder.churning.corpus import (
    Corpus,
    Stored,
    add_documents,
    changing,
    write_plain,
)
from steadyrank_builder.churning.resampled import resampled

_SEGMENTS = 5
_PART = 10  # one in so many is written again, or was there and is deleted


@dataclass(frozen=True, slots=True)
class Layout:
    """``write`` puts the corpus into an empty folder; ``what`` says how, for people."""

    name: str
    what: str
    write: Callable[[Path, Corpus, random.Random, Sequence[str]], None]


def shuffled(items: Sequence[Any], chance: random.Random) -> list[Any]:
    """The items in an order by chance, the same for the same seed in every Python."""
    keys = [chance.random() for _ in items]
    return [item for _, item in sorted(zip(keys, items, strict=True), key=lambda pair: pair[0])]


def _shuffled(folder: Path, corpus: Corpus, chance: random.Random, own: Sequence[str]) -> None:
    write_plain(folder, corpus.schema, [shuffled(corpus.documents, chance)])


def _segments(folder: Path, corpus: Corpus, chance: random.Random, own: Sequence[str]) -> None:
    write_plain(folder, corpus.schema, _parts(corpus.documents, chance))


def _merged(folder: Path, corpus: Corpus, chance: random.Random, own: Sequence[str]) -> None:
    from whoosh.index import open_dir

    _segments(folder, corpus, chance, own)
    changing(open_dir(str(folder)), lambda writer: None, optimize=True)


def _again(folder: Path, corpus: Corpus, chance: random.Random, own: Sequence[str]) -> None:
    from whoosh.index import open_dir

    from steadyrank.analysis import spoken_fields

    count = len(corpus.documents)
    numbers = shuffled(range(count), chance)[: max(1, count // _PART)]
    write_plain(folder, corpus.schema, [corpus.documents])
    index = open_dir(str(folder))

    def change(writer: Any) -> None:
        for number in numbers:
            writer.delete_document(number)
            fields = spoken_fields(corpus.schema, corpus.documents[number])
            writer.add_document(**fields)

    changing(index, change)


def _leftovers(folder: Path, corpus: Corpus, chance: random.Random, own: Sequence[str]) -> None:
    from whoosh.index import open_dir

    count = len(corpus.documents)
    gone = resampled(corpus, max(1, count // _PART), chance, own)
    write_plain(folder, corpus.schema, [corpus.documents])
    index = open_dir(str(folder))
    add_documents(index, gone)

    def change(writer: Any) -> None:
        for number in range(count, count + len(gone)):
            writer.delete_document(number)

    changing(index, change)


def _parts(documents: Sequence[Stored], chance: random.Random) -> list[Sequence[Stored]]:
    wanted = min(_SEGMENTS, len(documents))
    cuts = sorted(shuffled(range(1, len(documents)), chance)[: wanted - 1])
    ends = [*cuts, len(documents)]
    return [documents[start:end] for start, end in zip([0, *cuts], ends, strict=True)]


LAYOUTS = (
    Layout("shuffled", "the documents added in another order", _shuffled),
    Layout("saved again", "one in ten written again unchanged, not merged", _again),
    Layout("segments", "the documents in five segments", _segments),
    Layout("merged", "five segments merged into one", _merged),
    Layout("leftovers", "a tenth more was there and is deleted, not merged", _leftovers),
)
