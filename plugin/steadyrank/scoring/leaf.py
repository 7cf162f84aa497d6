"""The score of one term in each document that contains it, under any weighting model."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from whoosh.scoring import (
    BM25FScorer,
    DFreeScorer,
    PL2Scorer,
    ReverseWeighting,
    TF_IDFScorer,
    WeightLengthScorer,
    WeightScorer,
    bm25,
)

from steadyrank.arithmetic import Scores, snap
from steadyrank.errors import ScoreError
from steadyrank.postings import IndexView, Postings
from steadyrank.postings.coded import Coded
from steadyrank.scoring.models import dfree, pl2
from steadyrank.scoring.view import StatisticsView


def snapped_leaf_scores(
    view: IndexView,
    searcher: StatisticsView,
    field: str,
    term: bytes,
    postings: Postings,
    boost: float,
) -> Scores:
    """The model's own score of the term for each posting, snapped, multiplied and snapped again."""
    scorer = searcher.weighting.scorer(searcher, field, term)
    if postings.coded is not None and type(scorer) is BM25FScorer:
        parts = [_coded_scores(scorer, part, boost) for part in postings.coded]
        return parts[0] if len(parts) == 1 else np.concatenate(parts)
    return _snapped(_scores(view, searcher, scorer, field, term, postings), boost)


def _snapped(scores: Scores, boost: float) -> Scores:
    snapped = snap(scores)
    return snapped if boost == 1.0 else snap(snapped * boost)


def _coded_scores(scorer: Any, part: Coded, boost: float) -> Scores:
    table, codes = part.table, part.codes
    if codes.size >= table.weights.size:
        # Once for each row of the table. A row may hold what no posting of this term has, and
        # may be out of range: then only those that it has are worked out, and judged, below.
        key = (scorer.avgfl, scorer.B, scorer.K1)
        base = table.derived.get(key)
        with np.errstate(all="ignore"):
            if base is None:
                # Times 1.0 and then times idf is what times idf is.
                base = table.keep(key, bm25(1.0, table.weights, table.lengths, *key))
            try:
                rows = _snapped(scorer.idf * base, boost)
            except ScoreError:
                pass
            else:
                found: Scores = rows[codes]
                return found
    scores: Scores = bm25(
        scorer.idf, table.weights[codes], table.lengths[codes], scorer.avgfl, scorer.B, scorer.K1
    )
    return _snapped(scores, boost)


def _scores(
    view: IndexView,
    searcher: StatisticsView,
    scorer: Any,
    field: str,
    term: bytes,
    postings: Postings,
) -> Scores:
    kind = type(scorer)
    if kind is BM25FScorer:
        # Whoosh's formula on arrays: the same operations on the same doubles, one by one.
        lengths = view.lengths(field, postings.docs)
        scores: Scores = bm25(
            scorer.idf, postings.weights, lengths, scorer.avgfl, scorer.B, scorer.K1
        )
        return scores
    if kind is WeightScorer:
        return postings.weights
    if kind is TF_IDFScorer:
        return postings.weights * float(scorer.idf)
    if kind is PL2Scorer:
        formula: Callable[[float, float], float] = partial(
            pl2,
            term_weight=scorer.cf,
            qf=scorer.qf,
            documents=scorer.dc,
            average=scorer.avgfl,
            c=scorer.c,
        )
        return _by_weight_and_length(view, formula, field, postings)
    if kind is DFreeScorer:
        formula = partial(dfree, term_weight=scorer.cf, qf=scorer.qf, total=scorer.fl)
        return _by_weight_and_length(view, formula, field, postings)
    if kind is ReverseWeighting.ReverseScorer:
        return 0 - _scores(view, searcher, scorer.subscorer, field, term, postings)
    if isinstance(scorer, WeightLengthScorer) and kind.score is WeightLengthScorer.score:
        return _by_weight_and_length(view, scorer._score, field, postings)
    return _by_posting(view, scorer, field, term)


def _by_weight_and_length(
    view: IndexView, formula: Callable[[float, float], float], field: str, postings: Postings
) -> Scores:
    # Such a score depends on two numbers, and few pairs of them exist: one call for each pair.
    lengths = view.lengths(field, postings.docs)
    pairs = np.stack([postings.weights, lengths.astype(np.float64)])
    distinct, which = np.unique(pairs, axis=1, return_inverse=True)
    scores = np.array([formula(weight, int(length)) for weight, length in distinct.T.tolist()])
    return scores[which.ravel()]


def _by_posting(view: IndexView, scorer: Any, field: str, term: bytes) -> Scores:
    # A model of one's own may look at anything its matcher shows: step the real postings.
    scores = []
    for segment, offset in view.segments:
        if (field, term) not in segment.reader:
            continue
        matcher = segment.reader.postings(field, term)
        while matcher.is_active():
            scores.append(scorer.score(_Shifted(matcher, offset)))
            matcher.next()
    return np.array(scores, np.float64)


class _Shifted:
    """A matcher whose ``id()`` counts over the whole index, as the scorer's searcher does."""

    def __init__(self, matcher: Any, offset: int) -> None:
        self._matcher = matcher
        self._offset = offset

    def id(self) -> int:
        return int(self._matcher.id()) + self._offset

    def __getattr__(self, name: str) -> Any:
        return getattr(self._matcher, name)
