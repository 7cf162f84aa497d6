"""What the tests of stock Whoosh's faults share: which distribution this is, and small indexes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import whoosh
from whoosh import collectors, fields, index
from whoosh import query as q

import steadyrank

# The distributions by the versions that they call themselves.
DISTRIBUTION = {(2, 7, 4): "Whoosh", (2, 7, 5): "whoosh-reloaded", (3, 54, 0): "whoosh3"}[
    whoosh.__version__
]
EVERYWHERE = frozenset({"Whoosh", "whoosh-reloaded", "whoosh3"})
FORKS = EVERYWHERE - {"Whoosh"}

Ranking = list[tuple[str, float]]


def check_fault(shown: bool, on: frozenset[str] = EVERYWHERE) -> None:
    """Fails when a distribution has mended a fault, or another has caught it."""
    assert shown == (DISTRIBUTION in on), (
        f"{DISTRIBUTION} {'shows' if shown else 'no longer shows'} this fault: change the table"
    )


def texts_schema() -> fields.Schema:
    return fields.Schema(
        id=fields.ID(stored=True, unique=True),
        title=fields.TEXT(stored=True),
        text=fields.TEXT(stored=True),
        number=fields.NUMERIC(stored=True),
    )


def texts(
    folder: Path, documents: Sequence[dict[str, Any]], segments: Sequence[int] | None = None
) -> Any:
    """An index of the documents; ``segments`` says how many of them each commit writes."""
    ix = index.create_in(str(folder), texts_schema())
    start = 0
    for size in segments or [len(documents)]:
        writer = ix.writer()
        for document in documents[start : start + size]:
            writer.add_document(**document)
        writer.commit(merge=False)
        start += size
    return ix


def numbered(*given: str) -> list[dict[str, Any]]:
    """One document for each text, with the ids a00, a01, ..."""
    return [{"id": f"a{place:02}", "text": text} for place, text in enumerate(given)]


def ranking(results: Any) -> Ranking:
    return [(hit["id"], hit.score) for hit in results]


def stock(ix: Any, query: q.Query, **how: Any) -> Ranking:
    """What stock Whoosh answers."""
    weighting = how.pop("weighting", None)
    with ix.searcher(**({"weighting": weighting} if weighting else {})) as searcher:
        return ranking(searcher.search(query, **how))


def exhaustive(ix: Any, query: q.Query) -> Ranking:
    """Stock Whoosh with nothing pruned, in the order of its own rule (score, document number)."""
    collector = collectors.UnlimitedCollector()
    collector.replace = 0
    with ix.searcher() as searcher:
        searcher.search_with_collector(query, collector)
        return ranking(collector.results())


def ours(ix: Any, query: q.Query, *, statistics: str = "live", **how: Any) -> Ranking:
    """What a steady view of the same index answers."""
    weighting = how.pop("weighting", None)
    steady = steadyrank.stabilize(ix, id_field="id", statistics=statistics)
    with steady.searcher(**({"weighting": weighting} if weighting else {})) as searcher:
        return ranking(searcher.search(query, **how))
