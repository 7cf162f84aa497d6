"""What a comparison shows, in sentences that claim no more than that."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from steadyrank.measure.compared import Comparison, MeasureDifference
from steadyrank.measure.gap_verdict import p_text
from steadyrank.measure.significance import fewest_for


def sentences(comparison: Comparison) -> Iterator[str]:
    """The verdict on one comparison, then how many answers differ."""
    who = f"{comparison.b} against {comparison.a}"
    shown = [one for one in comparison.measures if one.verdict in ("better", "worse")]
    for one in shown:
        yield f"{who}: {one.verdict}, {figures(one)}"
    if comparison.measures and not shown:
        yield f"{who}: {_nothing_shown(comparison.measures)}"
    yield f"{who}: {answers_differ(comparison)}"


def merge_order(settings_first: Comparison, index_first: Comparison) -> Iterator[str]:
    """What is between now and having both, by which is merged first."""
    for what, comparison in (("settings", settings_first), ("index", index_first)):
        yield f"the {what} first means {comparison.b} for a while: {_in_between(comparison)}"


def _in_between(comparison: Comparison) -> str:
    worse = [one for one in comparison.measures if one.verdict == "worse"]
    if worse:
        return "worse, " + "; ".join(figures(one) for one in worse)
    if not comparison.measures or all(one.verdict == "too few" for one in comparison.measures):
        return "no verdict, too few questions differ"
    better = [one for one in comparison.measures if one.verdict == "better"]
    if better:
        return "better, " + "; ".join(figures(one) for one in better)
    return f"not shown to be worse (n={max(one.n for one in comparison.measures)})"


def _nothing_shown(measures: Sequence[MeasureDifference]) -> str:
    most = max(measures, key=lambda one: one.better + one.worse)
    differing = most.better + most.worse
    if all(one.verdict == "too few" for one in measures):
        return (
            f"no verdict, {differing} of {most.n} questions differ in {most.measure}, and a "
            f"verdict needs {fewest_for()} or more"
        )
    return f"no difference is shown (n={most.n})"


def answers_differ(comparison: Comparison) -> str:
    """How many answers differ, and how many the questions still allow."""
    answers = comparison.answers
    if not answers.n:
        return "no question was asked of both"
    verb = "differs" if answers.order == 1 else "differ"
    return (
        f"{answers.order} of {answers.n} answers {verb}, {answers.set} as a set and "
        f"{answers.first} at the top; {answers.order} of {answers.n} still allows up to "
        f"{answers.order_at_most:.1%}"
    )


def figures(one: MeasureDifference) -> str:
    """A measure's difference with its interval, p and n."""
    return (
        f"{one.measure} {one.difference:+.3f} [{one.interval.low:+.3f}, "
        f"{one.interval.high:+.3f}], p {p_text(one.p_adjusted)}, n={one.n}"
    )
