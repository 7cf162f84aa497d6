"""The corpus with other documents beside it, or with some taken away."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from pathlib import Path

from steadyrank.measure import Perturbation
from steadyrank_builder.churning.corpus import Corpus, Stored, write_plain
from steadyrank_builder.churning.layouts import shuffled
from steadyrank_builder.churning.plan import ChurnError, Plan
from steadyrank_builder.churning.ranker import NOTHING
from steadyrank_builder.churning.resampled import resampled


@dataclass(frozen=True, slots=True)
class CorpusChange:
    """A number of documents to add (from ``pool``, else made from the corpus) or to remove."""

    perturbation: Perturbation
    adds: bool
    count: int
    pool: Sequence[Stored] | None = None

    def write(
        self, folder: Path, corpus: Corpus, chance: random.Random, own: Sequence[str]
    ) -> tuple[Set[int], Set[int]]:
        """Writes the changed corpus into an empty folder, in one segment.

        Returns the numbers of the documents to leave out, of the corpus as it was (those that
        were removed) and of the new index (those that were added).
        """
        size = len(corpus.documents)
        if not self.adds:
            gone = frozenset(shuffled(range(size), chance)[: self.count])
            kept = [one for number, one in enumerate(corpus.documents) if number not in gone]
            write_plain(folder, corpus.schema, [kept])
            return gone, NOTHING
        if self.pool is None:
            added = resampled(corpus, self.count, chance, own)
        else:
            added = shuffled(self.pool, chance)[: self.count]
        try:
            write_plain(folder, corpus.schema, [[*corpus.documents, *added]])
        except Exception as error:  # Whoosh raises errors of every kind for values of a wrong one
            if self.pool is None:
                raise
            raise ChurnError(
                f"a document to add cannot be written: {type(error).__name__}: {error}; its "
                "values have to be such as the fields of the index take"
            ) from error
        return NOTHING, frozenset(range(size, size + len(added)))


def corpus_changes(plan: Plan, corpus: Corpus, skipped: list[str]) -> Iterator[CorpusChange]:
    """The plan's additions, then its removals, ascending; what cannot be is said in ``skipped``."""
    size = len(corpus.documents)
    counts = plan.counts_for(size)
    pool = plan.added
    for count in [len(pool)] if pool is not None and not plan.counts else counts:
        if pool is not None and count > len(pool):
            skipped.append(f"{count} added: there are only {len(pool)} documents to add")
            continue
        # All of them are the same ones in every draw.
        draws = 1 if pool is not None and count == len(pool) else plan.draws
        source = "made of the corpus' own words" if pool is None else "from the given documents"
        yield CorpusChange(
            Perturbation(
                f"{count} added", "corpus", f"{count} other documents added, {source}", draws, count
            ),
            True,
            count,
            pool,
        )
    for count in counts:
        if count >= size:
            skipped.append(f"{count} removed: the index has {size} documents")
            continue
        yield CorpusChange(
            Perturbation(
                f"{count} removed", "corpus", f"{count} documents removed", plan.draws, count
            ),
            False,
            count,
        )
