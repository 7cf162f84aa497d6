"""The three stages of an answer: fetch, rank, take. Each decides by the order and keeps it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steadyrank.answering.settings import Settings
from steadyrank.answering.weighing import Weighed
from steadyrank.collecting.selection import RankingScores, select
from steadyrank.order import Cut, Placement, Policy, arrange, cut, placements, take, total_order
from steadyrank.postings import Identity
from steadyrank.scoring import Hits


@dataclass(frozen=True, slots=True)
class Contender:
    """A candidate of an answer, as the order core and the quotas take it; ``doc`` its number."""

    score: float
    id: Any
    document: Any
    route: int
    doc: int
    kind: str


@dataclass(frozen=True, slots=True)
class Taken:
    """The pieces of an answer and who was left out, both in order, and what decided each place.

    ``placements`` are those of ``chosen`` and then ``after``. ``by_limit``: not the ranking but
    a limit put the first one left out behind the last one in.
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

    ``kinds``: a code for each hit, and the kinds that the codes stand for. Scores are cut as
    arrays, and ids are read only where a tie asks for them.
    """
    codes, names = kinds
    hits, routes = weighed.hits, weighed.routes
    plain = replace(policy_of(settings), gap=0.0, select="band")
    contenders: list[Contender] = []
    lines: list[Cut] = []
    for kind, code in sorted((name, code) for code, name in enumerate(names)):
        places = np.flatnonzero(codes == code)
        if not places.size:
            continue
        quota = None
        if not settings.fetch.unlimited:
            quota = settings.fetch.quotas.get(kind, settings.fetch.other)
        ordered = select(
            Hits(hits.docs[places], hits.scores[places]),
            identity,
            plain,
            None if quota is None else quota + 1,  # one more tells whether the cut is in a tie
            None if routes is None else routes[places],
        ).top
        kept, line = cut(kind, ordered, quota, places.size)
        contenders += [Contender(e.score, e.id, e.document, e.route, e.doc, kind) for e in kept]
        lines.append(line)
    return contenders, tuple(lines)


def ranked(contenders: Sequence[Contender], identity: Identity, gap: float) -> list[Contender]:
    """All fetched candidates in their one order, each with its own id and document."""
    docs = np.array([contender.doc for contender in contenders], np.int64)
    ids = identity.keys(docs)
    documents = identity.documents(docs, ids)
    return arrange(
        [
            replace(contender, id=id, document=document)
            for contender, id, document in zip(contenders, ids, documents, strict=True)
        ],
        gap,
    )


def taken(ranking: Sequence[Contender], settings: Settings) -> Taken:
    """The first so many that the limits allow, in the ranking's order."""
    count, limits, gap = settings.take.count, settings.take.limits, settings.gap
    scores = RankingScores(
        np.array([contender.score for contender in ranking], np.float64),
        np.array([contender.route for contender in ranking], np.int64),
    )
    by_score = bool(gap) and settings.select == "score"
    walked = sorted(ranking, key=total_order) if by_score else list(ranking)
    chosen = take(walked, count, limits)
    inside = {contender.doc for contender in chosen}
    after = [contender for contender in walked if contender.doc not in inside]
    by_limit = chosen != walked[: len(chosen)]
    if by_score:  # bands arrange only those inside
        chosen = arrange(chosen, gap)
        placed = [*placements(chosen, gap, scores), *placements(walked, 0.0, scores)]
        named = [*chosen, *walked]
    else:
        placed, named = placements(ranking, gap, scores), list(ranking)
    of_doc: dict[int, Placement] = {}
    for contender, placement in zip(named, placed, strict=True):
        of_doc.setdefault(contender.doc, placement)
    return Taken(chosen, after, of_doc, by_limit)


def unaided(weighed: Weighed, identity: Identity, settings: Settings) -> set[int]:
    """The documents that would be taken if there were no quotas and no limits."""
    top = select(
        weighed.hits, identity, policy_of(settings), settings.take.count, weighed.routes
    ).top
    return {entry.doc for entry in top}
