"""What was read of a segment on disk, kept for all its readers and for later generations.

A segment never changes once it is written; only which of its documents are deleted does, and
that is not kept here. So a commit costs the reading of the new segments only.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

import numpy as np
from numpy.typing import NDArray
from whoosh.codec.whoosh3 import W3PerDocReader, W3TermsReader
from whoosh.filedb.filestore import FileStorage, OverlayStorage

from steadyrank.postings.decode import Postings

# Postings kept per segment, in documents of all lists together (8 bytes each).
CACHED_POSTINGS = 2_000_000

# What a list costs besides, as documents; also that of a term which is not there.
OVERHEAD = 64

Term = tuple[str, bytes]

# A term's documents and its weight in each.
_List = tuple[NDArray[np.int32], NDArray[np.float32]]


class Kept:
    """A segment's postings, deleted documents included, its length bytes and single values."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self.lengths: dict[str, NDArray[np.uint8] | None] = {}
        self.values: dict[Any, dict[int, Any]] = {}
        self._lists: dict[Term, _List] = {}
        self.size = 0

    def postings(self, term: Term, read: Callable[[], Postings]) -> Postings:
        """The postings of a term, read at most once while they are kept."""
        docs, weights = self._list(term, read)
        return Postings(docs.astype(np.int64), weights.astype(np.float64))

    def docs(self, term: Term, read: Callable[[], Postings]) -> NDArray[np.int32]:
        """Their document numbers alone."""
        return self._list(term, read)[0]

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
_LOCK = threading.Lock()


def kept_of(reader: Any) -> Kept:
    """What is kept of a leaf reader's segment; of its own where it is not one in a folder.

    It lives as long as somebody holds it: readers do, and the indexes that made them.
    """
    key = _files_of(reader)
    if key is None:
        return Kept()
    with _LOCK:
        found = _KEPT.get(key)
        if found is None:
            found = _KEPT[key] = Kept()
        return found


def kept_by(reader: Any) -> list[Kept]:
    """What is kept of all segments of a reader, to hold on to."""
    leaves = [reader] if reader.is_atomic() else [leaf for leaf, _ in reader.leaf_readers()]
    return [kept_of(leaf) for leaf in leaves]


def _files_of(reader: Any) -> Any:
    # What tells a segment from all others. Its name does not: it comes from the random numbers
    # of the process, which a host may seed before each build.
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
    segment = reader.segment()
    endings = (".seg",) if segment.is_compound() else (".trm", ".pst")
    try:
        files = [
            os.stat(os.path.join(storage.folder, segment.make_filename(end)))  # noqa: PTH116, PTH118
            for end in endings
        ]
    except OSError:  # gone already
        return None
    return reader.doc_count_all(), *(
        (file.st_dev, file.st_ino, file.st_size, file.st_mtime_ns, file.st_ctime_ns)
        for file in files
    )
