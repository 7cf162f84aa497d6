"""Documents that vanished and documents that are new and have the same content: "renamed?"."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from steadyrank_builder.document import Document
from steadyrank_builder.indexing import from_fields

_MOST = 50_000  # vanished documents that are looked at, to bound time and memory
# Attributes that follow a page's or product's name.
_NAMES = frozenset({"path", "handle", "slug", "section"})


def renamed(
    removed: Iterable[tuple[int, str]],
    added: Iterable[str],
    *,
    folder: Path,
    document: Callable[[str], Document],
) -> list[tuple[str, str]]:
    """Pairs of an id that lost its content and one that has it now, in id order, one to one.

    ``removed`` has the number of each document in the live index in ``folder``, ``document`` gives
    the ones of ``added``. An id can be in both. It is a hint: where the live index cannot be read
    there are no pairs.
    """
    bodies: dict[bytes, list[str]] = {}
    try:
        with _stored(folder) as fields:
            for (number, id_), _ in zip(removed, range(_MOST), strict=False):
                bodies.setdefault(_body(from_fields(fields(number))), []).append(id_)
    except Exception:  # a damaged index can make Whoosh raise anything
        return []
    if not bodies:
        return []
    pairs = []
    for id_ in added:
        waiting = bodies.get(_body(document(id_)), [])
        if id_ in waiting:
            waiting.remove(id_)  # its address or links changed, it did not move
        elif waiting:
            pairs.append((waiting.pop(0), id_))
    return sorted(pairs)


@contextmanager
def _stored(folder: Path) -> Iterator[Callable[[int], Any]]:
    from whoosh.index import open_dir

    reader = open_dir(str(folder), readonly=True).reader()
    try:
        yield reader.stored_fields
    finally:
        reader.close()


def _body(document: Document) -> bytes:
    """A digest of what a reader reads: not the id, nor what is made of a file's or page's name."""
    attributes = {name: value for name, value in document.attributes.items() if name not in _NAMES}
    bare = replace(
        document, id="-", document="-", url="", links=(), attributes=attributes
    )  # fmt: skip
    return hashlib.sha256(bare.digest.encode()).digest()[:16]
