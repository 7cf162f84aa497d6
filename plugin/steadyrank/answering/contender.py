"""A candidate of an answer, and how its id is read."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from steadyrank.answering.settings import Settings
from steadyrank.order import Policy
from steadyrank.postings import Identity
from steadyrank.postings.decode import Docs


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


def ids_of(
    identity: Identity, docs: Docs, which: NDArray[np.bool_], settings: Settings
) -> tuple[list[Any], list[Any]]:
    """Ids and documents of these documents, ``()`` where they are not asked for.

    Documents are read where bands or limits ask for them; else they are not looked at.
    """
    wanted = np.flatnonzero(which)
    read = identity.keys(docs[wanted])
    of = identity.documents(docs[wanted], read) if asks_for_documents(settings) else read
    ids: list[Any] = [()] * docs.size
    documents: list[Any] = [()] * docs.size
    for place, id, document in zip(wanted.tolist(), read, of, strict=True):
        ids[place], documents[place] = id, document
    return ids, documents


def asks_for_documents(settings: Settings) -> bool:
    """Whether bands or limits look at documents; else only ids among ties are looked at."""
    return bool(settings.gap or settings.take.per_document)
