"""The settings of an order, as one frozen record."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

from steadyrank.errors import PolicyError
from steadyrank.order.candidate import as_float

Select = Literal["band", "score"]

_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Natural:
    """A tie-break key that reads runs of digits as numbers: ``2`` before ``10``."""

    field: str
    descending: bool = False


def natural(field: str) -> Natural:
    """Numeric text in its natural order, as a tie-break: ``natural("id")``, ``natural("-id")``."""
    return Natural(field.removeprefix("-"), field.startswith("-"))


def natural_key(text: str) -> tuple[tuple[int, int, str], ...]:
    """A key under which runs of digits compare as numbers and the rest by code point.

    Texts that differ only in leading zeros have equal keys; the id that every order ends in
    tells them apart.
    """
    return tuple(
        _number_key(part) if place % 2 else (1, 0, part)
        for place, part in enumerate(_DIGITS.split(text))
        if part
    )


def _number_key(digits: str) -> tuple[int, int, str]:
    # Of two numbers the one with more digits is larger, and of equally many, the later as text.
    # int() is not used, since it refuses more than 4,300 digits.
    plain = "".join(str(unicodedata.decimal(digit)) for digit in digits).lstrip("0")
    return (0, len(plain), plain)


@dataclass(frozen=True, slots=True)
class Policy:
    """How results are ordered, wherever an order is decided.

    ``gap`` in score points, 0 for none. ``select`` see :func:`steadyrank.rank`. ``tiebreak``:
    one key or several before the id (field names, ``-`` in front for descending, or
    :func:`natural`); a ranking choice that needs measuring, not a tie rule. Records without a
    value come last either way (one without a sortable number has its column's default).
    ``statistics``: ``"live"``, ``"whoosh"``, the path of a pinned file, or a ``Statistics``.
    ``id_field``: the field that holds each record's own id; None where there is none.
    ``document_field``: the field that says which document a record belongs to, for bands.
    ``route``: a field with integers or a callable from stored fields to an integer; None for a
    single route.

    Raises PolicyError for values that contradict each other or lie outside their range.
    """

    gap: float = 0.0
    select: Select = "band"
    tiebreak: tuple[str | Natural, ...] = ()
    statistics: Any = "live"
    id_field: str | None = "id"
    document_field: str | None = None
    route: str | Callable[[dict[str, Any]], int] | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "gap", checked_gap(self.gap))
        if self.select not in ("band", "score"):
            raise PolicyError(f'select is "band" or "score", not {self.select!r}')
        keys: Any = self.tiebreak
        if isinstance(keys, str | Natural):
            keys = (keys,)
        for key in keys:
            if not isinstance(key, str | Natural) or key in ("", "-"):
                raise PolicyError(f"a tie-break key is a field name or natural(field), not {key!r}")
        object.__setattr__(self, "tiebreak", tuple(keys))


def checked_gap(gap: float) -> float:
    """The gap as a float, or PolicyError: it is finite and not negative."""
    try:
        number = as_float(gap)
    except TypeError:
        number = math.nan
    if not (math.isfinite(number) and number >= 0):
        raise PolicyError(f"the gap is a finite number of score points, 0 or more: {gap!r}")
    return number + 0.0
