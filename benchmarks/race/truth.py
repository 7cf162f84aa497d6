"""What the right answer is, from the words alone: no index is read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from whoosh.util.numeric import byte_to_length, length_to_byte

from race.corpus import Doc
from race.question import Question, Tree
from steadyrank.arithmetic import exact_log, snap

_B, _K1 = 0.75, 1.2
_FIELDS = ("title", "text")

# Document id -> score.
Scores = dict[str, float]


class Truth:
    """BM25F as Whoosh has it, on the grid, over title and text; ids settle ties."""

    def __init__(self, docs: Sequence[Doc], questions: Iterable[Question]) -> None:
        wanted = {word for question in questions for word in question.words()}
        self.docs = {doc.id: doc for doc in docs}
        self.postings: dict[tuple[str, str], list[tuple[str, int, int]]] = defaultdict(list)
        lengths = dict.fromkeys(_FIELDS, 0)
        for doc in docs:
            for name in _FIELDS:
                words = getattr(doc, name).split()
                length = byte_to_length(length_to_byte(len(words)))
                lengths[name] += length
                counted = Counter(word for word in words if word in wanted)
                for word, times in counted.items():
                    self.postings[name, word].append((doc.id, times, length))
        self.average = {name: total / len(docs) for name, total in lengths.items()}

    def top(self, question: Question) -> tuple[list[str], list[float]]:
        """Ids and scores of the best."""
        scores = self.matches(question.tree)
        if question.kind is not None:
            scores = {id: s for id, s in scores.items() if self.docs[id].kind == question.kind}
        best = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
        if question.per_kind is not None:
            seen: Counter[str] = Counter()
            kept = []
            for id, score in best:
                seen[self.docs[id].kind] += 1
                if seen[self.docs[id].kind] <= question.per_kind:
                    kept.append((id, score))
            best = kept
        best = best[: question.k]
        return [id for id, _ in best], [score for _, score in best]

    def matches(self, tree: Tree) -> Scores:
        """All that match, and the sum of the scores of what matched."""
        operator, *parts = tree
        if operator == "word":
            return _union([self._leaf(name, parts[0]) for name in _FIELDS])
        if operator == "phrase":
            return _union([self._phrase(name, parts) for name in _FIELDS])
        found = [self.matches(part) for part in parts]
        if operator == "or":
            return _union(found)
        if operator == "not":
            return {id: score for id, score in found[0].items() if id not in found[1]}
        return _both(found)

    def _leaf(self, name: str, word: str) -> Scores:
        entries = self.postings.get((name, word), [])
        inverse = exact_log(len(self.docs) / (len(entries) + 1)) + 1.0
        scores = {}
        for id, times, length in entries:
            norm = _K1 * ((1 - _B) + _B * length / self.average[name])
            scores[id] = float(snap(inverse * ((times * (_K1 + 1)) / (times + norm))))
        return scores

    def _phrase(self, name: str, words: Sequence[str]) -> Scores:
        together = f" {' '.join(words)} "
        all_of_them = _both([self._leaf(name, word) for word in dict.fromkeys(words)])
        return {
            id: score
            for id, score in all_of_them.items()
            if together in f" {getattr(self.docs[id], name)} "
        }


def _union(found: Sequence[Scores]) -> Scores:
    scores: Scores = {}
    for one in found:
        for id, score in one.items():
            scores[id] = scores.get(id, 0.0) + score
    return scores


def _both(found: Sequence[Scores]) -> Scores:
    common = set(found[0]).intersection(*found[1:])
    return {id: score for id, score in _union(found).items() if id in common}
