"""Compiling the segments of an index on disk, so that no process has to decode them again."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from whoosh.filedb.filestore import FileStorage
from whoosh.index import FileIndex

from steadyrank.index import open_index
from steadyrank.order import Policy
from steadyrank.postings.compiled.checked import UnfitError
from steadyrank.postings.compiled.layout import (
    arrays_name,
    is_arrays_draft,
    segment_of_arrays,
)
from steadyrank.postings.compiled.origin import changed_ns, files_of
from steadyrank.postings.compiled.reading import Arrays
from steadyrank.postings.compiled.writing import (
    CompileError,
    deleted_meanwhile,
    is_being_written,
    write_arrays,
)
from steadyrank.postings.identity import check_fields
from steadyrank.postings.kept import place_of
from steadyrank.postings.segment import segment_of
from steadyrank.schema import KIND_FIELD


@dataclass(frozen=True, slots=True)
class CompiledSegment:
    """What became of one segment.

    ``size`` is that of its compiled file and ``segment_size`` that of Whoosh's own files, in
    bytes; ``why`` says why a file that was there was not kept.
    """

    segment: str
    file: str
    action: Literal["compiled", "kept"]
    documents: int
    terms: int
    size: int
    segment_size: int
    seconds: float
    why: str | None = None


@dataclass(frozen=True, slots=True)
class CompiledIndex:
    """What was done to an index: its segments in their order, and leftovers that were removed."""

    path: str
    segments: tuple[CompiledSegment, ...]
    removed: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """The object that ``steadyrank compile --json`` prints."""
        return {
            "schema": 1,
            "path": self.path,
            "segments": [asdict(segment) for segment in self.segments],
            "removed": list(self.removed),
        }


def compile_index(
    path: str | os.PathLike[str] | FileIndex,
    *,
    id_field: str | None = None,
    indexname: str | None = None,
    tick: Callable[[int, int], None] = lambda _done, _total: None,
) -> CompiledIndex:
    """Compiles each segment of the index in a folder, or of an open Whoosh index, that has no
    compiled file that fits.

    So after a commit only the new ones. Files of segments that are gone are removed. Takes no
    lock, and readers and writers may be at work: open readers go on with what they have, those
    that are opened later use the new files. ``id_field`` has the ids that settle ties, by default
    ``id`` where there is such a field; they are compiled too. ``tick`` gets the segments that are
    done and how many there are.

    NoIndexError where there is no index, IdFieldError where it has no such field, CompileError
    where a file cannot be written or a segment not be read.
    """
    folder, index = _opened(path, indexname)
    reader = index.reader()
    try:
        check_fields(reader.schema, Policy(id_field=id_field))
        leaves = [reader] if reader.is_atomic() else [leaf for leaf, _ in reader.leaf_readers()]
        leaves = [leaf for leaf in leaves if place_of(leaf) is not None]
        done = []
        for number, leaf in enumerate(leaves):
            tick(number, len(leaves))
            done.append(compile_segment(leaf, folder, id_field))
        tick(len(leaves), len(leaves))
    finally:
        reader.close()
    return CompiledIndex(str(folder), tuple(done), tuple(remove_leftovers(folder)))


def _opened(
    path: str | os.PathLike[str] | FileIndex, indexname: str | None
) -> tuple[Path, FileIndex]:
    if not isinstance(path, FileIndex):
        folder = Path(os.fspath(path))
        return folder, open_index(folder, indexname=indexname, id_field=None)
    if not isinstance(path.storage, FileStorage):
        raise CompileError(
            "an index in memory cannot be compiled: compiled segments lie beside an index's own "
            "files. Compile the index in its folder",
        )
    return Path(path.storage.folder), path


def compile_segment(reader: Any, folder: Path, id_field: str | None = None) -> CompiledSegment:
    """Compiles the segment of a leaf reader, unless there is a file that fits in every byte."""
    started = time.monotonic()
    segment = str(reader.segment().segment_id())
    arrays, why = fitting(folder, segment)
    values = segment_of(reader)
    source = values.source("id" if id_field is None else id_field)
    if arrays is not None and source is not None:
        has = None if arrays.ids is None else arrays.ids.field
        if has is None or id_field not in (None, has):
            arrays, why = None, f"it has no ids of field {source.field!r}"
    action: Literal["compiled", "kept"] = "kept"
    if arrays is None:
        action = "compiled"
        try:
            # Reading a record unpickles it, which kinds alone are not worth.
            kinds = values.source(KIND_FIELD)
            if kinds is not None and not reader.has_column(KIND_FIELD):
                kinds = None
            write_arrays(reader, folder, source, kinds)
            arrays = Arrays(str(folder), segment)
        except FileNotFoundError as error:  # and another process has tidied up, perhaps
            raise deleted_meanwhile(segment, folder) from error
        except (OSError, UnfitError) as error:
            reason = getattr(error, "strerror", None) or error
            raise CompileError(
                f"{folder / arrays_name(segment)} cannot be written ({reason}): compiled segments "
                "lie beside the index's own files. Searching works as before without them",
                segment=segment,
            ) from error
    else:
        _stamp(folder, segment)
    return CompiledSegment(
        segment=segment,
        file=arrays_name(segment),
        action=action,
        documents=arrays.documents,
        terms=arrays.terms,
        size=arrays.size,
        segment_size=_size(folder, segment),
        seconds=time.monotonic() - started,
        why=why,
    )


def fitting(folder: Path, segment: str) -> tuple[Arrays | None, str | None]:
    """A segment's compiled file if it fits in every byte; else why not, None for no file."""
    try:
        arrays = Arrays(str(folder), segment, trusting=False)
        arrays.check()
    except FileNotFoundError:
        return None, None
    except UnfitError as error:
        return None, str(error)
    except OSError as error:
        return None, f"it cannot be read ({error.strerror or error})"
    return arrays, None


def remove_leftovers(folder: Path) -> list[str]:
    """Removes the files of segments that are gone, and what dead writers left; their names.

    Nothing is removed that a rollback needs: that has its segments. Open readers keep what they
    have mapped.
    """
    removed = []
    for name in sorted(path.name for path in folder.iterdir()):
        segment = segment_of_arrays(name)
        if segment is not None:
            gone = not files_of(str(folder), segment)
        else:
            gone = is_arrays_draft(name) and not _lives(folder / name)
        if gone:
            try:
                (folder / name).unlink(missing_ok=True)
            except OSError:  # it takes room and does no harm
                continue
            removed.append(name)
    return removed


def _size(folder: Path, segment: str) -> int:
    total = 0
    for name in files_of(str(folder), segment):
        with suppress(FileNotFoundError):  # a commit takes files away at any moment
            total += (folder / name).stat().st_size
    return total


def _lives(draft: Path) -> bool:
    try:
        return is_being_written(draft)
    except OSError:
        return True  # gone, or not ours to judge


def _stamp(folder: Path, segment: str) -> None:
    # A copy may not have kept times of change: its readers would compare all bytes each time.
    try:
        changed = changed_ns(str(folder), segment)
        path = folder / arrays_name(segment)
        if path.stat().st_mtime_ns != changed:
            os.utime(path, ns=(changed, changed))
    except OSError:  # not allowed, or gone: they go on comparing
        pass
