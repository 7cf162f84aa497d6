"""A store that answers: fetch under quotas, rank, take."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from steadyrank.analysis import Spoken
from steadyrank.answering.answer import Answer, Piece
from steadyrank.answering.certainty import Certainty, by_points, by_share
from steadyrank.answering.contender import Contender
from steadyrank.answering.excerpts import excerpt
from steadyrank.answering.faults import SettingsError
from steadyrank.answering.fetching import fetched
from steadyrank.answering.fingerprint import fingerprint
from steadyrank.answering.pieces import cut_line, next_ones, piece, related
from steadyrank.answering.reading import Prepared, Reading
from steadyrank.answering.settings import Settings
from steadyrank.answering.stages import SHOWN_AFTER, Taken, helped, ranked, taken
from steadyrank.answering.weighing import Weighed
from steadyrank.answering.where import Where
from steadyrank.index import SteadyIndex, is_store, open_index
from steadyrank.order import Cut
from steadyrank.postings.locks import lock


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
        self._lock = lock()
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
        after: int = SHOWN_AFTER,
        **overrides: Any,
    ) -> Answer:
        """The pieces that answer a question, chosen the same way every time.

        ``take`` is how many. ``where`` keeps documents whose fields or attributes have these
        values (a list: one of them; see docs/answers.md); when none has, the answer is empty.
        ``settings`` stand in for the store's own, and ``overrides`` are laid over them. ``after``:
        how many of the candidates left out are named. No text of a question is refused.

        Raises SettingsError for settings that cannot be used.
        """
        chosen = (settings or self.settings).overlaid(overrides)
        if take is not None and take != chosen.take.count:
            chosen = chosen.overlaid({"take": {"count": take}})
        with self._lock:  # readers of Whoosh share file positions
            return self._answered(self._latest(), chosen, question, Where(where or {}), after)

    def missing(self, ids: Sequence[str]) -> list[str]:
        """Those of the ids that no document of the store has."""
        with self._lock:
            return self._latest().missing(ids)

    def contents(self, ids: Sequence[str]) -> dict[str, str]:
        """A short hash of all that is stored of each of these documents; none for missing ones."""
        with self._lock:
            return self._latest().contents(ids)

    def origin(self) -> tuple[int, str | None, int]:
        """Generation, digest (None where there is none) and number of live documents."""
        with self._lock:
            reading = self._latest()
            return reading.generation, reading.digest, int(reading.searcher.doc_count())

    def _latest(self) -> Reading:
        if self._reading is None:
            self._reading = Reading(self.index, self.index.searcher())
        else:
            searcher = self._reading.searcher.refresh()
            if searcher is not self._reading.searcher:
                self._reading = Reading(self.index, searcher)
        return self._reading

    def _answered(
        self, reading: Reading, settings: Settings, question: str, where: Where, after: int
    ) -> Answer:
        prepared = reading.under(settings)
        weighed = prepared.weighing.weigh(question)
        if where:
            weighed = weighed.only(where.passing(reading, weighed.hits.docs))
        kinds = reading.kinds(weighed.hits.docs)
        contenders, cuts = fetched(weighed, kinds, prepared.identity, settings)
        ranking = ranked(contenders, prepared.identity, settings)
        chosen = taken(ranking, settings, after)
        return self._filled(
            reading, prepared, question, where, weighed, cuts, ranking, chosen, after
        )

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
        after: int,
    ) -> Answer:
        settings = prepared.settings
        pieces, linking = _pieces(reading, prepared, weighed, cuts, chosen)
        certainty = _certainty(weighed, pieces, chosen.chosen, ranking, settings)

        def passes(doc: int) -> bool:
            return bool(where.passing(reading, np.array([doc], np.int64))[0])

        return Answer(
            question=question,
            pieces=pieces,
            confidence=certainty.level,
            certainty=certainty,
            related=related(linking, reading, settings.related, passes),
            fallback=settings.fallback if certainty.level == "low" else None,
            fetched=cuts,
            cut=cut_line(chosen),
            next=next_ones(chosen, reading, after),
            terms=weighed.terms,
            unseen=len(weighed.unseen) / len(weighed.terms) if weighed.terms else 0.0,
            concepts=weighed.concepts,
            warnings=_warnings(settings),
            generation=reading.generation,
            digest=reading.digest,
            statistics=prepared.statistics,
            gap=settings.gap,
            fingerprint=fingerprint(
                pieces, prepared.fingerprint, reading.digest, reading.generation
            ),
        )


def _pieces(
    reading: Reading,
    prepared: Prepared,
    weighed: Weighed,
    cuts: Sequence[Cut],
    chosen: Taken,
) -> tuple[tuple[Piece, ...], dict[int, dict[str, Any]]]:
    # The pieces, and the stored fields that they were made from.
    settings, words = prepared.settings, frozenset(weighed.terms)
    by_quota = helped(chosen, cuts, weighed, prepared.identity, settings)
    stored = {contender.doc: reading.stored(contender.doc) for contender in chosen.chosen}
    earned = weighed.earned(list(stored))
    pieces = []
    for rank, (contender, why) in enumerate(zip(chosen.chosen, earned, strict=True), start=1):
        fields = stored[contender.doc]
        text = str(fields.get("text") or "")
        spoken = Spoken(text, str(fields.get("language") or ""))
        shown = excerpt(text, prepared.weighing.words_of(spoken), words, settings.excerpt)
        placement = chosen.placements[contender.doc]
        pieces.append(
            piece(rank, contender, fields, placement, contender.doc in by_quota, why, shown)
        )
    return tuple(pieces), stored


def sure_of(chosen: Sequence[Contender]) -> int | None:
    """The place (from 0) of the piece that an answer is as sure as: the first after ordering.

    A route or a band can put a lower scorer first, and then the answer is as sure as that one.
    None without a piece.
    """
    return 0 if chosen else None


def _certainty(
    weighed: Weighed,
    pieces: Sequence[Piece],
    chosen: Sequence[Contender],
    ranking: Sequence[Contender],
    settings: Settings,
) -> Certainty:
    place = sure_of(chosen)
    first = None if place is None else chosen[place]
    score = None if first is None else first.score
    if settings.weighting == "guidance":
        return by_points(score, weighed.common, settings.confidence)
    others = max((c.score for c in ranking if c is not first), default=None)
    why = () if place is None else pieces[place].why
    return by_share(score, others, weighed, why, settings.confidence)


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
