"""A store that answers: fetch under quotas, rank, take."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import threading
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from steadyrank.answering.answer import Answer, CutLine, Fingerprint, Next, Piece, Related
from steadyrank.answering.certainty import Certainty, by_points, by_share
from steadyrank.answering.excerpts import excerpt
from steadyrank.answering.guidance import GuidanceWeighing, Sections
from steadyrank.answering.indexed import IndexedWeighing
from steadyrank.answering.settings import Settings, SettingsError
from steadyrank.answering.weighing import Weighed, Weighing
from steadyrank.answering.where import Where
from steadyrank.collecting.selection import RankingScores, select
from steadyrank.index import SteadyIndex, is_store, open_index
from steadyrank.order import (
    Cut,
    Policy,
    arrange,
    band_ends,
    placements,
    take,
    total_order,
)
from steadyrank.pinned import provider
from steadyrank.postings import Identity, IndexView, record_id
from steadyrank.provenance import index_digest
from steadyrank.scoring import Evaluator, Hits

_CODE = re.compile(r"^(```|~~~)[^\n]*\n(.*?)^\1", re.MULTILINE | re.DOTALL)
_FIRST = re.compile(
    r"\b(before you|prerequisite|requirement|install|set ?up|getting started)", re.I
)
_LAST = re.compile(r"\b(verif|test|check|confirm|troubleshoot|validate)", re.I)

# How many candidates after the pieces an answer names.
_NEXT = 4


@dataclass(frozen=True, slots=True)
class _Contender:
    """A candidate of an answer, as the order core and the quotas take it."""

    score: float
    id: Any
    document: Any
    route: int
    doc: int
    kind: str


class Store:
    """Answers questions from one index under one set of settings. Threads may share it.

    It follows the index: an answer is always of one generation, the latest when it is asked.
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
        self._searcher: Any = None
        self._sections: WeakKeyDictionary[Any, Sections] = WeakKeyDictionary()

    def close(self) -> None:
        """Closes the files; the next answer opens them again."""
        with self._lock:
            if self._searcher is not None:
                self._searcher.close()
                self._searcher = None

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def answer(
        self,
        question: str,
        take: int | None = None,
        where: Mapping[str, Any] | None = None,
        **overrides: Any,
    ) -> Answer:
        """The pieces that answer a question, chosen the same way every time.

        ``take`` is how many. ``where`` keeps documents whose fields or attributes have these
        values (a list: one of them); when none has, the answer is empty. ``overrides`` are
        settings for this question. No text of a question is refused.

        Raises SettingsError for settings that cannot be used.
        """
        settings = self.settings.overlaid(overrides)
        if take is not None:
            settings = settings.overlaid({"take": {"count": take}})
        with self._lock:  # readers of Whoosh share file positions
            searcher = self._latest()
            return _Asked(self.index, searcher, settings, self._sections).answer(question, where)

    def _latest(self) -> Any:
        if self._searcher is None:
            self._searcher = self.index.searcher()
        else:
            self._searcher = self._searcher.refresh()
        return self._searcher


class _Asked:
    """One question on its way: everything that is the same for its stages."""

    def __init__(
        self,
        index: SteadyIndex,
        searcher: Any,
        settings: Settings,
        sections: WeakKeyDictionary[Any, Sections],
    ) -> None:
        self._index = index
        self._searcher = searcher
        self._settings = settings
        self._view = IndexView(searcher.reader())
        self._policy = Policy(
            gap=settings.gap,
            select=settings.select,
            tiebreak=settings.tiebreak,
            statistics=settings.statistics,
            id_field="id",
            document_field="document",
        )
        self._identity = Identity(self._view, self._policy)
        statistics = provider(settings.statistics, self._view)
        self._statistics = statistics.name
        self._weighing: Weighing
        if settings.weighting == "guidance":
            reader = searcher.reader()
            if reader not in sections:
                sections[reader] = Sections(self._view)
            self._weighing = GuidanceWeighing(sections[reader], settings)
        else:
            evaluator = Evaluator(searcher, statistics=statistics, view=self._view)
            self._weighing = IndexedWeighing(evaluator, settings)

    def answer(self, question: str, where: Mapping[str, Any] | None) -> Answer:
        weighed = self._weighing.weigh(question)
        if where:
            weighed = _only(weighed, Where(where).passing(self._view, weighed.hits.docs))
        contenders, cuts = self._fetch(weighed)
        ranking = self._rank(contenders)
        pieces = self._take(ranking)
        return self._filled(question, weighed, cuts, ranking, pieces)

    # Fetch: of each kind the first of its quota in the total order.

    def _fetch(self, weighed: Weighed) -> tuple[list[_Contender], tuple[Cut, ...]]:
        fetch = self._settings.fetch
        hits, routes = weighed.hits, weighed.routes
        kinds = self._kinds(hits)
        contenders: list[_Contender] = []
        cuts: list[Cut] = []
        plain = replace(self._policy, gap=0.0, select="band")
        for kind in sorted(set(kinds.tolist())):
            places = np.flatnonzero(kinds == kind)
            quota = None if fetch.unlimited else fetch.quotas.get(kind, fetch.other)
            own = Hits(hits.docs[places], hits.scores[places])
            limit = None if quota is None else min(quota, places.size)
            wanted = None if limit is None else min(limit + 1, places.size)
            chosen = select(
                own, self._identity, plain, wanted, None if routes is None else routes[places]
            )
            ordered = chosen.top
            kept = ordered if limit is None else ordered[:limit]
            left = ordered[len(kept) :]
            contenders += [
                _Contender(entry.score, entry.id, entry.document, entry.route, entry.doc, kind)
                for entry in kept
            ]
            cuts.append(
                Cut(
                    kind=kind,
                    candidates=int(places.size),
                    kept=len(kept),
                    score=kept[-1].score if kept else None,
                    in_tie=bool(kept and left and left[0].score == kept[-1].score),
                )
            )
        return contenders, tuple(cuts)

    def _kinds(self, hits: Hits) -> Any:
        found = np.empty(hits.docs.size, object)
        for segment, start, stop, offset in self._view.split(hits.docs):
            codes, names = segment.coded("kind")
            found[start:stop] = np.array(names, object)[codes[hits.docs[start:stop] - offset]]
        return found

    # Rank: all fetched candidates in one order, with their own ids now.

    def _rank(self, contenders: list[_Contender]) -> list[_Contender]:
        docs = np.array([contender.doc for contender in contenders], np.int64)
        keys = self._identity.keys(docs)
        documents = self._identity.documents(docs, keys)
        known = [
            replace(contender, id=key, document=document)
            for contender, key, document in zip(contenders, keys, documents, strict=True)
        ]
        return arrange(known, self._policy.gap)

    # Take: the first so many that the limits allow.

    def _take(self, ranking: list[_Contender]) -> list[_Contender]:
        settings = self._settings
        limits = settings.take.limits
        if settings.gap and settings.select == "score":
            chosen = take(sorted(ranking, key=total_order), settings.take.count, limits)
            return arrange(chosen, settings.gap)
        return take(ranking, settings.take.count, limits)

    # The answer.

    def _filled(
        self,
        question: str,
        weighed: Weighed,
        cuts: tuple[Cut, ...],
        ranking: list[_Contender],
        chosen: list[_Contender],
    ) -> Answer:
        settings = self._settings
        scores = RankingScores(
            np.array([c.score for c in ranking], np.float64),
            np.array([c.route for c in ranking], np.int64),
        )
        placed = {
            contender.doc: placement
            for contender, placement in zip(
                ranking, placements(ranking, settings.gap, scores), strict=True
            )
        }
        if settings.gap and settings.select == "score":
            inside = placements(chosen, settings.gap, scores)
            placed.update({c.doc: p for c, p in zip(chosen, inside, strict=True)})
        first = {contender.doc for contender in ranking[: len(chosen)]}
        pieces = tuple(
            self._piece(rank, contender, placed[contender.doc], weighed, contender.doc in first)
            for rank, contender in enumerate(chosen, start=1)
        )
        taken = {contender.doc for contender in chosen}
        after = [contender for contender in ranking if contender.doc not in taken]
        certainty = self._certainty(weighed, chosen, ranking)
        generation = self._searcher.reader().generation()
        digest = index_digest(self._index, generation)
        low = certainty.level == "low"
        return Answer(
            question=question,
            pieces=pieces,
            confidence=certainty.level,
            certainty=certainty,
            related=self._related(chosen),
            fallback=settings.fallback if low else None,
            fetched=cuts,
            cut=_cut_line(chosen, after, ranking, settings.gap),
            next=tuple(
                Next(
                    id=record_id(self._view, "id", c.doc),
                    title=str(self._searcher.stored_fields(c.doc).get("title", "")),
                    score=c.score,
                    route=c.route,
                    band=placed[c.doc].band,
                )
                for c in after[:_NEXT]
            ),
            terms=weighed.terms,
            unseen=len(weighed.unseen) / len(weighed.terms) if weighed.terms else 0.0,
            concepts=weighed.concepts,
            warnings=self._warnings(),
            generation=generation,
            digest=digest,
            statistics=self._statistics,
            gap=settings.gap,
            fingerprint=_fingerprint(pieces, settings, digest, generation),
        )

    def _warnings(self) -> tuple[str, ...]:
        absolute = self._settings.confidence.high > 1
        if absolute and (self._settings.weighting == "guidance" or self._statistics == "live"):
            return (
                "confidence compares score points with fixed thresholds, and under live "
                "statistics scores drift with the corpus",
            )
        return ()

    def _certainty(
        self, weighed: Weighed, chosen: Sequence[_Contender], ranking: Sequence[_Contender]
    ) -> Certainty:
        # Read from the first piece after ordering: a route or a band can put a lower scorer
        # first, and then the answer is as sure as that one.
        score = chosen[0].score if chosen else None
        if self._settings.weighting == "guidance":
            return by_points(score, weighed.common, self._settings.confidence)
        others = [c.score for c in ranking if not chosen or c.doc != chosen[0].doc]
        return by_share(
            score,
            max(others, default=None),
            weighed.reachable,
            weighed.common,
            self._settings.confidence,
        )

    def _piece(
        self, rank: int, contender: _Contender, placement: Any, weighed: Weighed, is_first: bool
    ) -> Piece:
        stored = self._searcher.stored_fields(contender.doc)
        text = str(stored.get("text", ""))
        heading = str(stored.get("heading", ""))
        title = str(stored.get("title", ""))
        cut = excerpt(
            text, self._weighing.words_of(text), set(weighed.terms), self._settings.excerpt
        )
        tags = str(stored.get("tags", ""))
        return Piece(
            rank=rank,
            id=record_id(self._view, "id", contender.doc),
            document=str(stored.get("document", "")),
            kind=contender.kind,
            title=title,
            heading=heading,
            text=text,
            url=str(stored.get("url", "")),
            tags=tuple(tags.split("\n")) if tags else (),
            language=str(stored.get("language", "")),
            attributes=MappingProxyType(json.loads(stored.get("attributes") or "{}")),
            excerpt=cut.text,
            excerpt_matches=cut.matches,
            score=contender.score,
            route=contender.route,
            band=placement.band,
            decided_by=placement.decided_by if is_first else "quota",
            headroom=placement.headroom,
            margin=placement.margin,
            tie_size=placement.tie_size,
            why=tuple(self._weighing.contributions(contender.doc, weighed)),
            stage=stage_of(heading or title),
            code=tuple(match.group(2).rstrip() for match in _CODE.finditer(text)),
        )

    def _related(self, chosen: Sequence[_Contender]) -> tuple[Related, ...]:
        limit = self._settings.related
        shown = {contender.doc for contender in chosen}
        found: dict[str, Related] = {}
        for contender in chosen:
            stored = self._searcher.stored_fields(contender.doc)
            for target, relation in json.loads(stored.get("links") or "[]"):
                if len(found) >= limit:
                    return tuple(found.values())
                doc = self._doc_of(target)
                if doc is None or doc in shown or target in found:
                    continue
                linked = self._searcher.stored_fields(doc)
                name = linked.get("heading") or linked.get("title") or target
                found[target] = Related(target, str(name), relation, str(stored["id"]))
        return tuple(found.values())

    def _doc_of(self, id: str) -> int | None:
        docs = self._view.postings("id", id.encode("utf-8", "surrogatepass")).docs
        return int(docs[0]) if docs.size else None


def _only(weighed: Weighed, passing: Any) -> Weighed:
    hits = Hits(weighed.hits.docs[passing], weighed.hits.scores[passing])
    routes = None if weighed.routes is None else weighed.routes[passing]
    return replace(weighed, hits=hits, routes=routes)


def stage_of(heading: str) -> str:
    """What a reader would do with a section, by its heading: prepare, do, or verify."""
    if _FIRST.search(heading):
        return "prerequisite"
    return "verification" if _LAST.search(heading) else "implementation"


def _cut_line(
    chosen: Sequence[_Contender],
    after: Sequence[_Contender],
    ranking: Sequence[_Contender],
    gap: float,
) -> CutLine:
    if not chosen or not after:
        return CutLine(None, False, False)
    last, out = chosen[-1], after[0]
    same_band = False
    if gap:
        ordered = sorted(ranking, key=total_order)
        start = 0
        for end in band_ends(ordered, gap):
            docs = {contender.doc for contender in ordered[start:end]}
            if last.doc in docs:
                same_band = out.doc in docs
                break
            start = end
    return CutLine(last.score - out.score, last.score == out.score, same_band)


def _fingerprint(
    pieces: Sequence[Piece], settings: Settings, digest: str | None, generation: int
) -> Fingerprint:
    from steadyrank import __version__

    return Fingerprint(
        pieces=_short([[piece.id, piece.score.hex(), piece.text] for piece in pieces]),
        settings=_short(settings.model_dump(mode="json")),
        index=_short(digest or generation),
        versions=_short(
            {
                "steadyrank": __version__,
                "whoosh": _whoosh_version(),
                "python": platform.python_version(),
                "unicode": unicodedata.unidata_version,
            }
        ),
    )


def _whoosh_version() -> str:
    import whoosh

    return repr(getattr(whoosh, "__version__", "unknown"))


def _short(content: Any) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()[:16]


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
