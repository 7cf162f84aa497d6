"""Why one document has its score and its place for a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any

import numpy as np

from steadyrank.collecting.selection import ShownBand, select
from steadyrank.errors import SteadyRankError
from steadyrank.index import SteadyIndex
from steadyrank.order import Placement
from steadyrank.pinned import provider
from steadyrank.postings import Identity, IndexView, record_id
from steadyrank.provenance import index_digest
from steadyrank.retrieval.question import Syntax, parsed
from steadyrank.scoring import Evaluator, Explanation, evaluate, explain

# How many of the ids that share a score are named.
_NAMED_TIES = 10


class UnknownIdError(SteadyRankError, KeyError):
    """No live document has this id. ``id`` is the one asked for."""

    def __init__(self, message: str, *, id: str) -> None:
        super().__init__(message)
        self.id = id

    def __str__(self) -> str:  # KeyError would show the repr of the message
        return str(self.args[0])


@dataclass(frozen=True, slots=True)
class Explained:
    """The tree of a score, and what decided the place.

    ``rank`` counts from 1 in the whole ranking; it, ``placement``, ``tied_with`` and ``band``
    are empty for a document that does not match. ``tied_with`` names the first ids with exactly
    the same score, in order, without this one.
    """

    query: str
    id: str
    generation: int
    digest: str | None
    statistics: str
    gap: float
    total: int
    rank: int | None
    placement: Placement | None
    tied_with: tuple[str, ...]
    band: ShownBand | None
    band_leader: str | None
    tree: Explanation

    def to_dict(self) -> dict[str, Any]:
        """For JSON; ``schema`` is the version of this shape."""
        band = None
        if self.band is not None:
            band = {
                "band": self.band.number,
                "leader": self.band_leader,
                "leader_score": self.band.leader.score,
                "size": self.band.size,
                "span": self.band.span,
                "headroom": self.band.headroom,
                "clearance": self.band.clearance,
            }
        return {
            "schema": 1,
            "query": self.query,
            "id": self.id,
            "generation": self.generation,
            "digest": self.digest,
            "statistics": self.statistics,
            "gap": self.gap,
            "total": self.total,
            "rank": self.rank,
            "placement": None if self.placement is None else asdict(self.placement),
            "tied_with": list(self.tied_with),
            "band": band,
            "tree": asdict(self.tree),
        }


def explain_words(
    index: SteadyIndex,
    text: str,
    id: str,
    fields: Mapping[str, float] | None = None,
    syntax: Syntax = "words",
) -> Explained:
    """Explains the score and place of the document with this id.

    Raises UnknownIdError (a KeyError) when no live document has it, PolicyError as search does.
    """
    with index.searcher() as searcher:
        query = parsed(text, searcher.schema, fields, syntax)
        view = IndexView(searcher.reader())
        statistics = provider(index.policy.statistics, view)
        evaluator = Evaluator(searcher, statistics=statistics, view=view)
        doc = _find(view, index.policy.id_field, id)
        hits = evaluate(evaluator, query)
        identity = Identity(view, index.policy)
        selection = select(hits, identity, index.policy, None)
        place = next((n for n, entry in enumerate(selection.top) if entry.doc == doc), None)
        placement = None if place is None else selection.placements()[place]
        band = None
        if placement is not None and placement.band is not None:
            band = selection.bands()[placement.band - 1]
        id_of = partial(record_id, view, index.policy.id_field)
        tied = [
            id_of(entry.doc)
            for entry in selection.top
            if place is not None and entry.score == selection.top[place].score and entry.doc != doc
        ]
        generation = searcher.reader().generation()
        return Explained(
            query=text,
            id=id,
            generation=generation,
            digest=index_digest(index, generation),
            statistics=str(index.policy.statistics),
            gap=index.policy.gap,
            total=int(hits.docs.size),
            rank=None if place is None else place + 1,
            placement=placement,
            tied_with=tuple(tied[:_NAMED_TIES]),
            band=band,
            band_leader=None if band is None else id_of(band.leader.doc),
            tree=explain(evaluator, query, doc),
        )


def _find(view: IndexView, field: str | None, id: str) -> int:
    schema = view.reader.schema
    if field is not None and field in schema and schema[field].indexed:
        try:
            term = schema[field].to_bytes(id)
        except ValueError:
            docs = np.empty(0, np.int64)
        else:
            docs = view.postings(field, term).docs
        candidates = docs.tolist()
    else:
        candidates = view.live_docs().tolist()
    for doc in candidates:  # an analysed id field has terms that are not the id
        if record_id(view, field, doc) == id:
            return int(doc)
    raise UnknownIdError(
        f"no document has the id {id!r}; ids are compared exactly, capitals and all "
        "(steadyrank search shows them)",
        id=id,
    )
