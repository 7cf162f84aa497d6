"""Arithmetic whose result does not depend on the order of its operations.

A leaf score is snapped to a grid of multiples of 2**-32. Sums of such numbers that stay below
2**20 need at most 52 bits, so they are exact in doubles: addition is then associative, and no
order of summation, no pruning and no segment boundary can change a bit.
"""

from __future__ import annotations

import math
from decimal import Context, Decimal
from functools import lru_cache
from typing import overload

import numpy as np
from numpy.typing import NDArray

from steadyrank.errors import ScoreError

GRID = 2.0**32
"""Grid steps per score point."""

LIMIT = 2.0**20
"""Scores from here on are refused, since their sums would no longer be exact."""

Scores = NDArray[np.float64]

_FEWEST_ROWS, _MOST_ROWS = 4, 64  # that are worth it

# Fifty digits: a double has seventeen, and no logarithm of a double lies so near the middle
# between two doubles that thirty-three more would not decide it (the worst cases known need
# about twenty).
_PRECISE = Context(prec=50)

# Digits that nearly always tell which double is the nearest; half the time.
_QUICK = Context(prec=22)


@overload
def snap(score: float) -> float: ...
@overload
def snap(score: Scores) -> Scores: ...
def snap(score: float | Scores) -> float | Scores:
    """The nearest number on the grid, ties to even; for one score or an array of any shape.

    Raises ScoreError for scores that are not finite, or are 2**20 or more in size.
    """
    values = np.asarray(score, dtype=np.float64)
    # Scaling by a power of two is exact, so rint is the only rounding here. What overflows is
    # infinite then, and refused below like any other score out of range.
    with np.errstate(over="ignore"):
        snapped: Scores = np.rint(values * GRID) / GRID + 0.0
    check_range(snapped)
    return float(snapped) if snapped.ndim == 0 else snapped


def check_range(scores: Scores) -> None:
    """ScoreError unless every score is finite and below 2**20 in size."""
    if scores.size == 0:
        return
    # A NaN makes both false, so the test is written to fail on it.
    if not (float(scores.max()) < LIMIT and float(scores.min()) > -LIMIT):
        wrong = scores[~(np.abs(scores) < LIMIT)].ravel()[0]
        raise ScoreError(
            f"a score of {wrong} is out of range: scores are finite and below {LIMIT:.0f} in "
            "size, since larger ones cannot be added exactly; use smaller boosts or weights",
            score=float(wrong),
        )


@lru_cache(maxsize=65536)
def exact_log(x: float) -> float:
    """The natural logarithm of a positive double, correctly rounded.

    ``math.log`` is not: its last bit depends on the C library and on whether the processor
    fuses multiply and add.
    """
    if not (x > 0 and math.isfinite(x)):
        return math.log(x)  # its error, or its infinity, is as good as ours
    near = _QUICK.ln(Decimal(x))
    below, above = float(near.next_minus(_QUICK)), float(near.next_plus(_QUICK))
    return below if below == above else float(_PRECISE.ln(Decimal(x)))


def largest_first(scores: Scores, count: int) -> float:
    """The ``count``-th largest of the scores (1 <= count <= their number), in linear time."""
    rows = min(_MOST_ROWS, scores.size // (4 * count))
    if rows >= _FEWEST_ROWS:
        # The largest of each column are scores too: what is below the count-th of them is not
        # among the count largest of all.
        columns = scores.size // rows
        largest = scores[: columns * rows].reshape(rows, columns).max(axis=0)
        scores = scores[scores >= np.partition(largest, columns - count)[columns - count]]
    position = scores.size - count
    return float(np.partition(scores, position)[position])
