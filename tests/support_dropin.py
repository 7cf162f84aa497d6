"""A host's index as a drop-in meets it, and what its answers are compared with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whoosh import query as q

import steadyrank
from support_layouts import Layout, Record, corpus, write

WORDS_QUERY = q.Or([q.Term("text", "tent"), q.Term("text", "stove"), q.Term("title", "lamp")])
TENT = q.Term("text", "tent")
SALE = q.Term("tag", "sale")

Pair = tuple[str, float]


@dataclass(frozen=True)
class Host:
    """An index of three segments with deletions by a plain shuffled writer, and its records."""

    folder: Path
    index: Any
    records: dict[str, Record]

    def steady(self, **settings: Any) -> Any:
        """A steady view; with stock's statistics unless told otherwise, to be compared with it."""
        settings.setdefault("statistics", "whoosh")
        settings.setdefault("id_field", "id")
        return steadyrank.stabilize(self.index, **settings)


def make_host(folder: Path, seed: int = 7, size: int = 60) -> Host:
    records = corpus(seed, size)
    index = write(folder, records, Layout(seed=seed + 1, segments=3, leftovers=9))
    with index.searcher() as searcher:
        assert len(list(searcher.leaf_searchers())) == 3
        assert searcher.doc_count() < searcher.doc_count_all(), "deleted documents are there"
        stock = found(searcher.search(WORDS_QUERY, limit=None))
        assert ids(stock) != ids(in_order(stock)), "ties stand otherwise than in id order"
    return Host(folder, index, {record.id: record for record in records})


def found(results: Iterable[Any]) -> list[Pair]:
    """Id and score of each hit, best first."""
    return [(hit["id"], hit.score) for hit in results]


def ids(pairs: Iterable[Pair]) -> list[str]:
    return [id for id, _ in pairs]


def in_order(pairs: Iterable[Pair]) -> list[Pair]:
    """By score descending, then id; scores that differ by a summation order only are equal."""
    return sorted(pairs, key=lambda pair: (-round(pair[1], 9), pair[0]))


def assert_same(ours: Iterable[Any], stock: Iterable[Any], limit: int | None = None) -> None:
    """Ours is the top of what stock gives, in the total order, with its scores to 1e-9.

    ``stock`` are all its hits. Sums that only arithmetic makes equal may differ by the grid of
    scores, so the order is held against our own scores.
    """
    expected = found(stock)
    got = found(ours)
    assert got == sorted(got, key=lambda pair: (-pair[1], pair[0]))
    assert len(got) == min(limit or len(expected), len(expected))
    wanted = dict(expected)
    for id, score in got:
        assert abs(score - wanted[id]) < 1e-9
    if len(got) < len(expected):
        best = sorted(wanted.values(), reverse=True)[: len(got)]
        assert all(abs(a - b) < 1e-9 for a, b in zip(best, [s for _, s in got], strict=True))
    else:
        assert wanted.keys() == dict(got).keys()


def id_lists(groups: dict[Any, Sequence[int]], searcher: Any) -> dict[Any, list[str]]:
    """Groups of document numbers as groups of ids, in their order."""
    return {
        name: [searcher.stored_fields(doc)["id"] for doc in docs] for name, docs in groups.items()
    }
