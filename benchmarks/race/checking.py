"""Whether steadyrank's answers are those of a plain evaluation, before any time counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from race.asking import CannotError, Worker
from race.corpus import Doc
from race.question import Question
from race.truth import Truth
from steadyrank import Candidate, rank


def wrong(
    engines: Mapping[str, Worker], docs: Sequence[Doc], questions: Sequence[Question]
) -> Iterator[str]:
    """Questions whose ids or score bits are others, and by which engine."""
    truth = Truth(docs, questions)
    for question in questions:
        ids, scores = truth.top(question)
        bits = [score.hex() for score in scores]
        for name, worker in engines.items():
            if not name.startswith("steadyrank"):
                continue
            try:
                found = worker.ids(question)
                if name.endswith("-gap"):
                    if question.per_kind is None and found != _banded(truth, question):
                        yield f"{name}: {question}"
                    continue
                if found != ids:
                    yield f"{name}: {question}"
                if worker.do("scores", question=question.to_json()) != bits:
                    yield f"{name}, score bits: {question}"
            except CannotError:
                continue


def _banded(truth: Truth, question: Question) -> list[str]:
    # The definition of bands over everything that matches.
    candidates = [
        Candidate(id, score)
        for id, score in truth.matches(question.tree).items()
        if question.kind in (None, truth.docs[id].kind)
    ]
    return [candidate.id for candidate in rank(candidates, gap=0.5, limit=question.k)]
