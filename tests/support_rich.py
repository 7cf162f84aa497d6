"""Records with numbers, dates, a column and blocks of parents and children, in many layouts.

What ``support_layouts`` is for plain records; the writing is Whoosh's own here too.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from whoosh import fields, index

from support_layouts import Layout, Record, corpus

# What a number's column holds for a document without a value: the largest of 32 bits.
NO_RANK = 2**31 - 1
FIRST_DAY = datetime(2020, 2, 28)

# Words that variations and fuzzy terms find, put in place of others.
FORMS = {
    "tent": ["tent", "tent", "tents", "tented", "tnet"],
    "boot": ["boot", "boots", "booting"],
    "lamp": ["lamp", "lamps", "clamp", "map"],
    "rope": ["rope", "rote", "ropes"],
    "stove": ["stove", "stove", "pull", "pulls", "pulled", "puller", "pulling"],
    "filter": ["filter", "filters", "filtered"],
}


@dataclass(frozen=True)
class RichRecord(Record):
    """A record with a float, a date, and a rank that only a column holds; ranks may miss."""

    size: float = 0.0
    made: datetime = FIRST_DAY
    rank: int | None = None

    def stored(self) -> dict[str, Any]:
        values = super().stored() | {"size": self.size, "made": self.made}
        return values if self.rank is None else values | {"rank": self.rank}


def rich_schema() -> fields.Schema:
    """The fields of ``support_layouts`` and three more."""
    return fields.Schema(
        id=fields.ID(stored=True, unique=True),
        title=fields.TEXT(stored=True, field_boost=2.0),
        text=fields.TEXT(stored=True),
        tag=fields.KEYWORD(stored=True),
        price=fields.NUMERIC(stored=True, signed=True),
        size=fields.NUMERIC(float, stored=True),
        made=fields.DATETIME(stored=True),
        rank=fields.NUMERIC(int, sortable=True),
    )


def rich_corpus(seed: int, size: int) -> list[RichRecord]:
    """Plain records with word forms, prices from -12 to 18, and the values of the other fields."""
    rng = random.Random(seed)

    def formed(text: str) -> str:
        return " ".join(rng.choice(FORMS.get(word, [word])) for word in text.split())

    return [
        RichRecord(
            record.id,
            formed(record.title),
            formed(record.text),
            record.tag,
            record.price - 12,
            size=rng.choice([-2.5, -0.125, 0.0, 0.1, 1.0, 1e9]),
            made=FIRST_DAY + timedelta(hours=rng.randint(0, 60)),
            rank=rng.choice([None, 1, 2, 3, 40]),
        )
        for record in corpus(seed, size)
    ]


# A parent's id and then its children's, as they were written.
Block = list[str]


def blocks_of(records: Sequence[Record], seed: int) -> list[list[Record]]:
    """The records as blocks of a parent (tag "parent") and up to four children."""
    rng = random.Random(seed)
    blocks: list[list[Record]] = []
    for record in records:
        if not blocks or len(blocks[-1]) > rng.randint(0, 4):
            blocks.append([_tagged(record, "parent")])
        else:
            blocks[-1].append(record)
    return blocks


def _tagged(record: Record, tag: str) -> Record:
    from dataclasses import replace

    return replace(record, tag=tag)


def write_blocks(folder: Path, blocks: Sequence[Sequence[Record]], layout: Layout) -> Any:
    """The blocks in that layout, each as a group of one writer; re-saving takes a whole block."""
    rng = random.Random(layout.seed)
    ix = index.create_in(str(folder), rich_schema())
    shuffled = list(blocks)
    rng.shuffle(shuffled)
    for part in range(layout.segments):
        with_ghost = part == 0 and layout.leftovers
        writer = ix.writer()
        for block in shuffled[part :: layout.segments]:
            _add(writer, block)
        if with_ghost:
            _add(writer, [Record("ghost0", "tent lamp", "tent tent", "parent", 1)] * 2)
        writer.commit(merge=False)
    writer = ix.writer()
    writer.delete_by_term("id", "ghost0")
    again = rng.sample(shuffled, min(layout.resaved, len(shuffled)))
    for block in again:
        for record in block:
            writer.delete_by_term("id", record.id)
    for block in again:
        _add(writer, block)
    writer.commit(merge=False)
    if layout.optimized:
        ix.optimize()
    return ix


def _add(writer: Any, block: Sequence[Record]) -> None:
    with writer.group():
        for record in block:
            writer.add_document(**record.stored())
