"""What was read of a segment on disk, kept for all its readers and for later generations.

A segment never changes once it is written; only which of its documents are deleted does, and
that is not kept here. So a commit costs the reading of the new segments only.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray
from whoosh.codec.whoosh3 import W3PerDocReader, W3TermsReader
from whoosh.filedb.filestore import FileStorage, OverlayStorage

from steadyrank.postings.compiled.opening import FileMark, mark_of, open_arrays, warn
from steadyrank.postings.compiled.reading import Arrays
from steadyrank.postings.decode import Postings
from steadyrank.postings.locks import lock, reentrant_lock
from steadyrank.postings.numbered import Numbered

# Postings kept per segment, in documents of all lists together (8 bytes each).
CACHED_POSTINGS = 2_000_000

# What a list costs besides, as documents; also that of a term which is not there.
OVERHEAD = 64

Term = tuple[str, bytes]

# A term's documents and its weight in each.
_List = tuple[NDArray[np.int32], NDArray[np.float32]]


class Kept:
    """A segment's postings, deleted documents included, its length bytes and single values.

    ``files`` is what tells the segment on disk from others, None where there are no such files.
    """

    def __init__(self, files: Any = None) -> None:
        self.lock = reentrant_lock()
        self._files = files
        self._arrays: Arrays | None = None
        self._looked_at: FileMark | None = None
        self.lengths: dict[str, NDArray[np.uint8] | None] = {}
        self.values: dict[Any, dict[int, Any]] = {}
        self.numbered: dict[Any, Numbered] = {}
        self._lists: dict[Term, _List] = {}
        self.size = 0

    def postings(self, term: Term, read: Callable[[], Postings]) -> Postings:
        """The postings of a term, read at most once while they are kept."""
        docs, weights = self._list(term, read)
        return Postings(docs.astype(np.int64), weights.astype(np.float64))

    def docs(self, term: Term, read: Callable[[], Postings]) -> NDArray[np.int32]:
        """Their document numbers alone."""
        return self._list(term, read)[0]

    def size_of(self, term: Term) -> int | None:
        """How many documents the term has, where that is known from postings that are kept."""
        found = self._lists.get(term)
        return None if found is None else found[0].size

    def arrays(self, reader: Any) -> Arrays | None:
        """The segment's compiled form, None where there is none that can be used.

        One that has been written since it was asked for last is opened.
        """
        if self._files is None:
            return None
        place = place_of(reader)
        assert place is not None
        with self.lock:
            mark = mark_of(*place)
            # A writer may have given its name to another segment while this one was being read.
            if mark != self._looked_at and files_of(reader) == self._files:
                self._looked_at = mark
                if mark is not None:
                    self._arrays = open_arrays(*place)
            return self._arrays

    def drop(self, arrays: Arrays, why: str) -> None:
        """Uses the compiled form no more, and says why."""
        with self.lock:
            if self._arrays is arrays:
                self._arrays = None
                warn(arrays.path, why)

    def _list(self, term: Term, read: Callable[[], Postings]) -> _List:
        found = self._lists.get(term)
        if found is None:
            with self.lock:
                found = self._lists.get(term)  # another thread may have read it meanwhile
                if found is None:
                    postings = read()
                    # Weights are written in single precision, so nothing is lost.
                    found = (postings.docs.astype(np.int32), postings.weights.astype(np.float32))
                    self._keep(term, found)
        return found

    def _keep(self, term: Term, found: _List) -> None:
        size = found[0].size + OVERHEAD
        if self.size + size > CACHED_POSTINGS:
            self._lists.clear()
            self.size = 0
        self._lists[term] = found
        self.size += size


_KEPT: WeakValueDictionary[Any, Kept] = WeakValueDictionary()
_LOCK = lock()


def kept_of(reader: Any) -> Kept:
    """What is kept of a leaf reader's segment; of its own where it is not one in a folder.

    It lives as long as somebody holds it: readers do, and the indexes that made them.
    """
    key = files_of(reader)
    if key is None:
        return Kept()
    with _LOCK:
        found = _KEPT.get(key)
        if found is None:
            found = _KEPT[key] = Kept(key)
        return found


def kept_by(reader: Any) -> list[Kept]:
    """What is kept of all segments of a reader, to hold on to."""
    leaves = [reader] if reader.is_atomic() else [leaf for leaf, _ in reader.leaf_readers()]
    return [kept_of(leaf) for leaf in leaves]


def place_of(reader: Any) -> tuple[str, str] | None:
    """The folder with the files of a leaf reader's segment, and its id; None for one in memory."""
    if not (
        isinstance(getattr(reader, "_perdoc", None), W3PerDocReader)
        and isinstance(getattr(reader, "_terms", None), W3TermsReader)
    ):
        return None
    storage = reader.storage()
    if isinstance(storage, OverlayStorage):  # over the files that are packed into one
        storage = storage.b
    if not isinstance(storage, FileStorage):
        return None
    return storage.folder, str(reader.segment().segment_id())


def files_of(reader: Any) -> Any:
    """What tells the files of a leaf reader's segment from all others; None where it has none.

    Its name does not: it comes from the random numbers of the process, which a host may seed
    before each build.
    """
    place = place_of(reader)
    if place is None:
        return None
    folder, name = place
    endings = (".seg",) if reader.segment().is_compound() else (".trm", ".pst")
    try:
        files = [os.stat(os.path.join(folder, name + end)) for end in endings]  # noqa: PTH116, PTH118
    except OSError:  # gone already
        return None
    return reader.doc_count_all(), *(
        (file.st_dev, file.st_ino, file.st_size, file.st_mtime_ns, file.st_ctime_ns)
        for file in files
    )
