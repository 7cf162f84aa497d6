"""BM25F and keyword points over the index's own postings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from whoosh.query import NullQuery, Or, Term

from steadyrank.answering.concepts import Active, activated
from steadyrank.answering.settings import Settings
from steadyrank.answering.weighing import Contribution, Weighed
from steadyrank.postings.decode import Docs
from steadyrank.scoring import Evaluator, Hits, KeywordPoints, evaluate
from steadyrank.scoring.hits import among


class IndexedWeighing:
    """Scores the words of a question in the fields of the index."""

    def __init__(self, evaluator: Evaluator, settings: Settings) -> None:
        self._settings = settings
        self._points = settings.weighting == "keyword-points"
        model = KeywordPoints(**settings.points) if self._points else evaluator.weighting
        self._evaluator = evaluator.under(model)
        self._fields = dict(settings.points if self._points else settings.fields)
        schema = evaluator.schema
        self._analyzer = schema[next(iter(self._fields))].analyzer
        self._stop_words = {token for word in settings.stop_words for token in self._tokens(word)}

    def _tokens(self, text: str) -> list[str]:
        return list(
            dict.fromkeys(token.text for token in self._analyzer(text, mode="query") if token.text)
        )

    def words_of(self, text: str) -> list[tuple[str, int, int]]:
        tokens = self._analyzer(text, chars=True, positions=True, mode="index")
        return [(token.text, token.startchar, token.endchar) for token in tokens]

    def weigh(self, question: str) -> Weighed:
        active = activated(question, self._settings.concepts, self._tokens)
        words = list(active.terms) or self._tokens(question)
        telling = [word for word in words if word not in self._stop_words]
        terms = tuple(telling or words)  # a question of stop words alone is searched as it is
        hits = evaluate(self._evaluator, self._query(terms))
        hits = self._supported(hits, active)
        return Weighed(
            hits=hits,
            routes=self._routes(hits, active),
            terms=terms,
            unseen=tuple(term for term in terms if not self._seen(term)),
            concepts=active.names,
            reachable=self._reachable(terms),
            common=not telling and bool(terms),
        )

    def _query(self, terms: Sequence[str]) -> Any:
        clauses = [
            Term(field, term, boost=1.0 if self._points else weight)
            for field, weight in self._fields.items()
            for term in terms
            if _encodable(term)
        ]
        return Or(clauses) if clauses else NullQuery

    def _supported(self, hits: Hits, active: Active) -> Hits:
        # A concept that requires terms leaves only documents that have one; of several active
        # concepts one is enough.
        needed = [
            token for concept in active.required for required in concept for token in required
        ]
        if not needed or any(not concept for concept in active.required):
            return hits
        found = np.zeros(hits.docs.size, np.bool_)
        for token in needed:
            for field in self._fields:
                term = self._evaluator.term_bytes(field, token)
                if term is not None:
                    docs = self._evaluator.view.postings(field, term).docs
                    found |= among(hits.docs, docs)
        return Hits(hits.docs[found], hits.scores[found])

    def _routes(self, hits: Hits, active: Active) -> Docs | None:
        if not active.routes:
            return None
        stored = self._evaluator.searcher.stored_fields
        routes = []
        for doc in hits.docs.tolist():
            fields = stored(doc)
            routes.append(
                active.route_of(
                    str(fields.get("id", "")),
                    self._tokens(str(fields.get("title") or "")),
                    self._tokens(str(fields.get("heading") or "")),
                )
            )
        return np.array(routes, np.int64)

    def _seen(self, term: str) -> bool:
        statistics = self._evaluator.statistics
        knows = getattr(statistics, "knows", None)
        for field in self._fields:
            spelled = self._evaluator.term_bytes(field, term)
            if spelled is None:
                continue
            if knows is not None:
                if knows(field, spelled):
                    return True
            elif statistics.doc_frequency(field, spelled):
                return True
        return False

    def _reachable(self, terms: Sequence[str]) -> float:
        # What a document with every word of the question, each where it counts most, would have:
        # of each word the highest score that any document here has for it in each field. A word
        # that no document has counts like the rarest in the best field, since the question asked
        # for it.
        total = 0.0
        for term in terms:
            if self._points:
                total += max(self._fields.values())
                continue
            best = [
                float(hits.scores.max())
                for field, weight in self._fields.items()
                if (hits := self._evaluator.term(field, term, weight)).docs.size
            ]
            total += sum(best) if best else self._rarest()
        return total

    def _rarest(self) -> float:
        from steadyrank.arithmetic import exact_log

        count = max(1, self._evaluator.statistics.doc_count())
        return max(self._fields.values()) * (exact_log(count / 2) + 1)

    def contributions(self, doc: int, weighed: Weighed) -> list[Contribution]:
        found = []
        for term in weighed.terms:
            in_fields = []
            for field, weight in self._fields.items():
                hits = self._evaluator.term(field, term, 1.0 if self._points else weight)
                place = int(np.searchsorted(hits.docs, doc))
                if place < hits.docs.size and hits.docs[place] == doc:
                    in_fields.append(Contribution(term, field, float(hits.scores[place])))
            if self._points and in_fields:  # only the best field counts
                in_fields = [max(in_fields, key=lambda earned: earned.score)]
            found += in_fields
        return found


def _encodable(term: str) -> bool:
    try:
        term.encode()
    except UnicodeEncodeError:
        return False
    return True
