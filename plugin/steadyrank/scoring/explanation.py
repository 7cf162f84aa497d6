"""How a score came about, node by node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from steadyrank.scoring.evaluator import Evaluator, clauses, is_promised


@dataclass(frozen=True, slots=True)
class Explanation:
    """One node of the query tree for one document.

    ``score`` is the node's share in score points with all boosts in, None where the node does
    not match. ``detail`` names the statistics that a term's score depends on.
    """

    description: str
    score: float | None
    detail: dict[str, float | int]
    children: tuple[Explanation, ...] = ()
    promised: bool = True


def explain(evaluator: Evaluator, query: Any, doc: int, boost: float = 1.0) -> Explanation:
    """The tree of the document's score; ``doc`` is a document number of the whole index."""
    hits = evaluator.hits(query, boost)
    place = int(np.searchsorted(hits.docs, doc))
    matched = place < hits.docs.size and int(hits.docs[place]) == doc
    inner = boost * getattr(query, "boost", 1.0)
    return Explanation(
        description=_describe(query),
        score=float(hits.scores[place]) if matched else None,
        detail=_detail(evaluator, query, doc, inner) if matched else {},
        children=tuple(explain(evaluator, child, doc, inner) for child in clauses(query)),
        promised=is_promised(query),
    )


def _describe(query: Any) -> str:
    name = type(query).__name__.lstrip("_")
    if hasattr(query, "fieldname") and hasattr(query, "text"):
        return f"{name} {query.fieldname}:{_text(query.text)}"
    if hasattr(query, "words"):
        return f"{name} {query.fieldname}:{' '.join(map(_text, query.words))}"
    return name


def _text(text: Any) -> str:
    return text.decode("utf-8", "replace") if isinstance(text, bytes) else str(text)


def _detail(evaluator: Evaluator, query: Any, doc: int, boost: float) -> dict[str, float | int]:
    if not (hasattr(query, "fieldname") and hasattr(query, "text")):
        return {}
    field = query.fieldname
    term = evaluator.term_bytes(field, query.text)
    if term is None:
        return {}
    postings = evaluator.view.postings(field, term)
    place = int(np.searchsorted(postings.docs, doc))
    if place == postings.docs.size or postings.docs[place] != doc:
        return {}
    statistics = evaluator.statistics
    return {
        "boost": boost,
        "weight": float(postings.weights[place]),
        "length": int(evaluator.view.lengths(field, np.array([doc]))[0]),
        "average_length": statistics.average_length(field),
        "documents": statistics.doc_count(),
        "document_frequency": statistics.doc_frequency(field, term),
        "idf": statistics.idf(field, term),
    }
