"""What is ordered: a candidate, and the four things the order may look at."""

from __future__ import annotations

import math
import operator
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from steadyrank.errors import ScoreError


class Ranked(Protocol):
    """The four things an order is decided by, whoever supplies them.

    ``id`` and ``document`` are whatever compares totally (a string, or a tuple of tie-break
    keys that ends in one); no two records have equal ids.
    """

    @property
    def score(self) -> float: ...
    @property
    def id(self) -> Any: ...
    @property
    def document(self) -> Any: ...
    @property
    def route(self) -> int: ...


R = TypeVar("R", bound=Ranked)


@dataclass(frozen=True, slots=True)
class Candidate:
    """One record that may be in a result.

    ``id`` is a string, unique among the candidates, compared by code point. ``score`` is a
    finite double (-0.0 becomes 0.0). ``document`` is the id of the page or product that the
    record belongs to, its own id where nothing is given. A smaller ``route`` comes first.

    Raises ScoreError for NaN and infinities, TypeError for an id that is no string, a score
    that is no number or a route that is no integer. Numbers of numpy are numbers; they are kept
    as plain ones, and so are the strings of subclasses, whose own comparison does not count.
    """

    id: str
    score: float
    document: str | None = None
    route: int = 0

    def __post_init__(self) -> None:
        if not isinstance(self.id, str):
            raise TypeError(f"an id is a string, not {type(self.id).__name__}: {self.id!r}")
        object.__setattr__(self, "id", str.__str__(self.id))
        if self.document is None:
            object.__setattr__(self, "document", self.id)
        elif not isinstance(self.document, str):
            raise TypeError(
                f"the document of {self.id!r} is a string, "
                f"not {type(self.document).__name__}: {self.document!r}"
            )
        else:
            object.__setattr__(self, "document", str.__str__(self.document))
        try:
            object.__setattr__(self, "route", int(operator.index(self.route)))
        except TypeError:
            raise TypeError(
                f"the route of {self.id!r} is an integer, "
                f"not {type(self.route).__name__}: {self.route!r}"
            ) from None
        object.__setattr__(self, "score", checked_score(self.score, self.id))


def checked_score(score: float, id: str | None = None) -> float:
    """The score as a Python float with -0.0 made 0.0.

    Raises ScoreError unless it is finite, TypeError where it is no number.
    """
    try:
        number = as_float(score) + 0.0  # -0.0 + 0.0 is 0.0, and every other number stays
    except TypeError as error:
        raise TypeError(f"{_whose(id)} is no number: {error}") from None
    if not math.isfinite(number):
        raise ScoreError(
            f"{_whose(id)} is {number}: only finite scores have a place in the order; "
            "mend the weighting that gave it",
            id=id,
            score=number,
        )
    return number


def as_float(value: Any) -> float:
    """The number as a float, infinite beyond the largest; TypeError for text, which float reads."""
    if isinstance(value, str | bytes | bytearray):
        raise TypeError(f"got {value!r}")
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf
    except TypeError:
        raise TypeError(f"got {value!r}") from None


def _whose(id: str | None) -> str:
    return "a score" if id is None else f"the score of {id!r}"
