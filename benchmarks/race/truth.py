"""What the right answer is, from the words alone: no index is read."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from whoosh.util.numeric import byte_to_length, length_to_byte

from race.corpus import Doc
from steadyrank.arithmetic import exact_log, snap

_B, _K1 = 0.75, 1.2


class Truth:
    """BM25F as Whoosh has it, on the grid, over title and text; ids settle ties."""

    def __init__(self, docs: Sequence[Doc]) -> None:
        self.count = len(docs)
        self.postings: dict[tuple[str, str], list[tuple[str, int, int]]] = defaultdict(list)
        lengths = {"title": 0, "text": 0}
        for doc in docs:
            for name, words in (("title", doc.title.split()), ("text", doc.text.split())):
                length = byte_to_length(length_to_byte(len(words)))
                lengths[name] += length
                for word, times in Counter(words).items():
                    self.postings[name, word].append((doc.id, times, length))
        self.average = {name: total / self.count for name, total in lengths.items()}

    def top(self, words: tuple[str, ...], k: int, operator: str) -> tuple[list[str], list[float]]:
        """Ids and scores of the best ``k``."""
        scores: dict[str, float] = {}
        found_in: dict[str, set[str]] = defaultdict(set)
        for word in words:
            for name in ("title", "text"):
                entries = self.postings.get((name, word), [])
                inverse = exact_log(self.count / (len(entries) + 1)) + 1.0
                for id, times, length in entries:
                    norm = _K1 * ((1 - _B) + _B * length / self.average[name])
                    leaf = inverse * ((times * (_K1 + 1)) / (times + norm))
                    scores[id] = scores.get(id, 0.0) + float(snap(leaf))
                    found_in[id].add(word)
        if operator == "and":
            scores = {id: score for id, score in scores.items() if len(found_in[id]) == len(words)}
        best = sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))[:k]
        return [id for id, _ in best], [score for _, score in best]
