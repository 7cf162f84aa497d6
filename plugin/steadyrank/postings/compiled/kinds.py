"""The kind of each of a segment's documents, of which there are few: what quotas look at."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from steadyrank.postings.compiled.bodies import BodyWriter
from steadyrank.postings.compiled.checked import CheckedFile
from steadyrank.postings.compiled.source import ValueSource

_MOST = 256


def write_kinds(source: ValueSource, size: int, bodies: BodyWriter) -> dict[str, Any] | None:
    """Writes the kinds of all documents; what the head has of them.

    None where one of them is no text that UTF-8 can carry, or there are too many.
    """
    numbers: dict[Any, int] = {}
    codes = bytearray()
    for doc in range(size):
        value = source.read(doc)
        if type(value) is not str:
            return None
        number = numbers.setdefault(value, len(numbers))
        if number == _MOST:
            return None
        codes.append(number)
    try:
        "".join(numbers).encode()
    except UnicodeError:
        return None
    return {
        "field": source.field,
        "numbers": [bodies.write(bytes(codes)), size],
        "values": list(numbers),
        "way": source.way,
    }


class Kinds:
    """The kinds as they were written."""

    def __init__(self, file: CheckedFile, head: dict[str, Any]) -> None:
        self.field: str = head["field"]
        self.way: str = head["way"]
        self.values: list[str] = head["values"]
        self._file = file
        self._place: list[int] = head["numbers"]

    def numbers(self) -> NDArray[np.uint8]:
        """For each document the place of its kind in ``values``."""
        return self._file.array("<u1", *self._place)
