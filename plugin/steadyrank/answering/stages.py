"""The three stages of an answer: fetch, rank, take. Each decides by the order and keeps it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from steadyrank.answering.settings import Settings
from steadyrank.answering.weighing import Weighed
from steadyrank.arithmetic import Scores, largest_first
from steadyrank.collecting.selection import RankingScores, select
from steadyrank.order import Cut, Placement, Policy, arrange, cut, placements, take, total_order
from steadyrank.postings import Identity
from steadyrank.postings.decode import Docs

# How many candidates after the pieces an answer names.
SHOWN_AFTER = 4


class Contender(NamedTuple):
    """A candidate of an answer, as the order core and the quotas take it; ``doc`` its number.

    A tuple, since an answer makes a hundred of them and a frozen dataclass takes its time.
    """

    score: float
    id: Any
    document: Any
    route: int
    doc: int
    kind: str


@dataclass(frozen=True, slots=True)
class Taken:
    """The pieces of an answer and who was left out, both in order, and what decided each place.

    ``placements``, by document number, are those of ``chosen`` and of the first of ``after``.
    ``by_limit``: not the ranking but a limit put the first one left out behind the last one in.
    """

    chosen: list[Contender]
    after: list[Contender]
    placements: dict[int, Placement]
    by_limit: bool


def policy_of(settings: Settings) -> Policy:
    """The order that the settings speak of, for a store's fields."""
    return Policy(
        gap=settings.gap,
        select=settings.select,
        tiebreak=settings.tiebreak,
        statistics=settings.statistics,
        id_field="id",
        document_field="document",
    )


def fetched(
    weighed: Weighed,
    kinds: tuple[NDArray[np.int64], Sequence[str]],
    identity: Identity,
    settings: Settings,
) -> tuple[list[Contender], tuple[Cut, ...]]:
    """Of each kind the first of its quota by (route, score, id), as ``order.fetch`` says.

    ``kinds``: a code for each hit, and the kinds that the codes stand for. Only candidates that a
    cut runs through have their ids read; the others keep ``()``, which nothing has looked at.
    """
    codes, names = kinds
    docs, scores, routes = weighed.hits.docs, weighed.hits.scores, weighed.routes
    quotas = {name: _quota(name, settings) for name in names}
    counts = np.bincount(codes, minlength=len(names)).tolist()
    high = None if routes is not None else _high(scores, quotas.values())
    contenders: list[Contender] = []
    lines: list[Cut] = []
    for kind, code in sorted((name, code) for code, name in enumerate(names)):
        if not counts[code]:
            continue
        quota = quotas[kind]
        places = None if high is None else high[codes[high] == code]
        if places is None or quota is None or places.size < min(quota, counts[code]):
            places = np.flatnonzero(codes == code)
        near, tied = _near_cut(places, scores, routes, quota)
        ids = documents = [()] * near.size
        if tied is not None:
            ids, documents = _ids(identity, docs[near], tied, settings)
        pool = [
            Contender(*fields, kind)
            for fields in zip(
                scores[near].tolist(),
                ids,
                documents,
                [0] * near.size if routes is None else routes[near].tolist(),
                docs[near].tolist(),
                strict=True,
            )
        ]
        kept, line = cut(kind, arrange(pool, 0.0), quota, counts[code])
        contenders += kept
        lines.append(line)
    return contenders, tuple(lines)


def _quota(kind: str, settings: Settings) -> int | None:
    fetch = settings.fetch
    return None if fetch.unlimited else fetch.quotas.get(kind, fetch.other)


def _high(scores: Scores, quotas: Iterable[int | None]) -> NDArray[np.int64] | None:
    # The places of all scores from some bound on, where most kinds find what they need. The bound
    # is read off every eighth score and is a guess: a kind that finds too little looks at all of
    # its own. None where that saves nothing.
    sample, wanted = scores[::8], 0
    for quota in quotas:
        wanted += quota or 0
    if not 0 < wanted // 2 < sample.size:
        return None
    return np.flatnonzero(scores >= largest_first(sample, wanted // 2))


def _near_cut(
    places: NDArray[np.int64], scores: Scores, routes: Docs | None, quota: int | None
) -> tuple[NDArray[np.int64], NDArray[np.bool_] | None]:
    # Of one kind's places those that can be within the quota, with all that tie with the last of
    # them; and which these are, where there are more of them than the quota has room for.
    if quota is None or places.size <= quota:
        return places, None
    if not quota:
        return places[:0], None
    whole: list[NDArray[np.int64]] = []
    if routes is not None:  # the routes that are in as a whole, then the one that is cut
        own = routes[places]
        for route in np.unique(own):
            group = places[own == route]
            if group.size > quota:
                places = group
                break
            whole.append(group)
            quota -= group.size
            if not quota:
                return np.concatenate(whole), None
    left = scores[places]
    group = places[left >= largest_first(left, quota)]
    near = np.concatenate([*whole, group])
    if group.size == quota:
        return near, None
    return near, np.arange(near.size) >= near.size - group.size


def _ids(
    identity: Identity, docs: Docs, which: NDArray[np.bool_], settings: Settings
) -> tuple[list[Any], list[Any]]:
    """Ids and documents of these documents, ``()`` where they are not asked for.

    Documents are read where bands or limits ask for them; else they are not looked at.
    """
    wanted = np.flatnonzero(which)
    read = identity.keys(docs[wanted])
    of = identity.documents(docs[wanted], read) if _asks_for_documents(settings) else read
    ids: list[Any] = [()] * docs.size
    documents: list[Any] = [()] * docs.size
    for place, id, document in zip(wanted.tolist(), read, of, strict=True):
        ids[place], documents[place] = id, document
    return ids, documents


def _asks_for_documents(settings: Settings) -> bool:
    return bool(settings.gap or settings.take.per_document)


def ranked(
    contenders: Sequence[Contender], identity: Identity, settings: Settings
) -> list[Contender]:
    """All fetched candidates in their one order.

    Ids are read where they decide: among equal scores, and everywhere for bands and for limits
    per document.
    """
    counts = Counter(contender.score for contender in contenders)
    everywhere = _asks_for_documents(settings)
    missing = [
        contender.id == () and (everywhere or counts[contender.score] > 1)
        for contender in contenders
    ]
    docs = np.array([contender.doc for contender in contenders], np.int64)
    ids, documents = _ids(identity, docs, np.array(missing, np.bool_), settings)
    known = [
        contender._replace(id=id, document=document) if asked else contender
        for contender, asked, id, document in zip(contenders, missing, ids, documents, strict=True)
    ]
    return arrange(known, settings.gap)


def taken(ranking: Sequence[Contender], settings: Settings) -> Taken:
    """The first so many that the limits allow, in the ranking's order."""
    gap = settings.gap
    by_score = bool(gap) and settings.select == "score"
    walked = sorted(ranking, key=total_order) if by_score else list(ranking)
    chosen = take(walked, settings.take.count, settings.take.limits)
    inside = {contender.doc for contender in chosen}
    after = [contender for contender in walked if contender.doc not in inside]
    by_limit = chosen != walked[: len(chosen)]
    if by_score:  # bands arrange only those inside
        chosen = arrange(chosen, gap)
    return Taken(chosen, after, _placements(walked, chosen, after, gap, by_score), by_limit)


def _placements(
    walked: Sequence[Contender],
    chosen: Sequence[Contender],
    after: Sequence[Contender],
    gap: float,
    by_score: bool,
) -> dict[int, Placement]:
    scores = RankingScores(
        np.array([contender.score for contender in walked], np.float64),
        np.array([contender.route for contender in walked], np.int64),
    )
    if by_score:
        of_doc = _by_doc(walked, placements(walked, 0.0, scores))
        return of_doc | _by_doc(chosen, placements(chosen, gap, scores))
    if gap:
        return _by_doc(walked, placements(walked, gap, scores))
    # Without bands a placement looks at the neighbour alone: as far down as anybody is shown.
    shown = {contender.doc for contender in (*chosen, *after[:SHOWN_AFTER])}
    last = max((n for n, contender in enumerate(walked) if contender.doc in shown), default=0)
    shown_part = walked[: max(last + 1, 2)]
    return _by_doc(shown_part, placements(shown_part, 0.0, scores))


def _by_doc(contenders: Sequence[Contender], placed: Sequence[Placement]) -> dict[int, Placement]:
    pairs = zip(contenders, placed, strict=True)
    return {contender.doc: placement for contender, placement in pairs}


def helped(
    taken: Taken, cuts: Sequence[Cut], weighed: Weighed, identity: Identity, settings: Settings
) -> set[int]:
    """The documents that are in only through a quota or limit: without any, others would be."""
    count, fetch = settings.take.count, settings.fetch
    short = any(
        line.kept < line.candidates and fetch.quotas.get(line.kind, fetch.other) < count
        for line in cuts
    )
    # Quotas that leave at least as many of each kind as are taken cannot keep anybody out, but
    # where a band reaches past them.
    if not (short or taken.by_limit or settings.gap):
        return set()
    top = select(
        weighed.hits, identity, policy_of(settings), settings.take.count, weighed.routes
    ).top
    return {contender.doc for contender in taken.chosen} - {entry.doc for entry in top}
