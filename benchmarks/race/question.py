"""What is asked: a tree of words, and how many ids are wanted. Each engine says it in its own way.

A tree is ``("word", w)``, ``("phrase", w, ...)``, ``("or", tree, ...)``, ``("and", tree, ...)`` or
``("not", tree, tree)``, the first without the second. A word or a phrase is meant in the title or
in the text.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from race.corpus import Doc

Tree = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Question:
    """``kind``: only records of it; ``per_kind``: at most so many of each kind."""

    tree: Tree
    k: int = 10
    kind: str | None = None
    per_kind: int | None = None

    @classmethod
    def of(cls, words: Sequence[str], operator: str = "or", k: int = 10, **more: Any) -> Question:
        """Words joined by one operator."""
        return cls((operator, *(("word", word) for word in words)), k, **more)

    @classmethod
    def from_json(cls, value: dict[str, Any]) -> Question:
        return cls(**{**value, "tree": _tuples(value["tree"])})

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    def flat(self) -> tuple[list[str], str] | None:
        """Words and operator of a tree that is only these, else None."""
        operator, *parts = self.tree
        if operator in ("or", "and") and all(part[0] == "word" for part in parts):
            return [part[1] for part in parts], operator
        return None

    def words(self) -> set[str]:
        """All words of the tree."""
        return set(_words(self.tree))


def _tuples(value: Any) -> Any:
    return tuple(_tuples(part) for part in value) if isinstance(value, list) else value


def _words(tree: Tree) -> Iterator[str]:
    for part in tree[1:]:
        if isinstance(part, str):
            yield part
        else:
            yield from _words(part)


def mixed(docs: list[Doc], count: int, seed: int) -> Iterator[tuple[str, Question]]:
    """So many questions of each shape, with words that stand together in one document."""
    chance = random.Random(seed)

    def pair(tokens: list[str]) -> Tree:
        start = chance.randrange(len(tokens) - 1)
        return ("phrase", tokens[start], tokens[start + 1])

    for _ in range(count):
        tokens, others = _tokens(docs, chance), _tokens(docs, chance)
        a, b, c, d = (("word", word) for word in chance.sample(sorted(set(tokens)), 4))
        e, f = (("word", word) for word in chance.sample(sorted(set(others)), 2))
        yield "a AND (b OR c)", Question(("and", a, ("or", b, e)))
        yield "(a OR b) AND (c OR d)", Question(("and", ("or", a, e), ("or", b, f)))
        yield "a OR (b AND c AND d)", Question(("or", a, ("and", b, c, d)))
        yield "(a OR b) NOT c", Question(("not", ("or", a, b), e))
        yield "phrase", Question(pair(tokens))
        yield "a OR phrase", Question(("or", a, pair(tokens)))
        yield "a AND phrase", Question(("and", a, pair(tokens)))


def _tokens(docs: list[Doc], chance: random.Random) -> list[str]:
    while True:
        tokens = chance.choice(docs).text.split()
        if len(set(tokens)) >= 4:
            return tokens


def apart(asked: Sequence[tuple[str, ...]]) -> list[tuple[str, ...]]:
    """Of word lists those that share no word with one before."""
    seen: set[str] = set()
    found = []
    for words in asked:
        if seen.isdisjoint(words):
            seen.update(words)
            found.append(words)
    return found
