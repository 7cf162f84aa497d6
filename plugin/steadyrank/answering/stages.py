"""The stages after the fetch: rank and take. They decide by the order and keep it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from steadyrank.answering.contender import Contender, asks_for_documents, ids_of, policy_of
from steadyrank.answering.settings import Settings
from steadyrank.answering.weighing import Weighed
from steadyrank.collecting.selection import RankingScores, select
from steadyrank.order import Cut, Placement, arrange, placements, take, total_order
from steadyrank.postings import Identity

# How many candidates after the pieces an answer names.
SHOWN_AFTER = 4


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


def ranked(
    contenders: Sequence[Contender], identity: Identity, settings: Settings
) -> list[Contender]:
    """All fetched candidates in their one order.

    Ids are read where they decide: among equal scores, and everywhere for bands and for limits
    per document.
    """
    counts = Counter(contender.score for contender in contenders)
    everywhere = asks_for_documents(settings)
    missing = [
        contender.id == () and (everywhere or counts[contender.score] > 1)
        for contender in contenders
    ]
    docs = np.array([contender.doc for contender in contenders], np.int64)
    ids, documents = ids_of(identity, docs, np.array(missing, np.bool_), settings)
    known = [
        contender._replace(id=id, document=document) if asked else contender
        for contender, asked, id, document in zip(contenders, missing, ids, documents, strict=True)
    ]
    return arrange(known, settings.gap)


def taken(
    ranking: Sequence[Contender], settings: Settings, shown_after: int = SHOWN_AFTER
) -> Taken:
    """The first so many that the limits allow, in the ranking's order.

    ``shown_after``: how many of those left out have their placement said.
    """
    gap = settings.gap
    by_score = bool(gap) and settings.select == "score"
    walked = sorted(ranking, key=total_order) if by_score else list(ranking)
    chosen = take(walked, settings.take.count, settings.take.limits)
    inside = {contender.doc for contender in chosen}
    after = [contender for contender in walked if contender.doc not in inside]
    by_limit = chosen != walked[: len(chosen)]
    if by_score:  # bands arrange only those inside
        chosen = arrange(chosen, gap)
    said = after[:shown_after]
    return Taken(chosen, after, _placements(walked, chosen, said, gap, by_score), by_limit)


def _placements(
    walked: Sequence[Contender],
    chosen: Sequence[Contender],
    said: Sequence[Contender],
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
    shown = {contender.doc for contender in (*chosen, *said)}
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
