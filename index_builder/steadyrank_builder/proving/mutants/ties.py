"""Ties that the id does not settle, or the wrong way round."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from steadyrank.order import Cut, cut
from steadyrank.postings import Identity
from steadyrank.postings.identity import Descending
from steadyrank_builder.proving.exchange import Change
from steadyrank_builder.proving.mutation import Mutation, Occasions

# Kept here, since inside an exchange the names are bound to the mutants.
_KEYS, _DOCUMENTS = Identity.keys, Identity.documents


def _reversed(occasions: Occasions) -> Sequence[Change]:
    def keys(identity: Identity, docs: Any) -> list[Any]:
        if docs.size > 1:  # a single one is compared with nothing
            occasions.met()
        return [Descending(key) for key in _KEYS(identity, docs)]

    def documents(identity: Identity, docs: Any, keys: list[Any]) -> list[Any]:
        plain = [key.key for key in keys]
        return [Descending(document) for document in _DOCUMENTS(identity, docs, plain)]

    return (Change(_KEYS, keys, Identity), Change(_DOCUMENTS, documents, Identity))


def _by_number(occasions: Occasions) -> Sequence[Change]:
    def by_number(
        kind: str, ordered: Sequence[Any], quota: int | None, candidates: int
    ) -> tuple[Sequence[Any], Cut]:
        if cut(kind, ordered, quota, candidates)[1].in_tie:
            occasions.met()
        # The later written comes first. In an index that was written in the order of its ids the
        # other way round would be the right one, by that accident.
        fallen = sorted(ordered, key=lambda one: (one.route, -one.score, -one.doc))
        return cut(kind, fallen, quota, candidates)

    return (Change(cut, by_number),)


TIES = (
    Mutation(
        name="tie-break-reversed",
        what="of equal scores, and within a band, the last id comes first",
        guarded="the tie-break",
        wanted="documents with equal scores, expected in the order of their ids",
        occasion="no two candidates of any case tie or share a band",
        changes=_reversed,
    ),
    Mutation(
        name="fetch-without-tie-break",
        what="of equal scores at a quota the last document number is fetched",
        guarded="the fetch",
        wanted=(
            "more equal scores of one kind than its quota fetches, where the first by id are "
            "expected"
        ),
        occasion="no quota of any case cuts through a tie",
        changes=_by_number,
    ),
)
