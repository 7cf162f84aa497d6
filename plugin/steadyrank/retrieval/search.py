"""A search for words, with the reasons of the order."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from steadyrank.index import SteadyIndex
from steadyrank.postings import IndexView, record_id
from steadyrank.provenance import index_digest
from steadyrank.retrieval.found import Found, FoundBand, FoundHit
from steadyrank.retrieval.question import Syntax, parsed


def search_words(
    index: SteadyIndex,
    text: str,
    k: int = 4,
    fields: Mapping[str, float] | None = None,
    syntax: Syntax = "words",
) -> Found:
    """The first ``k`` results for a text under the index's policy.

    ``fields`` maps field names to weights (None: the builder's, else all text fields). Raises
    PolicyError for a ``k`` below 1 and for fields that cannot be searched.
    """
    with index.searcher() as searcher:
        query = parsed(text, searcher.schema, fields, syntax)
        collector = searcher.collector(limit=k)
        searcher.search_with_collector(query, collector)
        results = collector.results()
        selection = collector.selection()
        id_of = partial(record_id, IndexView(searcher.reader()), index.policy.id_field)
        generation = searcher.reader().generation()
        return Found(
            query=text,
            generation=generation,
            digest=index_digest(index, generation),
            statistics=str(index.policy.statistics),
            gap=index.policy.gap,
            total=len(results),
            hits=tuple(
                _hit(hit.rank + 1, hit, placement, id_of(hit.docnum), index)
                for hit, placement in zip(results, results.placements, strict=True)
            ),
            bands=tuple(
                FoundBand(
                    band=band.number,
                    leader=id_of(band.leader.doc),
                    leader_score=band.leader.score,
                    size=band.size,
                    span=band.span,
                    headroom=band.headroom,
                    clearance=band.clearance,
                )
                for band in selection.bands()
            ),
        )


def _hit(rank: int, hit: Any, placement: Any, id: str, index: SteadyIndex) -> FoundHit:
    stored = hit.fields()
    document = stored.get(index.policy.document_field or "document")
    return FoundHit(
        rank=rank,
        id=id,
        document=id if document is None else str(document),
        kind=_text(stored.get("kind")),
        title=_text(stored.get("title")),
        score=hit.score,
        route=placement.route,
        band=placement.band,
        decided_by=placement.decided_by,
        headroom=placement.headroom,
        margin=placement.margin,
        tie_size=placement.tie_size,
    )


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
