"""The definition of a ranking, computed from a vector's postings and statistics alone.

Pure Python, nothing imported but the standard library: what another implementation would write.
``README.md`` beside this file says what each member of a vector means.

    python tests/conformance/reference.py VECTOR.json ...

prints each case's ranking and exits 1 where it is not the recorded one.
"""

from __future__ import annotations

import json
import sys
from decimal import Context, Decimal
from pathlib import Path
from typing import Any

K1, B = 1.2, 0.75

Scores = dict[str, float]


def snap(x: float) -> float:
    """The nearest multiple of 2**-32, ties to even: round() of a float gives an exact integer."""
    return round(x * 2.0**32) / 2.0**32


def exact_log(x: float) -> float:
    """The natural logarithm, correctly rounded to a double."""
    return float(Context(prec=60).ln(Decimal(x)))


class Reference:
    """Evaluates the queries of one vector."""

    def __init__(self, vector: dict[str, Any]) -> None:
        self.documents: dict[str, str] = vector["documents"]
        self.fields = vector["fields"]
        self.statistics = vector["statistics"]

    def ranking(self, query: dict[str, Any], gap: float = 0.0) -> list[tuple[str, float]]:
        """All matches in their final order, with their scores."""
        found = sorted(self.scores(query, 1.0).items(), key=lambda pair: (-pair[1], pair[0]))
        return self._banded(found, gap) if gap else found

    def _banded(self, ordered: list[tuple[str, float]], gap: float) -> list[tuple[str, float]]:
        # A leader and everything within the gap of it; no chaining.
        arranged: list[tuple[str, float]] = []
        while ordered:
            leader = ordered[0][1]
            size = sum(1 for _, score in ordered if leader - score <= gap)
            band, ordered = ordered[:size], ordered[size:]
            arranged += sorted(band, key=lambda pair: (self.documents[pair[0]], -pair[1], pair[0]))
        return arranged

    def scores(self, query: dict[str, Any], above: float) -> Scores:
        """The score of each document that matches; ``above`` is the product of boosts above."""
        boost = above * query.get("boost", 1.0)
        (kind,) = set(query) & set(_KINDS)
        return _KINDS[kind](self, query, query[kind], boost)

    def term(self, field: str, word: str, boost: float) -> Scores:
        """The leaf: BM25F from the posting's weight, the field's length and the statistics."""
        postings = self.fields[field]["postings"].get(word, {})
        counted = self.statistics["fields"][field]
        documents = self.statistics["documents"]
        frequency = counted["document_frequency"].get(word, 1)
        idf = exact_log(documents / (frequency + 1)) + 1
        average = counted["length"] / documents
        found = {}
        for id, (weight, _) in postings.items():
            length = self.fields[field]["lengths"][id]
            norm = K1 * ((1 - B) + B * length / average)
            leaf = snap(idf * ((weight * (K1 + 1)) / (weight + norm)))
            found[id] = leaf if boost == 1.0 else snap(leaf * boost)
        return found

    def positions(self, field: str, word: str, id: str) -> list[int]:
        return list(self.fields[field]["postings"].get(word, {}).get(id, (0, []))[1])

    # One method a kind of query: (the node, what stands under its name, boosts down to it).

    def _term(self, query: Any, given: Any, boost: float) -> Scores:
        field, word = given
        return self.term(field, word, boost)

    def _or(self, query: Any, given: Any, boost: float) -> Scores:
        parts = [self.scores(child, boost) for child in given]
        return {id: _sum(parts, id) for id in set().union(*parts)}

    def _and(self, query: Any, given: Any, boost: float) -> Scores:
        parts = [self.scores(child, boost) for child in given]
        return {id: _sum(parts, id) for id in set.intersection(*map(set, parts))}

    def _dismax(self, query: Any, given: Any, boost: float) -> Scores:
        parts = [self.scores(child, boost) for child in given]
        ids = set().union(*parts)
        return {id: max(part[id] for part in parts if id in part) for id in ids}

    def _andnot(self, query: Any, given: Any, boost: float) -> Scores:
        wanted, unwanted = given
        out = self.scores(unwanted, 1.0)
        return {id: score for id, score in self.scores(wanted, boost).items() if id not in out}

    def _andmaybe(self, query: Any, given: Any, boost: float) -> Scores:
        parts = [self.scores(child, boost) for child in given]
        return {id: _sum(parts, id) for id in parts[0]}

    def _require(self, query: Any, given: Any, boost: float) -> Scores:
        wanted, needed = given
        also = self.scores(needed, 1.0)
        return {id: score for id, score in self.scores(wanted, boost).items() if id in also}

    def _not(self, query: Any, given: Any, boost: float) -> Scores:
        out = self.scores(given, 1.0)
        return {id: snap(boost) for id in self.documents if id not in out}

    def _constant(self, query: Any, given: Any, boost: float) -> Scores:
        return {id: snap(boost * query["score"]) for id in self.scores(given, 1.0)}

    def _every(self, query: Any, given: Any, boost: float) -> Scores:
        return {id: snap(boost) for id in self.documents}

    def _prefix(self, query: Any, given: Any, boost: float) -> Scores:
        field, start = given
        words = [word for word in self.fields[field]["postings"] if word.startswith(start)]
        if query["flat"]:
            return {id: snap(boost) for word in words for id in self.term(field, word, 1.0)}
        parts = [self.term(field, word, boost) for word in words]
        return {id: _sum(parts, id) for id in set().union(*parts)}

    def _phrase(self, query: Any, given: Any, boost: float) -> Scores:
        field, words = given
        parts = [self.term(field, word, boost) for word in words]
        found = {}
        for id in set.intersection(*map(set, parts)):
            ends = set(self.positions(field, words[0], id))
            for word in words[1:]:
                places = self.positions(field, word, id)
                ends = {
                    place
                    for place in places
                    if any(1 <= place - end <= query.get("slop", 1) for end in ends)
                }
            if ends:
                found[id] = _sum(parts, id)
        return found


def _sum(parts: list[Scores], id: str) -> float:
    # On the grid below 2**20 this is exact, so the order of the parts does not matter.
    total = 0.0
    for part in parts:
        total += part.get(id, 0.0)
    return total


_KINDS = {
    name: getattr(Reference, f"_{name}")
    for name in (
        "term", "or", "and", "dismax", "andnot", "andmaybe", "require", "not", "constant",
        "every", "prefix", "phrase",
    )
}  # fmt: skip


def written(ranking: list[tuple[str, float]]) -> list[list[str]]:
    """A ranking as vectors write it: ids, and the bits of scores in hexadecimal."""
    return [[id, score.hex()] for id, score in ranking]


def answers(vector: dict[str, Any]) -> list[list[list[str]]]:
    """The rankings of all cases of a vector."""
    reference = Reference(vector)
    return [
        written(reference.ranking(case["query"], case.get("gap", 0.0))) for case in vector["cases"]
    ]


def main(paths: list[str]) -> int:
    wrong = 0
    for path in paths:
        vector = json.loads(Path(path).read_text("utf-8"))
        for case, found in zip(vector["cases"], answers(vector), strict=True):
            right = found == case["expected"]
            wrong += not right
            print(f"{Path(path).name}: {case['about']}: {'as recorded' if right else found}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
