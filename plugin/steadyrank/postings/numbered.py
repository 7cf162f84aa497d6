"""A field with few values, such as a kind: each document's value as a number."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from steadyrank.postings.decode import Docs

# Values read between two looks at the clock.
_STEP = 2000

_UNREAD = -1


class Numbered:
    """The values of a segment's documents as numbers, read when they are first asked for.

    ``values`` has what the numbers stand for, in no order; it only grows.
    """

    def __init__(
        self, size: int, values: list[Any] | None = None, numbers: NDArray[Any] | None = None
    ) -> None:
        """``values`` and ``numbers`` are those of all documents where they are known already."""
        self.values: list[Any] = list(values or [])
        self._of_value = {value: number for number, value in enumerate(self.values)}
        self._numbers = np.full(size, _UNREAD, np.int32)
        if numbers is not None:
            self._numbers[:] = numbers

    def of(
        self, docs: Docs, reader: Callable[[], Callable[[int], Any]], tick: Callable[[], None]
    ) -> NDArray[np.int32]:
        """The number of each document's value; what ``reader`` makes reads those that are new.

        One thread at a time. ``tick`` is called now and then, and may raise.
        """
        numbers: NDArray[np.int32] = self._numbers[docs]
        unread = docs[numbers == _UNREAD]
        if not unread.size:
            return numbers
        read = reader()
        for start in range(0, unread.size, _STEP):
            some = unread[start : start + _STEP]
            self._numbers[some] = [self._number(read(doc)) for doc in some.tolist()]
            tick()
        return self._numbers[docs]

    def _number(self, value: Any) -> int:
        found = self._of_value.get(value)
        if found is None:
            found = self._of_value[value] = len(self.values)
            self.values.append(value)
        return found
