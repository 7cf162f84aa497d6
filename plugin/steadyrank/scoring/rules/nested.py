"""Queries over blocks of documents: a parent and the children written right after it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from whoosh import query as q

from steadyrank.arithmetic import snap
from steadyrank.postings import Segment
from steadyrank.postings.decode import Docs
from steadyrank.scoring.evaluator import Evaluator, rule
from steadyrank.scoring.hits import Hits, union_docs


@rule(q.NestedParent)
def _nested_parent(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    children = evaluator.hits(query.child, boost)
    docs: list[int] = []
    scores: list[float] = []
    for segment, offset, parents in _blocks(evaluator, query.parents):
        start, stop = np.searchsorted(children.docs, (offset, offset + segment.size))
        owners = np.searchsorted(parents, children.docs[start:stop], "right") - 1
        for owner in np.unique(owners[owners >= 0]).tolist():  # -1: before the first parent
            below = children.scores[start:stop][owners == owner].tolist()
            docs.append(int(parents[owner]))
            scores.append(query.score_fn(below[: query.per_parent_limit or None]))
    return Hits(np.array(docs, np.int64), snap(np.array(scores, np.float64)))


@rule(q.NestedChildren)
def _nested_children(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    wanted = evaluator.docs(query.child)
    found: list[Docs] = []
    for segment, offset, parents in _blocks(evaluator, query.parents):
        live = segment.live_docs() + offset
        starts, stops = np.searchsorted(wanted, (offset, offset + segment.size))
        for parent in wanted[starts:stops].tolist():
            after = int(np.searchsorted(parents, parent, "right"))
            end = int(parents[after]) if after < parents.size else offset + segment.size
            first, last = np.searchsorted(live, (parent + 1, end))
            found.append(live[first:last])
    return Hits.constant(union_docs(found), boost * query.boost)


def _blocks(evaluator: Evaluator, parents: Any) -> Iterator[tuple[Segment, int, Docs]]:
    # Each segment with its offset and its live parents; a block never crosses segments.
    if isinstance(parents, q.Query):
        docs = evaluator.docs(parents)
    else:
        given = parents.docs() if hasattr(parents, "docs") else parents
        docs = evaluator.view.live(np.array(sorted(given), np.int64))
    for segment, offset in evaluator.view.segments:
        start, stop = np.searchsorted(docs, (offset, offset + segment.size))
        yield segment, offset, docs[start:stop]
