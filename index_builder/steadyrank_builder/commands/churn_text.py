"""A measurement of churn for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from steadyrank.measure import Cell, Churn, Pairs, Perturbation, Share
from steadyrank.measure.significance import at_most
from steadyrank_builder.commands.hits_text import pad, printable
from steadyrank_builder.output import thousands

_CELL = 15
_GROUPS = {
    "layout": "The same documents, stored in another way: answers whose order changed",
    "request": "The same question, asked in another way: answers whose order changed",
}


def lines(churn: Churn) -> Iterator[str]:
    """What was done, a table for each group, and what follows."""
    yield (
        f"{churn.questions} questions, the first {churn.k} of each; "
        f"{thousands(churn.documents)} documents; seed {churn.seed}"
    )
    if churn.questions:
        yield (
            f"Shares of {churn.questions} questions, in brackets what they allow (Wilson, 95 %); "
            f"0 of {churn.questions} still allows {at_most(0, churn.questions):.1%}"
        )
    if churn.unanswered:
        yield f"{churn.unanswered} of the questions find nothing, and so cannot change"
    for group, title in _GROUPS.items():
        chosen = [one for one in churn.perturbations if one.group == group]
        if chosen:
            yield ""
            yield from _orders(churn, chosen, title)
    for one in churn.perturbations:
        if one.group == "corpus":
            yield ""
            yield from _corpus(churn, one)
    yield ""
    for skipped in churn.skipped:
        yield f"not measured: {printable(skipped)}"
    for sentence in churn.verdict:
        yield printable(sentence)
    if churn.best:
        yield "Steadier is not better: compare the quality too (steadyrank compare)."


def _orders(churn: Churn, chosen: Sequence[Perturbation], title: str) -> Iterator[str]:
    width = _name_width(churn)
    yield title
    yield (pad("", width) + "".join(one.name.rjust(_CELL) for one in chosen)).rstrip()
    for ordering in churn.orderings:
        cells = [churn.cell(ordering.name, one.name) for one in chosen]
        yield pad(ordering.name, width) + "".join(said(c.order).rjust(_CELL) for c in cells)
    for one in chosen:
        yield f"  {one.name}: {one.what} ({_draws(one)})"


def _corpus(churn: Churn, one: Perturbation) -> Iterator[str]:
    width = _name_width(churn)
    yield f"{one.what} ({_draws(one)}), and left out of the answers compared"
    heads = ("order", "set", "first")
    yield pad("", width) + "".join(head.rjust(_CELL) for head in heads) + "  pairs turned"
    for ordering in churn.orderings:
        cell = churn.cell(ordering.name, one.name)
        yield (pad(ordering.name, width) + _row(cell)).rstrip()


def _row(cell: Cell) -> str:
    shares = "".join(said(share).rjust(_CELL) for share in (cell.order, cell.set, cell.first))
    return f"{shares}  {_pairs(cell.pairs)}"


def said(share: Share) -> str:
    """A share with its interval in percent: ``3 % [1-10]``."""
    percent = share.share * 100
    text = f"{percent:.0f}" if percent >= 9.95 or not share.changed else f"{percent:.1f}"
    low, high = share.interval.low * 100, share.interval.high * 100
    return f"{text} % [{low:.0f}-{high:.0f}]"


def _pairs(pairs: Pairs | None) -> str:
    if pairs is None:
        return "-"
    if not pairs.changed:
        return f"none of {thousands(pairs.compared)}"
    return f"{thousands(pairs.changed)} of {thousands(pairs.compared)}"


def _draws(one: Perturbation) -> str:
    return "once" if one.draws == 1 else f"{one.draws} times"


def _name_width(churn: Churn) -> int:
    return max(len(ordering.name) for ordering in churn.orderings) + 1
