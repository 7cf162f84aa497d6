"""What a handful of questions can tell: intervals of shares, and tests of paired differences.

Everything here is exact or says how many samples it drew, and is the same on every machine:
the samples come from a seed.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt

LEVEL = 0.95
# The number of standard deviations that 95 % of a normal distribution lie within.
_Z = 1.959963984540054
# Values are compared on this grid, so that what is equal but for rounding is equal.
_GRID = 2**40
# How many different sums the exact test keeps; with more it samples.
_MOST_SUMS = 100_000
SAMPLES = 10_000


@dataclass(frozen=True, slots=True)
class Interval:
    """From ``low`` to ``high``, both included; of 95 % unless it is said otherwise."""

    low: float
    high: float


def wilson(share: float, n: int) -> Interval:
    """The Wilson score interval (Wilson 1927) of 95 % for a share seen among ``n`` questions.

    ``share`` is from 0 to 1 and need not be a count by ``n``: a mean over several draws per
    question has the questions as its n. Without questions everything is possible.
    """
    if not 0 <= share <= 1:
        raise ValueError(f"a share is from 0 to 1, not {share!r}")
    if n < 1:
        return Interval(0.0, 1.0)
    square = _Z * _Z
    centre = (share + square / (2 * n)) / (1 + square / n)
    half = _Z * sqrt(share * (1 - share) / n + square / (4 * n * n)) / (1 + square / n)
    low = 0.0 if share == 0 else max(0.0, centre - half)
    return Interval(low, 1.0 if share == 1 else min(1.0, centre + half))


def at_most(count: int, n: int, level: float = LEVEL) -> float:
    """The largest share that ``count`` of ``n`` still allows, at this one-sided level.

    The upper bound of Clopper and Pearson (1934): with a larger share, so few would be seen in
    less than ``1 - level`` of all samples. For 0 of n it is ``1 - (1 - level) ** (1 / n)``:
    0 of 68 still allows 4.3 %.
    """
    if not 0 <= count <= n or n < 1:
        raise ValueError(f"a count from 0 to n of n questions, 1 or more, not {count!r} of {n!r}")
    if count == n:
        return 1.0
    if count == 0:
        return float(1 - (1 - level) ** (1 / n))
    low, high = count / n, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _lower_tail(count, n, middle) > 1 - level:
            low = middle
        else:
            high = middle
    return high


def _lower_tail(count: int, n: int, share: float) -> float:
    """The probability of ``count`` or fewer of ``n``; ``share`` is above 0 and below 1."""
    # Every term relative to the largest, from neighbour to neighbour: nothing overflows, and
    # what becomes 0 on the way is too small to count.
    odds = share / (1 - share)
    mode = min(n, int((n + 1) * share))
    terms = [0.0] * (n + 1)
    terms[mode] = 1.0
    for i in range(mode + 1, n + 1):
        terms[i] = terms[i - 1] * odds * (n - i + 1) / i
    for i in range(mode, 0, -1):
        terms[i - 1] = terms[i] * i / (odds * (n - i + 1))
    return fsum(terms[: count + 1]) / fsum(terms)


@dataclass(frozen=True, slots=True)
class PairedTest:
    """Whether a mean difference is more than chance gives.

    Paired randomization (Fisher 1935): if nothing distinguished the two sides, the sign of each
    question's difference would be a coin's. ``p`` is the share of all signs under which the sum
    is at least as far from 0 as it is, two-sided. ``exact``: all were counted; else ``samples``
    were drawn and p is (hits + 1) / (samples + 1). ``ties`` are the questions without a
    difference.
    """

    n: int
    better: int
    worse: int
    ties: int
    mean: float
    p: float
    exact: bool
    samples: int

    @property
    def differing(self) -> int:
        """Questions with a difference: what the test has to go by."""
        return self.better + self.worse


def paired_test(
    differences: Sequence[float], *, seed: int = 1, samples: int = SAMPLES
) -> PairedTest:
    """The test of the mean of the differences, one per question; positive is ``better``.

    Differences are told apart on a grid of 2 ** -40, so that rounding makes no difference out of
    none. Exact while the sums of all signs are few enough to be kept, as they are for whole
    numbers and for few questions.
    """
    steps = [round(difference * _GRID) for difference in differences]
    sizes = [abs(step) for step in steps if step]
    mean = fsum(differences) / len(differences) if differences else 0.0
    # Each step may be off by half of one, on both sides.
    far = abs(_total(steps)) - len(sizes)
    counted = _extreme_share(sizes, far)
    exact = counted is not None
    p = counted if counted is not None else _sampled_share(sizes, far, seed, samples)
    better = len([step for step in steps if step > 0])
    worse = len(sizes) - better
    ties = len(steps) - len(sizes)
    return PairedTest(len(steps), better, worse, ties, mean, p, exact, 0 if exact else samples)


def _total(steps: Sequence[int]) -> int:
    total = 0
    for step in steps:
        total += step
    return total


def _extreme_share(sizes: Sequence[int], far: int) -> float | None:
    """The share of all signs whose sum is at least so far from 0; None for too many sums."""
    ways: dict[int, int] = {0: 1}
    for size in sizes:
        added: dict[int, int] = {}
        for total, count in ways.items():
            for signed in (total + size, total - size):
                added[signed] = added.get(signed, 0) + count
        ways = added
        if len(ways) > _MOST_SUMS:
            return None
    extreme = 0
    for total, count in ways.items():
        if abs(total) >= far:
            extreme += count
    return extreme / (1 << len(sizes))


def _sampled_share(sizes: Sequence[int], far: int, seed: int, samples: int) -> float:
    chance = random.Random(seed)
    hits = 0
    for _ in range(samples):
        signs = chance.getrandbits(len(sizes))
        total = 0
        for place, size in enumerate(sizes):
            total += size if signs >> place & 1 else -size
        hits += abs(total) >= far
    # The observed signs are one of the samples, so p is never 0 (Phipson and Smyth 2010).
    return (hits + 1) / (samples + 1)


def fewest_for(level: float = LEVEL) -> int:
    """How many questions have to differ, all one way, before a test can say anything."""
    n = 1
    while 2.0 ** (1 - n) >= 1 - level:
        n += 1
    return n


def holm(ps: Sequence[float]) -> list[float]:
    """The p values of several tests, adjusted for their number (Holm 1979), in their order."""
    order = sorted(range(len(ps)), key=lambda place: (ps[place], place))
    adjusted = [1.0] * len(ps)
    highest = 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, ps[place] * (len(ps) - rank)))
        adjusted[place] = highest
    return adjusted
