"""Plain scores of the sample store's documents, worked out from their words alone.

It shares the analyzer with the engine and nothing else: no index is read for a score.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from whoosh.util.numeric import byte_to_length, length_to_byte

from steadyrank.analysis import StoreAnalyzer
from support_oracle import logarithm, snapped

SAMPLE = Path(__file__).resolve().parents[1] / "sample_corpus"
FIELDS = ("title", "heading", "text", "tags")
WEIGHTS = {"title": 1.5, "heading": 2.5, "text": 1.0, "tags": 0.5}
POINTS = {"title": 3, "text": 1}
QUOTAS = {"product": 20, "faq": 10, "page": 20}

Ranking = list[tuple[str, float]]


class StoreOracle:
    """Brute-force rankings of stored documents (mappings with id, kind, document and texts)."""

    def __init__(self, documents: Iterable[Mapping[str, Any]]) -> None:
        self._tokens = StoreAnalyzer("en")
        self.documents = {str(document["id"]): document for document in documents}
        self.words = {
            (id, field): self.analysed(str(document.get(field) or ""))
            for id, document in self.documents.items()
            for field in FIELDS
        }
        count = len(self.documents)
        self._average = {
            field: sum(_length(self.words[id, field]) for id in self.documents) / count
            for field in FIELDS
        }

    def analysed(self, text: str) -> list[str]:
        return [token.text for token in self._tokens(text)]

    def bm25f(self, question: str) -> Ranking:
        """All matches by (score descending, id), each term weighted by its field."""
        terms = list(dict.fromkeys(self.analysed(question)))
        scores: dict[str, float] = {}
        count = len(self.documents)
        for field in FIELDS:
            for term in terms:
                having = [id for id in self.documents if term in self.words[id, field]]
                inverse = logarithm(count / (len(having) + 1)) + 1 if having else 0.0
                for id in having:
                    words = self.words[id, field]
                    times = float(words.count(term))
                    length = 0.75 * _length(words) / self._average[field]
                    norm = 1.2 * ((1 - 0.75) + length)
                    score = snapped(inverse * ((times * (1.2 + 1)) / (times + norm)))
                    scores[id] = scores.get(id, 0.0) + snapped(score * WEIGHTS[field])
        return _by_score_and_id(scores)

    def keyword_points(self, question: str) -> Ranking:
        """Each distinct term found earns the points of the best field it occurs in.

        Of each kind only the first of its quota are in.
        """
        terms = list(dict.fromkeys(self.analysed(question)))
        points = {
            id: float(
                sum(
                    max((POINTS[f] for f in POINTS if term in self.words[id, f]), default=0)
                    for term in terms
                )
            )
            for id in self.documents
        }
        ranking = _by_score_and_id({id: found for id, found in points.items() if found})
        fetched = [
            pair
            for kind, quota in QUOTAS.items()
            for pair in [p for p in ranking if self.documents[p[0]]["kind"] == kind][:quota]
        ]
        return _by_score_and_id(dict(fetched))

    def banded(self, ranking: Sequence[tuple[str, float]], gap: float) -> Ranking:
        """The ranking in leader-anchored bands: documents by id, a document's parts by score."""
        arranged: Ranking = []
        rest = list(ranking)
        while rest:
            leader = rest[0][1]
            members = [pair for pair in rest if leader - pair[1] <= gap]
            arranged += sorted(
                members, key=lambda pair: (self.documents[pair[0]]["document"], -pair[1], pair[0])
            )
            rest = rest[len(members) :]
        return arranged


def _length(words: Sequence[str]) -> int:
    return int(byte_to_length(length_to_byte(len(words)))) if words else 0


def _by_score_and_id(scores: Mapping[str, float]) -> Ranking:
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
