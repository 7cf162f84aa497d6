"""BM25F and keyword points over the index's own postings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from steadyrank.analysis import StoreAnalyzer
from steadyrank.answering.concepts import Active, activated
from steadyrank.answering.faults import SettingsError
from steadyrank.answering.settings import Settings
from steadyrank.answering.weighing import Contribution, Weighed
from steadyrank.arithmetic import exact_log
from steadyrank.postings.decode import Docs
from steadyrank.scoring import Evaluator, Hits
from steadyrank.scoring.hits import among, highest, union
from steadyrank.statistics import LiveStatistics


@dataclass(frozen=True, slots=True)
class _Leaf:
    """One word in one field: which documents have it, and what it earns them."""

    word: str
    field: str
    hits: Hits

    @property
    def best(self) -> float:
        """What it earns at most; 0.0 where no document has it."""
        return float(self.hits.scores.max(initial=0.0))


class IndexedWeighing:
    """Scores the words of a question in the fields of the index.

    BM25F: a document's score is what each word earns in each field, times the field's weight.
    Keyword points: each word earns the points of the best field that it is in.
    """

    def __init__(self, evaluator: Evaluator, settings: Settings) -> None:
        self._evaluator = evaluator
        self._settings = settings
        self._points = settings.weighting == "keyword-points"
        self._fields: dict[str, float] = dict(settings.points if self._points else settings.fields)
        self._analyzer = _analyzer_of(evaluator.schema, self._fields)
        self._stop_words = {token for word in settings.stop_words for token in self._tokens(word)}

    def _tokens(self, text: str) -> list[str]:
        readings = self._analyzer.readings
        found = (token.text for reading in readings for token in reading(text, mode="query"))
        return [token for token in dict.fromkeys(found) if token and _encodable(token)]

    def words_of(self, text: str) -> list[tuple[str, int, int]]:
        tokens = self._analyzer(text, chars=True, positions=True, mode="index")
        return [(token.text, token.startchar, token.endchar) for token in tokens]

    def weigh(self, question: str) -> Weighed:
        active = activated(question, self._settings.concepts, self._tokens)
        words = list(active.terms) or self._tokens(question)
        telling = [word for word in words if word not in self._stop_words]
        terms = tuple(telling or words)  # a question of stop words alone is searched as it is
        leaves = [[self._leaf(word, field) for field in self._fields] for word in terms]
        hits = self._supported(self._together(leaves), active)
        return Weighed(
            hits=hits,
            earned=lambda docs: self._earned(leaves, docs),
            routes=self._routes(hits, active),
            terms=terms,
            unseen=tuple(of_word[0].word for of_word in leaves if not self._seen(of_word)),
            concepts=active.names,
            reachable=self._reachable(leaves),
            worth=lambda: {of_word[0].word: self._worth(of_word) for of_word in leaves},
            common=not telling and bool(terms),
        )

    def _together(self, leaves: Sequence[Sequence[_Leaf]]) -> Hits:
        if self._points:
            return union([highest([leaf.hits for leaf in of_word]) for of_word in leaves])
        return union([leaf.hits for of_word in leaves for leaf in of_word])

    def _leaf(self, word: str, field: str) -> _Leaf:
        worth = self._fields[field]
        if not self._points:
            return _Leaf(word, field, self._evaluator.term(field, word, worth))
        term = self._evaluator.term_bytes(field, word)
        docs = Hits.none().docs if term is None else self._evaluator.view.postings(field, term).docs
        return _Leaf(word, field, Hits.constant(docs, worth))

    def _earned(
        self, leaves: Sequence[Sequence[_Leaf]], docs: Sequence[int]
    ) -> list[list[Contribution]]:
        wanted = np.array(docs, np.int64)
        found: list[list[Contribution]] = [[] for _ in docs]
        for of_word in leaves:
            having: list[list[Contribution]] = [[] for _ in docs]
            for leaf in of_word:
                if not leaf.hits.docs.size:
                    continue
                places = leaf.hits.docs.searchsorted(wanted).tolist()
                for own, doc, place in zip(having, docs, places, strict=True):
                    if place < leaf.hits.docs.size and leaf.hits.docs[place] == doc:
                        score = float(leaf.hits.scores[place])
                        own.append(Contribution(leaf.word, leaf.field, score))
            for all_words, own in zip(found, having, strict=True):
                if self._points and own:  # only the best field counts
                    own = [max(own, key=lambda earned: earned.score)]
                all_words += own
        return found

    def _supported(self, hits: Hits, active: Active) -> Hits:
        # A concept that requires terms leaves only documents that have one of them (a term of
        # several words whole); of several active concepts one is enough.
        if not active.concepts or any(not required for required in active.required):
            return hits
        supported = np.zeros(hits.docs.size, np.bool_)
        for required in active.required:
            for tokens in required:
                having = np.ones(hits.docs.size, np.bool_)
                for token in tokens:
                    having &= self._having(hits.docs, token)
                supported |= having
        return Hits(hits.docs[supported], hits.scores[supported])

    def _having(self, docs: Docs, token: str) -> Any:
        found = np.zeros(docs.size, np.bool_)
        for field in self._fields:
            term = self._evaluator.term_bytes(field, token)
            if term is not None:
                found |= among(docs, self._evaluator.view.postings(field, term).docs)
        return found

    def _routes(self, hits: Hits, active: Active) -> Docs | None:
        if not active.routes:
            return None
        stored = self._evaluator.searcher.stored_fields
        routes = []
        for doc in hits.docs.tolist():
            fields = stored(doc)
            title, heading = str(fields.get("title") or ""), str(fields.get("heading") or "")
            routes.append(
                active.route_of(str(fields.get("id")), self._tokens(title), self._tokens(heading))
            )
        return np.array(routes, np.int64)

    def _seen(self, of_word: Sequence[_Leaf]) -> bool:
        known = getattr(self._evaluator.statistics, "knows", None)
        if known is None:
            return any(leaf.hits.docs.size for leaf in of_word)
        spelled = [
            (leaf.field, self._evaluator.term_bytes(leaf.field, leaf.word)) for leaf in of_word
        ]
        return any(term is not None and known(field, term) for field, term in spelled)

    def _reachable(self, leaves: Sequence[Sequence[_Leaf]]) -> float:
        # The score of a document that had every word of the question, each in every field as
        # well as any document here has it there. A word that no document has is asked for all the
        # same: it counts as a word of one document would, once, in a text of average length.
        reachable = 0.0
        for of_word in leaves:
            bests = [leaf.best for leaf in of_word]
            best = 0.0
            for other in bests:
                best = max(best, other) if self._points else best + other
            reachable += best or self._of_one_document()
        return reachable

    def _of_one_document(self) -> float:
        worth = max(self._fields.values())
        return worth if self._points else worth * self._rarity(1)

    def _worth(self, of_word: Sequence[_Leaf]) -> float:
        return self._rarity(max(self._frequency(leaf) for leaf in of_word))

    def _rarity(self, frequency: int) -> float:
        # The inverse document frequency as the statistics define it.
        return exact_log(max(1, self._evaluator.statistics.doc_count()) / (frequency + 1)) + 1

    def _frequency(self, leaf: _Leaf) -> int:
        statistics = self._evaluator.statistics
        if isinstance(statistics, LiveStatistics):
            return leaf.hits.docs.size  # they would count these documents once more
        term = self._evaluator.term_bytes(leaf.field, leaf.word)
        return 0 if term is None else statistics.doc_frequency(leaf.field, term)


def _analyzer_of(schema: Any, fields: dict[str, float]) -> Any:
    texts = [name for name, kind in schema.items() if isinstance(kind.analyzer, StoreAnalyzer)]
    unknown = sorted(set(fields) - set(texts))
    if unknown:
        raise SettingsError(
            f"the index has no text field {', '.join(map(repr, unknown))} to search "
            f"(it has: {', '.join(sorted(texts))})"
        )
    return schema[texts[0]].analyzer  # all texts of a store share one


def _encodable(term: str) -> bool:
    try:
        term.encode()
    except UnicodeEncodeError:  # lone surrogates are in no index
        return False
    return True
