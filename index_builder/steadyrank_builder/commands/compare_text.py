"""A comparison for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from steadyrank.measure.compared import Compared, Comparison
from steadyrank.measure.gap_verdict import p_text
from steadyrank_builder.commands.hits_text import printable, shortened
from steadyrank_builder.output import thousands

_QUESTIONS = 20  # shown of each comparison


def lines(compared: Compared) -> Iterator[str]:
    """The sides, a table for each comparison, the questions that differ, and the verdict."""
    for side in compared.sides:
        yield (
            f"{side.name}: {printable(side.settings)}; {printable(side.index)}, "
            f"generation {side.origin.generation}, {thousands(side.origin.documents)} documents"
        )
    for comparison in compared.comparisons:
        yield ""
        yield from _table(comparison)
    first = compared.comparisons[0]
    if first.questions:
        yield ""
        yield from _questions(first)
    yield ""
    for note in compared.notes:
        yield f"note: {printable(note)}"
    yield from compared.verdict


def _table(comparison: Comparison) -> Iterator[str]:
    yield f"{comparison.b} against {comparison.a}"
    if comparison.measures:
        yield (
            f"  {'':11}{'A':>7}{'B':>8}{'B - A':>9}  {'95 %':18}{'better':>7}{'worse':>6}"
            f"{'ties':>6}{'n':>6}  p"
        )
    for one in comparison.measures:
        interval = f"[{one.interval.low:+.3f}, {one.interval.high:+.3f}]"
        how = "" if one.exact else f" ({one.samples} samples)"
        yield (
            f"  {one.measure:11}{one.a:7.3f}{one.b:8.3f}{one.difference:+9.3f}  {interval:18}"
            f"{one.better:7}{one.worse:6}{one.ties:6}{one.n:6}  {p_text(one.p)}{how}"
        )
    if len(comparison.measures) > 1:
        count = len(comparison.measures)
        yield f"  p of each alone; the verdict counts that there are {count} (Holm)"


def _questions(comparison: Comparison) -> Iterator[str]:
    yield f"Questions that differ, {comparison.b} against {comparison.a}"
    for one in comparison.questions[:_QUESTIONS]:
        yield f"{one.number:4}. {shortened(one.question, 70)}"
        values = [f"{name} {a:.3f} -> {b:.3f}" for name, (a, b) in one.values.items() if a != b]
        if values:
            yield f"      {', '.join(values)}"
        for name, ids in (("A", one.a), ("B", one.b)):
            yield f"      {name}  {', '.join(map(printable, ids)) or 'nothing'}"
    more = len(comparison.questions) - _QUESTIONS
    if more > 0:
        yield f"      and {more} more (--json lists all)"
