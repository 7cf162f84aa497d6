"""Records that belong together though they stand apart: collected without holding the file.

Two passes: the first notes where the last record of each group is, the second holds a group until
that one has come. What is in memory is the groups that are open, not the records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

Record = TypeVar("Record")


def grouped(
    records: Callable[[], Iterable[Record]], key: Callable[[Record], str]
) -> Iterator[list[Record]]:
    """Lists of the records with one key, each when its last one was read.

    ``records()`` gives the same records each time. Records with an empty key are groups of one.
    """
    last: dict[str, int] = {}
    more: set[str] = set()
    for number, record in enumerate(records()):
        name = key(record)
        if name:
            if name in last:
                more.add(name)
            last[name] = number
    last = {name: last[name] for name in more}  # what has one record waits for nothing
    held: dict[str, list[Record]] = {}
    for number, record in enumerate(records()):
        name = key(record)
        if name not in last:
            yield [record]
            continue
        held.setdefault(name, []).append(record)
        if last[name] == number:
            yield held.pop(name)
