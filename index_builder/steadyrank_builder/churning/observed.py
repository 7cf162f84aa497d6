"""What changes do to answers, observed one by one."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence, Set
from functools import partial
from pathlib import Path
from typing import Any

from steadyrank.measure import Ordering, Perturbation
from steadyrank.measure.tallies import Observation, change, turned_pairs
from steadyrank.retrieval.question import default_fields
from steadyrank_builder.churning.changes import corpus_changes
from steadyrank_builder.churning.corpus import Corpus, not_stored, write_plain
from steadyrank_builder.churning.layouts import LAYOUTS
from steadyrank_builder.churning.orderings import orderings_of
from steadyrank_builder.churning.plan import ChurnError, Plan, Progress
from steadyrank_builder.churning.ranker import NOTHING, Asked, Ranker
from steadyrank_builder.churning.requests import request_changes

Questions = Sequence[tuple[int, str]]


class Observed:
    """What was observed so far, of questions asked under every ordering."""

    def __init__(
        self, questions: Questions, asked: Asked, plan: Plan, corpus: Corpus, progress: Progress
    ) -> None:
        self.questions = questions
        self.asked = asked
        self.plan = plan
        self.corpus = corpus
        self.progress = progress
        self.orderings = orderings_of(plan.gaps)
        self.perturbations: list[Perturbation] = []
        self.observations: list[Observation] = []
        self.skipped: list[str] = []
        self.unanswered = 0
        self._first: dict[tuple[str, int], list[str]] = {}

    def all(self, folder: Path, work: Path) -> None:
        """Every perturbation that this index allows."""
        with Ranker(folder, self.asked) as live:
            base = work / "base"
            self._without_failing(live)
            reason = self._write_base(base, live)
            if reason is not None:
                self.skipped.append(f"layouts and changes of the corpus: {reason}")
                self._requests(live)
                return
        with Ranker(base, self.asked) as ranker:
            self._requests(ranker)
            for layout in LAYOUTS if "layout" in self.plan.groups else ():
                what = Perturbation(layout.name, "layout", layout.what, self.plan.draws)
                self._written(ranker, work, what, partial(_all_kept, layout.write))
            if "corpus" in self.plan.groups:
                for one in corpus_changes(self.plan, self.corpus, self.skipped):
                    self._written(ranker, work, one.perturbation, one.write)

    def _write_base(self, base: Path, live: Ranker) -> str | None:
        """Writes the index again, as it is; why that cannot be done, None if it can."""
        schema = self.corpus.schema
        searched = (
            [name for name, kind in schema.items() if kind.indexed]
            if self.asked.syntax == "whoosh"
            else list(self.asked.fields or default_fields(schema))
        )
        if missing := not_stored(schema, searched):
            return (
                f"the index cannot be written again, since it does not store "
                f"{', '.join(missing)}; measure an index that does"
            )
        base.mkdir()
        self.progress("write again", 0, 1)
        write_plain(base, schema, [self.corpus.documents])
        self.progress("write again", 1, 1)
        with Ranker(base, self.asked) as again:
            for number, question in self.questions:
                if _scores(live, question) != _scores(again, question):
                    return (
                        f"written again from what it stores, the index gives question {number} "
                        f"({question!r}) other matches or scores, so it was written with other "
                        "values, another analyzer or boosts that are not stored"
                    )
        return None

    def _without_failing(self, ranker: Ranker) -> None:
        """Leaves out the questions that some ordering cannot answer: queries may be anything."""
        asked = []
        for number, question in self.questions:
            try:
                for ordering in self.orderings:
                    self._before(ranker, ordering, number, question)
                asked.append((number, question))
            except Exception as error:  # stock Whoosh raises errors of every kind
                self.skipped.append(
                    f"question {number} ({question!r}): {type(error).__name__}: {error}"
                )
        if not asked:
            raise ChurnError(f"no question could be asked; {self.skipped[0]}")
        self.questions = asked
        self._first.clear()  # what is compared is another writing of the index

    def _requests(self, ranker: Ranker) -> None:
        plan = self.plan
        self.unanswered = len(
            [question for _, question in self.questions if not ranker.hits(question).docs.size]
        )
        if "request" not in plan.groups:
            return
        for one in request_changes(self.asked, plan.k, plan.draws, plan.seed):
            self.perturbations.append(one.perturbation)
            for draw, ask in enumerate(one.draws, start=1):
                self.progress(one.perturbation.name, draw, one.perturbation.draws)
                for number, question in self.questions:
                    for ordering in self.orderings:
                        before = self._before(ranker, ordering, number, question)
                        self._saw(
                            ordering,
                            one.perturbation,
                            draw,
                            number,
                            before,
                            ask(ranker, ordering, question),
                        )

    def _written(
        self,
        base: Ranker,
        work: Path,
        perturbation: Perturbation,
        write: Callable[..., tuple[Set[int], Set[int]]],
    ) -> None:
        self.perturbations.append(perturbation)
        own = self._own_fields()
        for draw in range(1, perturbation.draws + 1):
            self.progress(perturbation.name, draw - 1, perturbation.draws)
            chance = random.Random(f"{self.plan.seed}/{perturbation.name}/{draw}")
            with tempfile.TemporaryDirectory(dir=work) as name:
                gone, new = write(Path(name), self.corpus, chance, own)
                with Ranker(Path(name), self.asked) as other:
                    self._asked_again(base, other, perturbation, draw, gone, new)
            self.progress(perturbation.name, draw, perturbation.draws)

    def _asked_again(
        self,
        base: Ranker,
        other: Ranker,
        perturbation: Perturbation,
        draw: int,
        gone: Set[int],
        new: Set[int],
    ) -> None:
        k = self.plan.k
        for number, question in self.questions:
            for ordering in self.orderings:
                before = self._before(base, ordering, number, question, gone)
                after = other.first(ordering, question, k, new)
                pairs = None
                if perturbation.group == "corpus" and ordering.select == "band":
                    top = base.first(ordering, question, self.plan.depth, gone)
                    pairs = turned_pairs(top, other.order_of(ordering, question, top))
                self._saw(ordering, perturbation, draw, number, before, after, pairs)

    def _before(
        self,
        ranker: Ranker,
        ordering: Ordering,
        number: int,
        question: str,
        gone: Set[int] = NOTHING,
    ) -> list[str]:
        if gone:
            return ranker.first(ordering, question, self.plan.k, gone)
        key = (ordering.name, number)
        if key not in self._first:
            self._first[key] = ranker.first(ordering, question, self.plan.k)
        return self._first[key]

    def _saw(
        self,
        ordering: Ordering,
        perturbation: Perturbation,
        draw: int,
        number: int,
        before: Sequence[str],
        after: Sequence[str],
        pairs: tuple[int, int] | None = None,
    ) -> None:
        changed = change(before, after, pairs)
        self.observations.append(
            Observation(ordering.name, perturbation.name, draw, number, changed)
        )

    def _own_fields(self) -> list[str]:
        policy, schema = self.asked.policy, self.corpus.schema
        unique = [name for name, kind in schema.items() if kind.unique and kind.stored]
        named = [name for name in (policy.id_field, policy.document_field) if name]
        return sorted({*unique, *named})


def _all_kept(
    write: Callable[..., None], folder: Path, corpus: Corpus, chance: Any, own: Any
) -> tuple[Set[int], Set[int]]:
    write(folder, corpus, chance, own)
    return NOTHING, NOTHING


def _scores(ranker: Ranker, question: str) -> Counter[tuple[str, float]]:
    hits = ranker.hits(question)
    return Counter(
        (ranker.id(doc), score)
        for doc, score in zip(hits.docs.tolist(), hits.scores.tolist(), strict=True)
    )
