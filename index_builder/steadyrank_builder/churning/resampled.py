"""Documents that say nothing, in the words of a corpus."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from itertools import count as counted
from typing import Any

from steadyrank_builder.churning.corpus import Corpus, Stored

# From how many documents the words of one made document come: a topic, but not one of theirs.
_SOURCES = 3
PREFIX = "churn:"


def resampled(
    corpus: Corpus, count: int, chance: random.Random, own_fields: Sequence[str]
) -> list[Stored]:
    """``count`` bags of words, drawn from the documents of the corpus.

    Each takes after one document drawn from it: what is no text (numbers, dates, kinds) is that
    document's, and every text has as many words as its text, each drawn from the words that
    three other drawn documents have in that field. ``own_fields`` (ids and the documents they
    belong to) get a new value, ``churn:1`` and so on, unlike any in the corpus: a free number or
    moment where the field takes only these.
    """
    free = {name: _free(corpus, name) for name in own_fields}
    made: list[Stored] = []
    for number in range(1, count + 1):
        like = _one(corpus.documents, chance)
        sources = [_one(corpus.documents, chance) for _ in range(_SOURCES)]
        document = {
            name: _bag(value, [source.get(name) for source in sources], chance)
            if _is_text(corpus.schema, name) and isinstance(value, str)
            else value
            for name, value in like.items()
        }
        for name in own_fields:
            text = f"{PREFIX}{chance.getrandbits(32):08x}-{number}"
            values = free[name]
            document[name] = text if values is None else next(values)
        made.append(document)
    return made


def _free(corpus: Corpus, name: str) -> Iterator[Any] | None:
    # Values of the field that no document has, from the least; None where any text will do.
    from whoosh.fields import DATETIME, NUMERIC

    kind = corpus.schema[name]
    if not isinstance(kind, NUMERIC):
        return None
    taken = {document.get(name) for document in corpus.documents}
    if isinstance(kind, DATETIME):
        moments = (datetime(1, 1, 1) + timedelta(seconds=number) for number in counted(1))
        return (moment for moment in moments if moment not in taken)
    return (number for number in counted(1) if number not in taken)


def _is_text(schema: Any, name: str) -> bool:
    return bool(schema[name].indexed and schema[name].scorable)


def _bag(like: str, sources: Sequence[Any], chance: random.Random) -> str:
    pool = [word for source in sources if isinstance(source, str) for word in source.split()]
    pool = pool or like.split()
    return " ".join(_one(pool, chance) for _ in like.split())


def _one(items: Sequence[Any], chance: random.Random) -> Any:
    # random() is the one method whose results Python promises to keep for a seed.
    return items[int(chance.random() * len(items))]
