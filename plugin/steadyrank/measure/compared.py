"""The records of a comparison: two settings, or two settings on two indexes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal

from steadyrank.measure.run import Origin
from steadyrank.measure.significance import Interval

COMPARED_SCHEMA = 1

Verdict = Literal["better", "worse", "not shown", "too few"]


@dataclass(frozen=True, slots=True)
class Side:
    """Settings on an index: ``name`` is how tables call it, ``settings`` and ``index`` say what
    was given.
    """

    name: str
    settings: str
    index: str
    origin: Origin


@dataclass(frozen=True, slots=True)
class MeasureDifference:
    """One measure over the ``n`` questions it is of; ``difference`` is B minus A.

    ``interval`` is of 95 %, from resampling the questions. ``p`` is of the paired randomization
    test and ``p_adjusted`` after Holm over the measures of the comparison. ``verdict`` is
    ``better`` or ``worse`` only where p_adjusted is below 0.05, and ``too few`` where so few
    questions differ that no test could tell.
    """

    measure: str
    n: int
    a: float
    b: float
    difference: float
    interval: Interval
    better: int
    worse: int
    ties: int
    p: float
    p_adjusted: float
    exact: bool
    samples: int
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Differing:
    """Of ``n`` questions, how many got another answer (first k), and the share that is still
    possible: the upper end of a one-sided exact interval of 95 %.
    """

    n: int
    order: int
    set: int
    first: int
    order_at_most: float
    set_at_most: float
    first_at_most: float


@dataclass(frozen=True, slots=True)
class QuestionDifference:
    """A question whose answer or value differs: both answers, and each measure's (A, B)."""

    number: int
    question: str
    a: tuple[str, ...]
    b: tuple[str, ...]
    values: Mapping[str, tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Comparison:
    """``b`` against ``a``, which are names of sides. ``questions`` are those that differ."""

    a: str
    b: str
    answers: Differing
    measures: tuple[MeasureDifference, ...]
    questions: tuple[QuestionDifference, ...]

    @property
    def worse(self) -> bool:
        """Whether a measure is shown to be worse."""
        return any(measure.verdict == "worse" for measure in self.measures)


@dataclass(frozen=True, slots=True)
class Compared:
    """All comparisons, the first of which is the one asked for; ``verdict`` says them in
    sentences, ``notes`` what else has to be known.
    """

    k: int
    seed: int
    sides: tuple[Side, ...]
    comparisons: tuple[Comparison, ...]
    verdict: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def worse(self) -> bool:
        """Whether B is shown to be worse: in the comparison asked for, or on one of two indexes."""
        return any(
            comparison.worse
            for comparison in self.comparisons
            if comparison is self.comparisons[0] or comparison.b.startswith("B")
        )

    def to_dict(self) -> dict[str, Any]:
        """For JSON; ``schema`` is the version of this shape."""
        return {
            "schema": COMPARED_SCHEMA,
            "k": self.k,
            "seed": self.seed,
            "sides": [
                {
                    "name": side.name,
                    "settings": side.settings,
                    "index": side.index,
                    "generation": side.origin.generation,
                    "digest": side.origin.digest,
                    "documents": side.origin.documents,
                }
                for side in self.sides
            ],
            "comparisons": [
                {**asdict(comparison), "questions": [_question(q) for q in comparison.questions]}
                for comparison in self.comparisons
            ],
            "verdict": list(self.verdict),
            "notes": list(self.notes),
        }


def _question(one: QuestionDifference) -> dict[str, Any]:
    return {
        "number": one.number,
        "question": one.question,
        "a": list(one.a),
        "b": list(one.b),
        "values": {name: list(values) for name, values in one.values.items()},
    }
