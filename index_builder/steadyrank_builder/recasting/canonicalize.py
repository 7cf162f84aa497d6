"""From an index as it has grown to one segment in id order, published like a build."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from steadyrank_builder.canonical import Content, Digests, digests, in_id_order, write_segment
from steadyrank_builder.compiled import compile_staged, mend
from steadyrank_builder.failures import CanonicalError, TargetError, WrittenIndexError
from steadyrank_builder.fingerprint import describe_schema
from steadyrank_builder.history.generations import no_index, recorded
from steadyrank_builder.manifest import DocumentEntry, Manifest
from steadyrank_builder.provenance import made_with
from steadyrank_builder.publishing import layout
from steadyrank_builder.publishing.durable import measure, sync_file
from steadyrank_builder.publishing.live import Live, check_target, live_generation
from steadyrank_builder.publishing.locks import build_lock
from steadyrank_builder.publishing.publish import Staged, publish
from steadyrank_builder.publishing.workshop import clear_dead, workshop
from steadyrank_builder.verification.files import check_files

SCHEMA = 1
COMMAND = "canonicalize"


@dataclass(frozen=True, slots=True)
class Canonicalized:
    """What was done. ``published`` is False where the live generation had that layout already.

    ``segments`` and ``deleted`` count what there was before: segments, and documents that had
    been deleted and were still in the files.
    """

    generation: int
    published: bool
    documents: int
    digest: str
    segments: int
    deleted: int
    notes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The object that ``steadyrank canonicalize --json`` prints."""
        return {
            "schema": SCHEMA,
            "generation": self.generation,
            "published": self.published,
            "documents": self.documents,
            "digest": self.digest,
            "segments": self.segments,
            "deleted": self.deleted,
        }


def canonicalize(
    folder: Path,
    *,
    id_field: str,
    out: Path | None = None,
    lock_timeout: float = 5.0,
    compiled: bool = True,
    tick: Callable[[int, int], None] = lambda _done, _total: None,
) -> Canonicalized:
    """Write the live documents of ``folder`` as one segment in the order of ``id_field``.

    Published in ``folder`` itself as its next generation, or as the first one of ``out``. Read
    back and compared before that. ``compiled`` has decoded posting lists published beside it, as a
    build. ``tick`` gets the documents written and their number.

    NoIndexError, CanonicalError where ids settle no order, TargetError for an ``out`` that holds
    something, LockedError, StaleGenerationError where a writer committed meanwhile. Nothing
    changed then.
    """
    source = folder.resolve()
    target = source if out is None else out.resolve()
    if not layout.generations(source):
        raise no_index(folder)
    check_target(target)
    if target != source and layout.generations(target):
        raise TargetError(
            f"{out} holds an index already, which would be replaced: name a new folder.",
            path=target,
        )
    with build_lock(target, lock_timeout, COMMAND):
        clear_dead(target)
        live = live_generation(source)
        assert live is not None
        done = _done(source, live, id_field, compiled) if target == source else None
        if done is not None:
            return done
        with _opened(source) as (readers, schema), workshop(target) as place:
            content = Content(readers, schema, in_id_order(readers, schema, id_field))
            if not content.ids:
                raise CanonicalError(
                    f"{folder} has no live document, so there is no order of them."
                )
            analyzer = describe_schema(schema)
            found = digests(content, analyzer)
            segment = write_segment(content, place, tick=_counter(tick, len(content.ids)))
            _compare(place, content.ids, analyzer, found)
            staged = _staged(place, schema, segment, found, analyzer, id_field, compiled)
            generation = publish(
                staged,
                target,
                began=live if target == source else None,
                force=False,
                lock_timeout=lock_timeout,
            )
            return Canonicalized(
                generation=generation,
                published=True,
                documents=len(content.ids),
                digest=found.whole,
                segments=len(readers),
                deleted=sum(reader.doc_count_all() - reader.doc_count() for reader in readers),
            )


def _done(folder: Path, live: Live, id_field: str, compiled: bool) -> Canonicalized | None:
    """What there is to say where the live generation is of this tool's making, whole, and in the
    order of that field.
    """
    manifest = recorded(folder, live.generation)
    if manifest is None or check_files(folder, manifest, compiled=False):
        return None
    ordered_by = manifest.settings.get("id_field") if manifest.made_by == COMMAND else "id"
    if ordered_by != id_field:
        return None
    mended = mend(folder, id_field) if compiled else ()
    return Canonicalized(
        generation=live.generation,
        published=False,
        documents=len(manifest.documents),
        digest=manifest.digest,
        segments=1,
        deleted=0,
        notes=(f"Generation {live.generation} has one segment in id order already.", *mended),
    )


@contextmanager
def _opened(folder: Path) -> Iterator[tuple[list[Any], Any]]:
    """The segment readers of an index, and its schema."""
    from whoosh.index import open_dir

    index = open_dir(str(folder), readonly=True)
    reader = index.reader()
    try:
        yield [leaf for leaf, _ in reader.leaf_readers()], index.schema
    finally:
        reader.close()


def _counter(tick: Callable[[int, int], None], total: int) -> Callable[[], None]:
    done = 0

    def count() -> None:
        nonlocal done
        done += 1
        if done % 64 == 0 or done == total:
            tick(done, total)

    return count


def _compare(folder: Path, ids: list[str], analyzer: dict[str, Any], expected: Digests) -> None:
    """WrittenIndexError unless what was written reads back as what was there."""
    from steadyrank_builder.canonical import Ordered

    with _opened(folder) as (readers, schema):
        places = [(0, number) for number in range(len(ids))]
        content = Content(readers, schema, Ordered(ids, places))
        if len(readers) != 1 or digests(content, analyzer) != expected:
            raise WrittenIndexError(
                f"The index written to {folder} does not read back as the one it was made of. "
                "Nothing was published."
            )


def _staged(
    place: Path,
    schema: Any,
    segment: Any,
    found: Digests,
    analyzer: dict[str, Any],
    id_field: str,
    compiled: bool,
) -> Staged:
    files = [path for path in sorted(place.iterdir()) if layout.segment_of(path.name)]
    for path in files:
        sync_file(path)
    if compiled:
        files += compile_staged(place, id_field)
    manifest = Manifest(
        generation=0,
        created=datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
        made_with=made_with(),
        analyzer=analyzer,
        digest=found.whole,
        files={path.name: measure(path) for path in files},
        documents={id_: DocumentEntry(digest, ()) for id_, digest in found.documents.items()},
        kinds={},
        dangling_links=0,
        sources=(),
        made_by=COMMAND,
        settings={"id_field": id_field},
    )
    return Staged(place, tuple(files), schema, [segment], manifest)
