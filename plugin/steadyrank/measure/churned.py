"""What moved when nothing that a question is about did: the records of a measurement of churn."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Any, Literal

from steadyrank.measure.significance import Interval, wilson

CHURN_SCHEMA = 1

Group = Literal["layout", "request", "corpus"]
Engine = Literal["whoosh", "steadyrank"]


@dataclass(frozen=True, slots=True)
class Ordering:
    """A way to order results that is tried; ``name`` is how tables call it.

    ``engine`` "whoosh" is stock Whoosh, which has no gap. ``statistics``: "live", "pinned", or
    "whoosh" for the stock one.
    """

    name: str
    engine: Engine = "steadyrank"
    gap: float = 0.0
    select: Literal["band", "score"] = "band"
    statistics: Literal["live", "pinned", "whoosh"] = "live"


@dataclass(frozen=True, slots=True)
class Perturbation:
    """Something done to the index, the request or the corpus that should move nothing.

    ``documents`` is how many were added, removed or written again, None where that makes no
    sense. ``draws`` is how often it was done, each time by other chances.
    """

    name: str
    group: Group
    what: str
    draws: int
    documents: int | None = None


@dataclass(frozen=True, slots=True)
class Share:
    """How many of ``trials`` (questions times draws) changed.

    ``interval`` is Wilson's of 95 % with the *questions* as its n: two draws of one question are
    not two questions.
    """

    changed: int
    trials: int
    share: float
    interval: Interval

    @classmethod
    def of(cls, changed: int, questions: int, draws: int) -> Share:
        """A share of so many questions, each looked at ``draws`` times."""
        trials = questions * draws
        share = changed / trials if trials else 0.0
        return cls(changed, trials, share, wilson(share, questions))


@dataclass(frozen=True, slots=True)
class Pairs:
    """Of the pairs of old documents near the top, those that changed their order.

    Looked at are the first ``depth`` old documents of each question's base ranking.
    ``questions`` counts those (times draws) with any such pair.
    """

    changed: int
    compared: int
    depth: int
    questions: Share


@dataclass(frozen=True, slots=True)
class Cell:
    """One ordering under one perturbation: the share of answers (top k) that changed.

    ``order``: other ids, or the same in another order; ``set``: other ids; ``first``: another
    first one. ``pairs`` is None where a longer ranking is not this one continued
    (``select="score"``), and outside the corpus group. ``moved`` are the numbers of the
    questions whose order changed in any draw, ascending.
    """

    ordering: str
    perturbation: str
    order: Share
    set: Share
    first: Share
    pairs: Pairs | None = None
    moved: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class GapTest:
    """A gap against none with the same statistics, over all changes of the corpus together.

    ``without`` and ``with_gap`` are shares of answers whose order changed; ``steadier`` and
    ``less_steady`` count the questions that changed in fewer or more draws with the gap.
    ``p`` is of the paired randomization test, ``p_adjusted`` after Holm over all tests here.
    ``verdict``: ``helps`` and ``hurts`` only where p_adjusted is below 0.05.
    """

    ordering: str
    against: str
    without: float
    with_gap: float
    steadier: int
    less_steady: int
    ties: int
    p: float
    p_adjusted: float
    exact: bool
    verdict: Literal["helps", "hurts", "not shown"]


@dataclass(frozen=True, slots=True)
class Churn:
    """A whole measurement: its questions, what was tried, a cell for each, and what follows.

    ``cells`` are in the order of ``perturbations``, then of ``orderings``. ``best`` is the name
    of the ordering with the gap that helps most, None where none is shown to. ``verdict`` says
    it in sentences. ``skipped`` says what could not be measured and why. ``unanswered`` counts
    the questions that find nothing: they are among the questions, and cannot change.
    """

    questions: int
    k: int
    draws: int
    seed: int
    documents: int
    orderings: tuple[Ordering, ...]
    perturbations: tuple[Perturbation, ...]
    cells: tuple[Cell, ...]
    tests: tuple[GapTest, ...]
    best: str | None
    verdict: tuple[str, ...]
    skipped: tuple[str, ...] = ()
    unanswered: int = 0
    generation: int = 0
    digest: str | None = None
    versions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    texts: Mapping[int, str] = field(default_factory=lambda: MappingProxyType({}))

    def cell(self, ordering: str, perturbation: str) -> Cell:
        """The cell of these names. KeyError when it was not measured."""
        for cell in self.cells:
            if (cell.ordering, cell.perturbation) == (ordering, perturbation):
                return cell
        raise KeyError((ordering, perturbation))

    def to_dict(self) -> dict[str, Any]:
        """For JSON; ``schema`` is the version of this shape. ``texts``: question by number."""
        return {
            "schema": CHURN_SCHEMA,
            "questions": self.questions,
            "k": self.k,
            "draws": self.draws,
            "seed": self.seed,
            "documents": self.documents,
            "generation": self.generation,
            "digest": self.digest,
            "versions": dict(self.versions),
            "orderings": [asdict(ordering) for ordering in self.orderings],
            "perturbations": [asdict(perturbation) for perturbation in self.perturbations],
            "cells": [asdict(cell) for cell in self.cells],
            "tests": [asdict(test) for test in self.tests],
            "best": self.best,
            "verdict": list(self.verdict),
            "skipped": list(self.skipped),
            "unanswered": self.unanswered,
            "texts": {str(number): text for number, text in sorted(self.texts.items())},
        }
