"""Whether a gap is shown to keep answers in place, or to move more of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from steadyrank.measure.churned import GapTest, Ordering
from steadyrank.measure.significance import LEVEL, PairedTest, fewest_for, holm, paired_test

Moved = Mapping[str, Mapping[int, int]]  # ordering -> question -> draws in which it moved


def gap_tests(
    moved: Moved, orderings: Sequence[Ordering], draws: int, seed: int
) -> tuple[GapTest, ...]:
    """Each ordering with a gap against the one without, of the same statistics.

    ``draws`` is how often each question was looked at: all draws of all changes of the corpus.
    """
    pairs = [
        (ordering, plain)
        for ordering in orderings
        for plain in orderings
        if ordering.gap
        and not plain.gap
        and plain.engine == ordering.engine
        and plain.statistics == ordering.statistics
        and moved.get(plain.name)
    ]
    tested = [(o, p, _tested(moved[o.name], moved[p.name], seed)) for o, p in pairs]
    adjusted = holm([test.p for _, _, test in tested])
    return tuple(
        GapTest(
            ordering=ordering.name,
            against=plain.name,
            without=_share(moved[plain.name], draws),
            with_gap=_share(moved[ordering.name], draws),
            steadier=test.better,
            less_steady=test.worse,
            ties=test.ties,
            p=test.p,
            p_adjusted=p,
            exact=test.exact,
            verdict="not shown"
            if p >= 1 - LEVEL or not test.mean
            else ("helps" if test.mean > 0 else "hurts"),
        )
        for (ordering, plain, test), p in zip(tested, adjusted, strict=True)
    )


def best_gap(tests: Sequence[GapTest], orderings: Sequence[Ordering]) -> str | None:
    """The ordering with the gap that helps most; of equal ones that with the smallest gap."""
    gaps = {ordering.name: ordering.gap for ordering in orderings}
    helping = [test for test in tests if test.verdict == "helps"]
    helping.sort(key=lambda test: (test.with_gap, gaps[test.ordering], test.ordering))
    return helping[0].ordering if helping else None


def verdict_of(
    tests: Sequence[GapTest], orderings: Sequence[Ordering], questions: int
) -> tuple[str, ...]:
    """What the tests say, in sentences; nothing is claimed that they do not show."""
    if not tests:
        return ()
    best = best_gap(tests, orderings)
    lines = []
    if best is None:
        lines.append(f"no gap is shown to help (n={questions})")
        most = max(test.steadier + test.less_steady for test in tests)
        if most < fewest_for():
            lines.append(
                f"at most {most} of {questions} questions moved differently with a gap, and a "
                f"verdict needs {fewest_for()} or more: ask more questions"
            )
    for test in tests:
        if test.verdict == "helps":
            mark = " (best)" if test.ordering == best else ""
            lines.append(f"{test.ordering} keeps more answers in place{mark}: {_figures(test)}")
    lines += [
        f"{test.ordering} moves more answers: {_figures(test)}"
        for test in tests
        if test.verdict == "hurts"
    ]
    return tuple(lines)


def _figures(test: GapTest) -> str:
    n = test.steadier + test.less_steady + test.ties
    return (
        f"{test.with_gap:.1%} changed against {test.without:.1%} without "
        f"(p {p_text(test.p_adjusted)}, n={n})"
    )


def p_text(p: float) -> str:
    """A p value for people: ``= 0.012``, ``< 0.001``."""
    return "< 0.001" if p < 0.001 else f"= {p:.3f}"


def _tested(own: Mapping[int, int], plain: Mapping[int, int], seed: int) -> PairedTest:
    return paired_test([plain[number] - own[number] for number in sorted(plain)], seed=seed)


def _share(moved: Mapping[int, int], draws: int) -> float:
    total = 0
    for count in moved.values():
        total += count
    trials = len(moved) * draws
    return total / trials if trials else 0.0
