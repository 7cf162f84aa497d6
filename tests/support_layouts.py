"""One set of live documents, written by a plain Whoosh writer in many layouts.

Nothing here is steadyrank's: the layouts must be what a host's own code would leave behind. The
texts are lower-case words of two letters and more that no stop list has, so that a field's tokens
are its ``split()`` for Whoosh's standard analyzer, and an oracle needs no analyzer.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from whoosh import fields, index

# Forty words, the first ones by far the most frequent.
WORDS = [
    "tent", "stove", "lamp", "boot", "rope", "sock", "cup", "pack", "mat", "pole",
    "peg", "filter", "knife", "shirt", "glove", "map", "pot", "towel", "sack", "strap",
    "tarp", "axe", "buff", "cord", "flask", "gaiter", "hood", "jacket", "kettle", "liner",
    "mug", "needle", "oven", "pouch", "quilt", "rack", "sheet", "torch", "vest", "wax",
]  # fmt: skip


@dataclass(frozen=True)
class Record:
    """A live document: its id is unique, its texts are words from WORDS."""

    id: str
    title: str
    text: str
    tag: str
    price: int

    def stored(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "title": self.title,
            "text": self.text,
            "tag": self.tag,
            "price": self.price,
        }


@dataclass(frozen=True)
class Layout:
    """How the documents come to lie in an index.

    ``seed`` shuffles the insertion order; ``segments`` is how many commits write them;
    ``leftovers`` documents are added and deleted again; ``resaved`` are deleted and added again
    unchanged; ``optimized`` merges everything into one segment at the end.
    """

    seed: int = 0
    segments: int = 1
    leftovers: int = 0
    resaved: int = 0
    optimized: bool = False
    sortable_id: bool = False


def schema(*, sortable_id: bool = False) -> fields.Schema:
    """Five fields: two texts with positions (one of them boosted), a tag, a number, the id."""
    return fields.Schema(
        id=fields.ID(stored=True, unique=True, sortable=sortable_id),
        title=fields.TEXT(stored=True, field_boost=2.0),
        text=fields.TEXT(stored=True),
        tag=fields.KEYWORD(stored=True),
        price=fields.NUMERIC(stored=True, signed=True),
    )


def corpus(seed: int, size: int) -> list[Record]:
    """Records with Zipf-distributed words, a third of them copies of another's texts."""
    rng = random.Random(seed)
    weights = [1 / (place + 1) for place in range(len(WORDS))]

    def words(low: int, high: int) -> str:
        return " ".join(rng.choices(WORDS, weights, k=rng.randint(low, high)))

    records: list[Record] = []
    for number in range(size):
        if records and rng.random() < 0.35:
            twin = rng.choice(records)
            title, text = twin.title, twin.text
        else:
            title, text = words(1, 3), words(3, 14)
        tag = rng.choice(["sale", "new", "outlet"])
        records.append(Record(f"r{number:04}", title, text, tag, rng.randint(1, 30)))
    rng.shuffle(records)
    return records


def write(
    folder: Path, records: Sequence[Record], layout: Layout, of: fields.Schema | None = None
) -> Any:
    """The records in that layout, by Whoosh's own writers only; gives the Whoosh index.

    ``of`` is another schema than that of plain records.
    """
    rng = random.Random(layout.seed)
    ix = index.create_in(str(folder), of or schema(sortable_id=layout.sortable_id))
    live = list(records)
    rng.shuffle(live)
    ghosts = [
        Record(f"ghost{number:04}", *_texts(rng), "sale", 5) for number in range(layout.leftovers)
    ]
    everything = [*live, *ghosts]
    rng.shuffle(everything)
    count = max(1, min(layout.segments, len(everything) or 1))
    for part in range(count):
        writer = ix.writer()
        for record in everything[part::count]:
            writer.add_document(**record.stored())
        writer.commit(merge=False)
    if ghosts:
        writer = ix.writer()
        for ghost in ghosts:
            writer.delete_by_term("id", ghost.id)
        writer.commit(merge=False)
    if layout.resaved:
        writer = ix.writer()
        for record in rng.sample(live, min(layout.resaved, len(live))):
            writer.update_document(**record.stored())
        writer.commit(merge=False)
    if layout.optimized:
        ix.optimize()
    return ix


def _texts(rng: random.Random) -> tuple[str, str]:
    return " ".join(rng.choices(WORDS, k=3)), " ".join(rng.choices(WORDS, k=20))
