"""The same question, asked in another way."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from steadyrank.measure import Ordering, Perturbation
from steadyrank_builder.churning.layouts import shuffled
from steadyrank_builder.churning.ranker import Asked, Ranker

# How a ranker is asked for the first k in one draw: (ranker, ordering, question) -> ids.
Request = Callable[[Ranker, Ordering, str], list[str]]


@dataclass(frozen=True, slots=True)
class RequestChange:
    """A perturbation of the request and, draw by draw, how it asks."""

    perturbation: Perturbation
    draws: tuple[Request, ...]


def request_changes(asked: Asked, k: int, draws: int, seed: int) -> Iterator[RequestChange]:
    """Other limits, the words in another order, and with matched terms recorded."""
    limits = (2 * k, 10 * k, None)
    yield RequestChange(
        Perturbation(
            "limit", "request", f"{2 * k}, {10 * k} and all results asked for", len(limits)
        ),
        tuple(_limited(k, limit) for limit in limits),
    )
    if asked.syntax == "words":  # in a query language the order may mean something
        yield RequestChange(
            Perturbation("word order", "request", "the question's words in another order", draws),
            tuple(_reworded(k, f"{seed}/words/{draw}") for draw in range(draws)),
        )
    yield RequestChange(
        Perturbation("terms", "request", "asked with terms=True", 1),
        (lambda ranker, ordering, question: ranker.searched(ordering, question, k, terms=True),),
    )


def _limited(k: int, limit: int | None) -> Request:
    return lambda ranker, ordering, question: ranker.searched(ordering, question, k, limit=limit)


def _reworded(k: int, seed: str) -> Request:
    def ask(ranker: Ranker, ordering: Ordering, question: str) -> list[str]:
        # By the question too, so that all orderings get the same words.
        words = shuffled(question.split(), random.Random(f"{seed}/{question}"))
        return ranker.first(ordering, " ".join(words), k)

    return ask
