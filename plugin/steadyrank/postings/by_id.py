"""Records in the order of their ids, walked along the terms of the id field.

A large tie at the end of a page asks for a few lowest ids of thousands. Reading a stored id takes
4 to 20 us, and the terms of the field lie in the order of ids already.
"""

from __future__ import annotations

from collections.abc import Iterator
from heapq import merge
from itertools import pairwise

import numpy as np
from whoosh.analysis import IDTokenizer
from whoosh.codec.whoosh3 import W3PerDocReader, W3TermsReader
from whoosh.fields import ID

from steadyrank.postings.decode import Docs
from steadyrank.postings.index_view import IndexView
from steadyrank.postings.segment import Segment

# Fewer tied records than this are not worth a walk.
FEW = 100


def lowest_ids(view: IndexView, field: str, docs: Docs, count: int) -> Docs | None:
    """The ``count`` of the (ascending) documents with the lowest ids, ascending by id.

    None where a walk cannot tell, since an id occurs twice, is missing or is not what is stored,
    and where it would take longer than reading all ids. ``docs`` are live.
    """
    if docs.size < FEW + count:
        return None
    ranked = _by_ranks(view, field, docs, count)
    if ranked is not None:
        return ranked
    if not all(_is_plain(seg, field) for seg, _ in view.segments):
        return None
    if 2 * count * view.doc_count() > docs.size**2:  # so many others would be met on the way
        return None
    is_wanted = np.zeros(view.size, np.bool_)
    is_wanted[docs] = True
    found: list[int] = []
    before = b""
    walks = [_walk(segment, offset, field) for segment, offset in view.segments]
    for visited, (term, doc) in enumerate(merge(*walks)):
        if doc < 0 or visited >= docs.size:
            return None
        if not is_wanted[doc]:
            continue
        if term == before:
            return None
        if len(found) == count:
            return np.array(found, np.int64)
        if view.value(field, doc) != term.decode("utf-8", "replace"):
            return None
        found.append(doc)
        before = term
    return None


def _by_ranks(view: IndexView, field: str, docs: Docs, count: int) -> Docs | None:
    # The same where all segments have their ids compiled: the lowest of each, put together.
    found: list[tuple[str, int]] = []
    for segment, start, stop, offset in view.split(docs):
        ranks = segment.id_ranks(field)
        if ranks is None:
            return None
        own = docs[start:stop]
        if own.size > count + 1:
            own_ranks = ranks[own - offset]
            own = own[own_ranks <= np.partition(own_ranks, count)[count]]
        read = segment.values(field)
        found += [(read(doc - offset), doc) for doc in own.tolist()]
    found = sorted(found)[: count + 1]
    if any(first[0] == second[0] for first, second in pairwise(found)):
        return None
    return np.array([doc for _, doc in found[:count]], np.int64)


def _is_plain(segment: Segment, field: str) -> bool:
    # Whether each record's whole id is one term, in a segment on disk.
    reader = segment.reader
    if field not in reader.schema:
        return False
    kind = reader.schema[field]
    return (
        type(kind) is ID
        and type(kind.analyzer) is IDTokenizer
        and isinstance(getattr(reader, "_terms", None), W3TermsReader)
        and isinstance(getattr(reader, "_perdoc", None), W3PerDocReader)
    )


def _walk(segment: Segment, offset: int, field: str) -> Iterator[tuple[bytes, int]]:
    # Each live record's id and its document number in the index; -1 where an id occurs twice.
    for (name, term), info in segment.terms_from(field):
        if name != field:
            return
        doc = info.min_id()
        if info.doc_frequency() > 1:
            yield term, -1
        elif segment.deleted is None or not segment.deleted[doc]:
            yield term, doc + offset
