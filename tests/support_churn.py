"""A small index whose answers move, and an oracle that counts what moved by brute force."""

from __future__ import annotations

import itertools
import random
import shutil
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from whoosh.fields import ID, NUMERIC, TEXT, Schema
from whoosh.index import create_in, open_dir
from whoosh.query import Or, Term

from steadyrank import Candidate, Statistics, open_index, rank
from steadyrank.measure import Ordering
from steadyrank_builder.churning import observed

WORDS = (
    "tent", "mug", "lamp", "rope", "boot", "sock", "map", "pack", "stove", "knife", "cord", "tarp",
)  # fmt: skip
QUESTIONS = [(n, text) for n, text in enumerate(
    [
        "tent lamp", "mug", "rope boot map", "sock pack", "stove knife cord", "tarp tent mug",
        "lamp rope", "map", "boot stove", "pack knife", "cord sock", "kayak",
    ],
    start=1,
)]  # fmt: skip


def records(count: int = 70, seed: int = 4, prefix: str = "p") -> list[dict[str, Any]]:
    """Documents of a few words, some of them rare, with ids in no order."""
    chance = random.Random(seed)
    weights = [1 / (place + 1) for place in range(len(WORDS))]
    made = []
    for number in chance.sample(range(1000), count):
        title = chance.choices(WORDS, weights, k=chance.randint(1, 3))
        text = chance.choices(WORDS, weights, k=chance.randint(2, 12))
        made.append(
            {
                "id": f"{prefix}{number:03}",
                "title": " ".join(title),
                "text": " ".join(text),
                "price": number,
            }
        )
    return made


def schema(**changed: Any) -> Schema:
    fields = {
        "id": ID(stored=True, unique=True),
        "title": TEXT(stored=True),
        "text": TEXT(stored=True),
        "price": NUMERIC(stored=True),
    }
    return Schema(**{**fields, **changed})


def written(folder: Path, documents: Sequence[dict[str, Any]], kind: Schema | None = None) -> Path:
    folder.mkdir()
    writer = create_in(str(folder), kind or schema()).writer()
    for document in documents:
        writer.add_document(**document)
    writer.commit()
    return folder


@contextmanager
def kept_folders(monkeypatch: pytest.MonkeyPatch, keep: Path) -> Iterator[list[Path]]:
    """The folders that a measurement asks, copied in their order: live, written again twice, and
    one for each draw of each change of layout and corpus.
    """
    folders: list[Path] = []

    class Keeping(observed.Ranker):
        def __init__(self, folder: Path, asked: Any) -> None:
            copy = keep / str(len(folders))
            shutil.copytree(folder, copy)
            folders.append(copy)
            super().__init__(folder, asked)

    with monkeypatch.context() as patch:
        patch.setattr(observed, "Ranker", Keeping)
        yield folders


class Oracle:
    """One index, asked by whole searches that keep everything."""

    def __init__(self, folder: Path, pinned: Statistics) -> None:
        self.folder = folder
        self.pinned = pinned
        self._searchers: dict[str, Any] = {}
        self._whole: dict[Any, list[str]] = {}
        self._scored: dict[Any, list[Candidate]] = {}
        with open_dir(str(folder)).reader() as reader:
            self.ids = {stored["id"] for _, stored in reader.iter_docs()}

    def whole(self, ordering: Ordering, question: str, **request: Any) -> list[str]:
        """All ids, by one real search without a limit."""
        key = (ordering.name, question, tuple(request.items()))
        if key not in self._whole:
            found = self._searcher(ordering).search(_query(question), **{"limit": None, **request})
            self._whole[key] = [hit["id"] for hit in found]
        return self._whole[key]

    def _searcher(self, ordering: Ordering) -> Any:
        if ordering.name not in self._searchers:
            if ordering.engine == "whoosh":
                opened = open_dir(str(self.folder))
            else:
                statistics = self._statistics(ordering)
                opened = open_index(
                    self.folder, gap=ordering.gap, select=ordering.select, statistics=statistics
                )
            self._searchers[ordering.name] = opened.searcher()
        return self._searchers[ordering.name]

    def _statistics(self, ordering: Ordering) -> Any:
        return self.pinned if ordering.statistics == "pinned" else "live"

    def scored(self, ordering: Ordering, question: str) -> list[Candidate]:
        """All that match, with their scores."""
        plain = Ordering(f"scores, {ordering.statistics}", statistics=ordering.statistics)
        key = (plain.name, question)
        if key not in self._scored:
            found = self._searcher(plain).search(_query(question), limit=None)
            self._scored[key] = [Candidate(hit["id"], hit.score) for hit in found]
        return self._scored[key]

    def close(self) -> None:
        for searcher in self._searchers.values():
            searcher.close()

    def answer(self, ordering: Ordering, question: str, k: int, old: set[str]) -> list[str]:
        """The first k old ids: of the whole ranking, or with select="score" of the shortest
        one by score that has k of them.
        """
        if not (ordering.gap and ordering.select == "score"):
            return [id for id in self.whole(ordering, question) if id in old][:k]
        candidates = self.scored(ordering, question)
        answer: list[str] = []
        for limit in range(len(candidates) + 1):
            ranked = rank(candidates, ordering.gap, "score", limit)
            answer = [one.id for one in ranked if one.id in old]
            if len(answer) == k:
                break
        return answer


def _query(question: str) -> Or:
    return Or([Term(field, word) for field in ("title", "text") for word in question.split()])


def pairs_turned(before: Sequence[str], after: Sequence[str]) -> tuple[int, int]:
    pairs = list(itertools.combinations(before, 2))
    return len([1 for a, b in pairs if after.index(a) > after.index(b)]), len(pairs)


def shares(changes: Sequence[tuple[list[str], list[str]]]) -> tuple[Fraction, Fraction, Fraction]:
    """Of so many answers before and after: the shares with another order, set and first."""
    count = len(changes)
    return (
        Fraction(len([1 for a, b in changes if a != b]), count),
        Fraction(len([1 for a, b in changes if Counter(a) != Counter(b)]), count),
        Fraction(len([1 for a, b in changes if a[:1] != b[:1]]), count),
    )
