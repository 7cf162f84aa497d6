"""Columns of text and of stored fields, opened without a step per document.

Whoosh opens them by adding up the lengths of all their values in a loop, unless the segment has
more than 32,768 documents: then where each begins is written too. A tie at the cut asks for a few
ids of segments that nobody has read an id of yet, and the loop costs more than the search.
"""

from __future__ import annotations

from array import array
from functools import cached_property, partial
from types import SimpleNamespace
from typing import Any

import numpy as np
from whoosh.codec.whoosh3 import STORED_COLUMN, W3PerDocReader
from whoosh.columns import CompressedBytesColumn, PickleColumn, VarBytesColumn

_NAME = "_stored"

# What the last byte of the column may say that its lengths are; else places are written.
_LENGTHS = ("B", "H", "i", "I")


def quick(column: Any) -> Any:
    """A column whose readers read what this one's do, and which opens them this way if it can."""
    return _Bytes() if type(column) is VarBytesColumn else column


def open_late(per_document: Any) -> None:
    """Has Whoosh's reader of a segment's documents open its stored fields this way, at the first
    record that anybody asks it for.
    """
    if (
        type(per_document) is W3PerDocReader
        and type(STORED_COLUMN) is PickleColumn
        and type(STORED_COLUMN._child) is CompressedBytesColumn
        and per_document.has_column(_NAME)
    ):
        per_document._readers.setdefault(_NAME, _StoredFields(per_document))


class _StoredFields(PickleColumn.Reader):  # type: ignore[misc]
    """Whoosh's reader of pickled records, which opens the records when they are asked for."""

    def __init__(self, per_document: Any) -> None:
        # Another reader of the same documents: the one that holds this would close a circle, and
        # its files would stay open until the garbage is collected.
        self._opener = W3PerDocReader(per_document._storage, per_document._segment)
        self._opener._colfiles = per_document._colfiles  # which are closed with that one

    @cached_property
    def _child(self) -> Any:
        column = SimpleNamespace(reader=partial(_Records, module=STORED_COLUMN._child._module))
        return self._opener.column_reader(_NAME, column)


class _AddedUp:
    """Over one of Whoosh's readers, adds up the lengths of all values at once."""

    _dbfile: Any
    _basepos: int
    _length: int
    _doccount: int

    def _read_offsets_and_lengths(self) -> None:
        end = self._basepos + self._length - 1
        kind = chr(self._dbfile.get_byte(end))
        if kind not in _LENGTHS:
            super()._read_offsets_and_lengths()  # type: ignore[misc]
            return
        self.had_stored_offsets = False
        size = array(kind).itemsize * self._doccount
        lengths = self._dbfile.get_array(end - size, kind, self._doccount)
        starts = np.cumsum(lengths, dtype=np.uint64) - np.asarray(lengths, np.uint64)
        self._offsets = array("Q", starts.tobytes())  # Python's integers, as files take them
        self._lengths = lengths


class _Records(_AddedUp, CompressedBytesColumn.Reader):  # type: ignore[misc]
    """Whoosh's reader of compressed records."""


class _Bytes(VarBytesColumn):  # type: ignore[misc]
    """Whoosh's column of values of any length."""

    class Reader(_AddedUp, VarBytesColumn.Reader):  # type: ignore[misc]
        pass
