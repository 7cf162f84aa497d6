"""Lengths of fields as a disk segment stores them: one byte for each document."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from whoosh.util.numeric import byte_to_length

LENGTH_OF_BYTE = np.array([byte_to_length(byte) for byte in range(256)], np.int64)


def length_bytes(per_document: Any, field: str, size: int) -> NDArray[np.uint8] | None:
    """The bytes of a W3PerDocReader's field, None where it stores no lengths.

    They are Whoosh's column of numbers, which stops after the last one that is not 0.
    """
    name = f"_{field}_len"
    if not per_document.has_column(name):
        return None
    from whoosh.codec.whoosh3 import LENGTHS_COLUMN

    column = per_document._cached_reader(name, LENGTHS_COLUMN)
    stored = np.frombuffer(column._dbfile.get(column._basepos, column._count), np.uint8)
    padded = np.zeros(size, np.uint8)
    padded[: stored.size] = stored[:size]
    return padded
