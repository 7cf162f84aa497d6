"""Compiling a segment: one walk over its terms, in bounded memory, into a file of its own."""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby
from pathlib import Path
from typing import Any, BinaryIO

from whoosh.codec.whoosh3 import W3TermInfo
from whoosh.formats import Existence

from steadyrank.errors import SteadyRankError
from steadyrank.postings.blocks import read_steps
from steadyrank.postings.compiled.bodies import BodyWriter
from steadyrank.postings.compiled.dictionary import PageWriter
from steadyrank.postings.compiled.ids import write_ids
from steadyrank.postings.compiled.kinds import write_kinds
from steadyrank.postings.compiled.layout import arrays_name
from steadyrank.postings.compiled.lists import FieldLists
from steadyrank.postings.compiled.origin import changed_ns, origin_of
from steadyrank.postings.compiled.source import ValueSource
from steadyrank.postings.length_bytes import length_bytes

# Documents and weights lie the same way in every format, and a field may be in no schema any more.
_ANY = Existence()


class CompileError(SteadyRankError, RuntimeError):
    """A segment that cannot be compiled: its files changed meanwhile or are damaged, or there is
    no place for a new one.

    ``segment`` is its id, None where it is about a whole index. Searching is as it was.
    """

    def __init__(self, message: str, *, segment: str | None = None) -> None:
        super().__init__(message)
        self.segment = segment


def write_arrays(
    reader: Any, folder: Path, ids: ValueSource | None = None, kinds: ValueSource | None = None
) -> Path:
    """Compiles the segment of a leaf reader, whose files are in ``folder``; gives the new file.

    It is complete and on the disk before it has its name, so a reader of an older one goes on
    reading that. The same segment and sources give the same bytes. CompileError, and OSError where
    the disk does not take it.
    """
    segment = str(reader.segment().segment_id())
    target = folder / arrays_name(segment)
    try:
        changed = changed_ns(str(folder), segment)
        with _draft(target) as (draft, stream):
            bodies = BodyWriter(stream)
            head = _walk(reader, bodies)
            if ids is not None:
                head["ids"] = write_ids(ids, reader.doc_count_all(), bodies)
            if kinds is not None:
                known = write_kinds(kinds, reader.doc_count_all(), bodies)
                head |= {} if known is None else {"kinds": known}
            origin = origin_of(str(folder), segment)
            bodies.finish({**head, "origin": origin, "segment": segment})
            stream.flush()
            os.fsync(stream.fileno())
            # By which a reader knows that the segment is the same without reading all of it.
            os.utime(draft, ns=(changed, changed))
            if changed_ns(str(folder), segment) != changed:
                raise FileNotFoundError(segment)
            draft.replace(target)
    except FileNotFoundError as error:
        raise deleted_meanwhile(segment, folder) from error
    except OSError:
        raise
    except Exception as error:  # whatever Whoosh, pickle and zlib raise for damaged bytes
        raise CompileError(
            f"segment {segment} in {folder} cannot be read: {error!r}; it is damaged, so restore "
            "or build the index again",
            segment=segment,
        ) from error
    _sync_folder(folder)
    return target


def _walk(reader: Any, bodies: BodyWriter) -> dict[str, Any]:
    # Writes the bodies; what the head has of them.
    terms = reader._terms
    size: int = reader.doc_count_all()
    pages = PageWriter(bodies.write)
    fields: dict[str, Any] = {}
    for number, found in groupby(terms._tindex.items(), lambda item: item[0][:2]):
        field = str(terms._fieldunmap[int.from_bytes(number, "big")])
        lengths = length_bytes(reader._perdoc, field, size)
        lists = FieldLists(terms._fieldmap[field], lengths, size, bodies, pages)
        for key, value in found:
            term = key[2:]
            _, weight, frequency, _, _, _, doc, _ = W3TermInfo._struct.unpack_from(value)
            if frequency == 1:  # as two thirds of all terms are, and their postings in a pickle
                lists.add(term, [doc], [weight], doc)
            else:
                info = W3TermInfo.from_bytes(value)
                matcher = terms._codec.postings_reader(terms._postfile, info, _ANY)
                lists.add(term, *read_steps(matcher), info.max_id())
        fields[field] = lists.finish()
    return {"dictionary": pages.finish(), "documents": size, "fields": fields}


def deleted_meanwhile(segment: str, folder: Path) -> CompileError:
    """The error for a segment that a commit took away."""
    return CompileError(
        f"segment {segment} in {folder} was deleted or written anew while it was compiled; "
        "compile again what is there now",
        segment=segment,
    )


@contextmanager
def _draft(target: Path) -> Iterator[tuple[Path, BinaryIO]]:
    # Locked for as long as it is being written, by which others know it to be no leftover.
    draft = target.with_name(f"{target.name}.{secrets.token_hex(8)}")
    with draft.open("xb") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield draft, stream
        finally:
            draft.unlink(missing_ok=True)


def is_being_written(draft: Path) -> bool:
    """Whether the writer of a draft lives. FileNotFoundError where it is gone already."""
    with draft.open("rb") as stream:
        try:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except BlockingIOError:
            return True
    return False


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
