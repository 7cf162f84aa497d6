"""The same documents written by a bare Whoosh writer in two orders, asked the same questions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steadyrank.index import SteadyIndex, stabilize
from steadyrank.retrieval import parsed

Answer = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Flip:
    """A question that two layouts answered differently: the ids each gave, best first."""

    question: str
    first: Answer
    second: Answer


@dataclass(frozen=True, slots=True)
class Comparison:
    """How many of ``questions`` got another answer in the other layout.

    ``stock`` are those of stock Whoosh, ``steady`` those of steadyrank, which must be none;
    ``bits`` counts the answers of steadyrank whose scores differ in any bit.
    """

    questions: int
    k: int
    stock: tuple[Flip, ...]
    steady: tuple[Flip, ...]
    bits: int

    @property
    def holds(self) -> bool:
        """Whether the point is made: stock differs somewhere, steadyrank nowhere, to the bit."""
        return bool(self.stock) and not self.steady and not self.bits


def compare_orders(
    index: SteadyIndex, questions: Sequence[str], folder: Path, k: int = 4
) -> Comparison:
    """Writes the index's documents twice below ``folder`` and asks both copies everything."""
    copies = [_copy(index, folder / f"copy-{seed}", seed) for seed in (1, 2)]
    stock = [list(_answers(copy, questions, k)) for copy in copies]
    steady = [list(_answers(stabilize(copy), questions, k)) for copy in copies]
    return Comparison(
        questions=len(questions),
        k=k,
        stock=_flips(questions, *[[ids for ids, _ in answers] for answers in stock]),
        steady=_flips(questions, *[[ids for ids, _ in answers] for answers in steady]),
        bits=sum(a[1] != b[1] for a, b in zip(*steady, strict=True)),
    )


def _copy(index: SteadyIndex, folder: Path, seed: int) -> Any:
    from whoosh.index import create_in

    with index.searcher() as searcher:
        documents = list(searcher.reader().all_stored_fields())
    random.Random(seed).shuffle(documents)
    folder.mkdir(parents=True)
    copy = create_in(str(folder), index.schema)
    writer = copy.writer()
    for document in documents:
        writer.add_document(**document)
    writer.commit()
    return copy


def _answers(
    index: Any, questions: Sequence[str], k: int
) -> Iterator[tuple[Answer, tuple[float, ...]]]:
    with index.searcher() as searcher:
        for question in questions:
            hits = list(searcher.search(parsed(question, searcher.schema), limit=k))
            yield tuple(hit["id"] for hit in hits), tuple(hit.score for hit in hits)


def _flips(
    questions: Sequence[str], first: Sequence[Answer], second: Sequence[Answer]
) -> tuple[Flip, ...]:
    return tuple(
        Flip(question, one, other)
        for question, one, other in zip(questions, first, second, strict=True)
        if one != other
    )
