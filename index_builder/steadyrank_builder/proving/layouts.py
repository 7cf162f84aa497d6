"""The documents of an index in layouts as a plain Whoosh writer leaves them."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

Stored = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Layout:
    """How documents come to lie in an index.

    ``segments``: how many commits write them, in an order by chance. ``leftovers``: some more
    were there and are deleted, and some are deleted and written again unchanged, which leaves
    what was deleted in place. ``merged``: in the end everything is merged into one segment.
    """

    name: str
    segments: int = 1
    leftovers: bool = False
    merged: bool = False


# The ones that differ most come first, for those who rebuild once.
LAYOUTS = (
    Layout("shuffled, in three segments, with deleted leftovers", 3, leftovers=True),
    Layout("shuffled, in five segments with leftovers, merged", 5, leftovers=True, merged=True),
    Layout("shuffled, in one segment"),
    Layout("shuffled, in seven segments", 7),
)


def write_layout(
    folder: Path, schema: Any, documents: Sequence[Stored], layout: Layout, seed: int
) -> None:
    """The documents, by Whoosh's own writer, in the empty ``folder``; ``seed`` is the chance."""
    from whoosh.index import create_in

    from steadyrank.analysis import spoken_fields

    chance = random.Random(seed)
    index = create_in(str(folder), schema)
    ghosts = _ghosts(documents, chance) if layout.leftovers else []
    everything = _shuffled([*documents, *ghosts], chance)
    for part in range(layout.segments):
        _commit(index, partial(_add, documents=everything[part :: layout.segments]))
    if layout.leftovers:
        _commit(index, lambda writer: [writer.delete_by_term("id", g["id"]) for g in ghosts])
        again = _shuffled(documents, chance)[: max(1, len(documents) // 10)]
        told = [spoken_fields(schema, stored) for stored in again]
        _commit(index, lambda writer: [writer.update_document(**stored) for stored in told])
    if layout.merged:
        index.optimize()


def _add(writer: Any, documents: Sequence[Stored]) -> None:
    from steadyrank.analysis import spoken_fields

    for stored in documents:
        writer.add_document(**spoken_fields(writer.schema, stored))


def _commit(index: Any, change: Callable[[Any], Any]) -> None:
    writer = index.writer(procs=1)
    try:
        change(writer)
    except BaseException:
        writer.cancel()
        raise
    writer.commit(merge=False)


def _ghosts(documents: Sequence[Stored], chance: random.Random) -> list[dict[str, Any]]:
    # A tenth more, with one's title and another's text, so that they count in every frequency
    # and length until they are merged away.
    ghosts = []
    for number in range(max(1, len(documents) // 10)):
        one, other = (documents[chance.randrange(len(documents))] for _ in range(2))
        ghost = {**one, "id": f"{one['id']} gone {number}", "text": other.get("text") or ""}
        ghosts.append(ghost)
    taken = {stored["id"] for stored in documents}
    return [ghost for ghost in ghosts if ghost["id"] not in taken]


def _shuffled(items: Sequence[Any], chance: random.Random) -> list[Any]:
    # By keys, since Random.shuffle may differ between versions of Python.
    keys = [chance.random() for _ in items]
    return [item for _, item in sorted(zip(keys, items, strict=True), key=lambda pair: pair[0])]
