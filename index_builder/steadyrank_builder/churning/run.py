"""The whole measurement, from an index and questions to what moved."""

from __future__ import annotations

import tempfile
from pathlib import Path

from steadyrank.measure import Churn
from steadyrank.measure.churned import Cell, GapTest
from steadyrank.measure.gap_verdict import best_gap, gap_tests, verdict_of
from steadyrank.measure.tallies import cells_of, moved_by_question
from steadyrank.pinned import Statistics
from steadyrank.provenance import index_digest
from steadyrank_builder.churning.corpus import opened, read_corpus
from steadyrank_builder.churning.observed import Observed, Questions
from steadyrank_builder.churning.plan import ChurnError, Plan, Progress, silent
from steadyrank_builder.churning.ranker import Asked
from steadyrank_builder.provenance import made_with
from steadyrank_builder.runs import Way


def measure_churn(
    folder: Path, questions: Questions, way: Way, plan: Plan, progress: Progress = silent
) -> Churn:
    """Asks the questions under every ordering, before and after every perturbation.

    The index in ``folder`` is only read; all that is written goes to a temporary folder that is
    removed. Any index is asked by search, a store's too. ``progress`` is told of each draw.
    Raises ChurnError for an index without documents, NoIndexError, PolicyError for fields that
    cannot be searched, StatisticsError for a pinned file that does not fit.
    """
    index = opened(folder, way)
    with index.reader() as reader:
        corpus = read_corpus(reader)
        generation = int(reader.generation() or 0)  # an empty index has none
    if not corpus.documents:
        raise ChurnError(f"{folder}: the index has no documents, so nothing can move")
    pinned = Statistics.load(plan.statistics) if plan.statistics else Statistics.pin(index)
    asked = Asked(index.policy, way.fields, way.syntax or "words", pinned)
    seen = Observed(questions, asked, plan, corpus, progress)
    with tempfile.TemporaryDirectory(prefix="steadyrank-churn-") as name:
        seen.all(folder, Path(name))
    cells, tests, verdict = _summary(seen, plan)
    return Churn(
        questions=len(seen.questions),
        k=plan.k,
        draws=plan.draws,
        seed=plan.seed,
        documents=len(corpus.documents),
        orderings=seen.orderings,
        perturbations=tuple(seen.perturbations),
        cells=cells,
        tests=tests,
        best=best_gap(tests, seen.orderings),
        verdict=verdict,
        skipped=tuple(seen.skipped),
        unanswered=seen.unanswered,
        generation=generation,
        digest=index_digest(index, generation),
        versions=made_with(),
        texts=dict(seen.questions),
    )


def _summary(
    seen: Observed, plan: Plan
) -> tuple[tuple[Cell, ...], tuple[GapTest, ...], tuple[str, ...]]:
    """Cells, tests and verdict of all that was observed."""
    corpus = [one for one in seen.perturbations if one.group == "corpus"]
    asked = len(seen.questions)
    cells = cells_of(seen.observations, seen.orderings, seen.perturbations, asked, plan.depth)
    draws = 0
    for one in corpus:
        draws += one.draws
    moved = moved_by_question(seen.observations, corpus)
    tests = gap_tests(moved, seen.orderings, draws, plan.seed)
    return cells, tests, verdict_of(tests, seen.orderings, asked)
