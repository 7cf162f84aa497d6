"""A store that answers: fetch under quotas, rank, take."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from steadyrank.answering.answer import Answer
from steadyrank.answering.certainty import Certainty, by_points, by_share
from steadyrank.answering.faults import SettingsError
from steadyrank.answering.fingerprint import fingerprint
from steadyrank.answering.pieces import cut_line, next_ones, piece, related
from steadyrank.answering.reading import Prepared, Reading
from steadyrank.answering.settings import Settings
from steadyrank.answering.stages import Contender, Taken, fetched, ranked, taken, unaided
from steadyrank.answering.weighing import Weighed
from steadyrank.answering.where import Where
from steadyrank.index import SteadyIndex, is_store, open_index
from steadyrank.order import Cut
from steadyrank.provenance import index_digest


class Store:
    """Answers questions from one index under one set of settings. Threads may share it.

    It follows the index: an answer is always of one generation, the latest when it is asked.
    Raises SettingsError for an index that is not a store's.
    """

    def __init__(self, index: SteadyIndex, settings: Settings | None = None) -> None:
        if not is_store(index.schema):
            raise SettingsError(
                "answers need an index that 'steadyrank build' wrote (fields id, document, kind, "
                "title, heading, text); on another one use search"
            )
        self.index = index
        self.settings = settings or Settings()
        self._lock = threading.Lock()
        self._reading: Reading | None = None

    def close(self) -> None:
        """Closes the files; the next answer opens them again."""
        with self._lock:
            if self._reading is not None:
                self._reading.searcher.close()
                self._reading = None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def answer(
        self,
        question: str,
        take: int | None = None,
        where: Mapping[str, Any] | None = None,
        settings: Settings | None = None,
        **overrides: Any,
    ) -> Answer:
        """The pieces that answer a question, chosen the same way every time.

        ``take`` is how many. ``where`` keeps documents whose fields or attributes have these
        values (a list: one of them; see docs/answers.md); when none has, the answer is empty.
        ``settings`` stand in for the store's own, and ``overrides`` are laid over them. No text
        of a question is refused.

        Raises SettingsError for settings that cannot be used.
        """
        chosen = (settings or self.settings).overlaid(overrides)
        if take is not None and take != chosen.take.count:
            chosen = chosen.overlaid({"take": {"count": take}})
        with self._lock:  # readers of Whoosh share file positions
            return self._answered(self._latest(), chosen, question, Where(where or {}))

    def missing(self, ids: Sequence[str]) -> list[str]:
        """Those of the ids that no document of the store has."""
        with self._lock:
            return self._latest().missing(ids)

    def _latest(self) -> Reading:
        if self._reading is None:
            self._reading = Reading(self.index.searcher())
        else:
            searcher = self._reading.searcher.refresh()
            if searcher is not self._reading.searcher:
                self._reading = Reading(searcher)
        return self._reading

    def _answered(
        self, reading: Reading, settings: Settings, question: str, where: Where
    ) -> Answer:
        prepared = reading.under(settings)
        weighed = prepared.weighing.weigh(question)
        weighed = weighed.only(where.passing(reading, weighed.hits.docs))
        kinds = reading.kinds(weighed.hits.docs)
        contenders, cuts = fetched(weighed, kinds, prepared.identity, settings)
        ranking = ranked(contenders, prepared.identity, settings.gap)
        chosen = taken(ranking, settings)
        return self._filled(reading, prepared, question, where, weighed, cuts, ranking, chosen)

    def _filled(
        self,
        reading: Reading,
        prepared: Prepared,
        question: str,
        where: Where,
        weighed: Weighed,
        cuts: tuple[Cut, ...],
        ranking: Sequence[Contender],
        chosen: Taken,
    ) -> Answer:
        settings = prepared.settings
        certainty = _certainty(weighed, chosen.chosen, ranking, settings)
        helped: set[int] = set()
        if chosen.by_limit or any(line.kept < line.candidates for line in cuts):
            helped = {c.doc for c in chosen.chosen} - unaided(weighed, prepared.identity, settings)
        pieces = tuple(
            piece(
                rank,
                contender,
                chosen.placements[contender.doc],
                reading,
                weighed,
                prepared.weighing,
                settings.excerpt,
                contender.doc in helped,
            )
            for rank, contender in enumerate(chosen.chosen, start=1)
        )
        digest = index_digest(self.index, reading.generation)

        def passes(doc: int) -> bool:
            return bool(where.passing(reading, np.array([doc], np.int64))[0])

        return Answer(
            question=question,
            pieces=pieces,
            confidence=certainty.level,
            certainty=certainty,
            related=related(chosen.chosen, reading, settings.related, passes),
            fallback=settings.fallback if certainty.level == "low" else None,
            fetched=cuts,
            cut=cut_line(chosen),
            next=next_ones(chosen, reading),
            terms=weighed.terms,
            unseen=len(weighed.unseen) / len(weighed.terms) if weighed.terms else 0.0,
            concepts=weighed.concepts,
            warnings=_warnings(settings),
            generation=reading.generation,
            digest=digest,
            statistics=prepared.statistics,
            gap=settings.gap,
            fingerprint=fingerprint(
                pieces, settings, prepared.statistics, digest, reading.generation
            ),
        )


def _certainty(
    weighed: Weighed,
    chosen: Sequence[Contender],
    ranking: Sequence[Contender],
    settings: Settings,
) -> Certainty:
    # Read from the first piece after ordering: a route or a band can put a lower scorer first,
    # and then the answer is as sure as that one.
    first = chosen[0] if chosen else None
    score = None if first is None else first.score
    if settings.weighting == "guidance":
        return by_points(score, weighed.common, settings.confidence)
    others = max((c.score for c in ranking if c is not first), default=None)
    earned = [] if first is None else weighed.earned(first.doc)
    return by_share(score, others, weighed, earned, settings.confidence)


def _warnings(settings: Settings) -> tuple[str, ...]:
    if settings.weighting != "guidance":
        return ()
    return (
        "confidence compares score points with fixed thresholds, and under live statistics "
        "scores drift with the corpus",
    )


def open_store(
    path: str | os.PathLike[str],
    settings: Settings | Mapping[str, Any] | str | os.PathLike[str] | None = None,
) -> Store:
    """Opens an index that ``steadyrank build`` wrote, to answer questions from.

    ``settings``: a TOML file, a mapping of the same shape, or Settings. Raises NoIndexError for a
    folder without an index, SettingsError for settings that cannot be used and for an index that
    is not a store's.
    """
    if settings is None or isinstance(settings, Settings):
        chosen = settings
    elif isinstance(settings, Mapping):
        chosen = Settings.of(settings)
    else:
        chosen = Settings.load(Path(settings))
    return Store(open_index(path), chosen)
