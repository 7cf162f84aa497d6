"""The page of a measurement of churn."""

from __future__ import annotations

from dataclasses import dataclass

from steadyrank.measure.churned import Cell, Churn, Ordering, Perturbation
from steadyrank_builder.drawing.bars import Bars, shares_of
from steadyrank_builder.drawing.render import rendered
from steadyrank_builder.drawing.strip import Fact, index_facts


@dataclass(frozen=True, slots=True)
class _Tried:
    perturbation: Perturbation
    cells: tuple[Cell, ...]
    bars: Bars


@dataclass(frozen=True, slots=True)
class _Row:
    ordering: Ordering
    cells: tuple[Cell | None, ...]


def churn_page(churn: Churn, title: str = "Churn") -> str:
    """One HTML file: a table and bars for each perturbation, and what follows.

    Raises MissingExtraError without Jinja2.
    """
    tried = []
    for number, perturbation in enumerate(churn.perturbations, start=1):
        cells = tuple(cell for cell in churn.cells if cell.perturbation == perturbation.name)
        bars = shares_of(cells, f"tried-{number}", f"Answers in another order: {perturbation.name}")
        tried.append(_Tried(perturbation, cells, bars))
    measured = {(cell.ordering, cell.perturbation): cell for cell in churn.cells}
    rows = [
        _Row(
            ordering, tuple(measured.get((ordering.name, one.name)) for one in churn.perturbations)
        )
        for ordering in churn.orderings
    ]
    return rendered(
        "churn.html.j2",
        title=title,
        churn=churn,
        rows=rows,
        strip=(
            Fact("questions", f"n = {churn.questions}, k = {churn.k}"),
            *index_facts(churn.generation, churn.documents, churn.digest, churn.versions),
            Fact("statistics", ", ".join(sorted({one.statistics for one in churn.orderings}))),
            Fact("gaps", ", ".join(f"{gap:g}" for gap in sorted({o.gap for o in churn.orderings}))),
            Fact("draws", f"{churn.draws}, seed {churn.seed}"),
        ),
        tried=tried,
    )
