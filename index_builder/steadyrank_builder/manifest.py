"""The record of one generation, ``steadyrank-<generation>.json`` beside the index files.

It tells what the index was built from and by what, so that a later build can say what changed,
``verify`` can find damage, and a rollback knows what it returns to. It is not signed: whoever can
write the folder can write a manifest that fits. The digest given on verify's command line is
what such a change cannot fit.
"""

from __future__ import annotations

import hashlib
import json
import os
import weakref
from collections.abc import ItemsView, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from steadyrank_builder.document import Origin, canonical_json
from steadyrank_builder.failures import ManifestError
from steadyrank_builder.publishing.durable import FileEntry

SCHEMA = 1
_SEAL = ',\n"seal":"'
_END = '"}\n'
_DOCUMENTS = b',\n"documents":{'
_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class DocumentEntry:
    """One document of the index: its content's SHA-256 in hex, and the places it came from."""

    digest: str
    origins: tuple[Origin, ...]


@dataclass(frozen=True, slots=True)
class Manifest:
    """Everything recorded about one generation.

    ``generation`` is 0 until it is published. ``created`` is UTC in ISO 8601. ``made_with``
    names tool, Whoosh distribution, Python and Unicode versions; ``analyzer`` is what
    ``steadyrank.analysis.describe`` says. ``digest`` is the logical one (see fingerprint.py).
    ``files`` maps the names of all files of the generation, the TOC included, this record not.
    ``sources`` is the build's account of each source, and ``kinds`` counts documents by kind.
    ``dangling_links`` counts links to ids that are not in the index. ``made_by`` is the command,
    ``restores`` the generation that this one is a rollback to, 0 for none, and ``settings`` has
    the choices of a build that an update goes on with. ``seal`` is the file's own
    ``sha256:<hex>``, known once it is read: as it covers the hashes of all files, whoever keeps
    it elsewhere can prove that not one byte of the generation was changed.
    """

    generation: int
    created: str
    made_with: Mapping[str, str]
    analyzer: Mapping[str, Any]
    digest: str
    files: Mapping[str, FileEntry]
    documents: Mapping[str, DocumentEntry]
    kinds: Mapping[str, int]
    dangling_links: int
    sources: tuple[Mapping[str, Any], ...]
    made_by: str = "build"
    restores: int = 0
    settings: Mapping[str, Any] = field(default_factory=dict)
    seal: str = ""


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Write ``manifest`` as JSON, one line per document, sealed by a SHA-256 of all before it.

    Beside and renamed, so that a manifest read from ``path`` can be written there.
    """
    seal = hashlib.sha256()
    draft = path.with_name(f".{path.name}.draft")
    with draft.open("wb") as stream:
        for chunk in _lines(manifest):
            data = chunk.encode()
            seal.update(data)
            stream.write(data)
        stream.write(f"{_SEAL}{seal.hexdigest()}{_END}".encode())
    draft.replace(path)


def _lines(manifest: Manifest) -> Iterator[str]:
    names = _origin_names(manifest.documents)
    numbers = {name: number for number, name in enumerate(names)}
    head = {
        "schema": SCHEMA,
        "generation": manifest.generation,
        "created": manifest.created,
        "made_with": dict(manifest.made_with),
        "made_by": manifest.made_by,
        "restores": manifest.restores,
        "settings": dict(manifest.settings),
        "analyzer": dict(manifest.analyzer),
        "digest": manifest.digest,
        "counts": {"documents": len(manifest.documents), "kinds": dict(manifest.kinds)},
        "dangling_links": manifest.dangling_links,
        "files": {
            name: {"size": entry.size, "sha256": entry.sha256}
            for name, entry in sorted(manifest.files.items())
        },
        "sources": [dict(source) for source in manifest.sources],
        "origins": names,
    }
    yield "{\n"
    for key, value in head.items():
        yield f'"{key}":{canonical_json(value)},\n'
    # An origin is [index into "origins", line] or, over several lines, [index, line, end line].
    yield '"documents":{'
    for position, (id_, entry) in enumerate(manifest.documents.items()):
        places = [
            [numbers[o.source], o.line, *((o.end_line,) if o.end_line != o.line else ())]
            for o in entry.origins
        ]
        yield f"{',' if position else ''}\n{canonical_json(id_)}:"
        yield canonical_json([entry.digest, places])
    yield "\n}"


def _origin_names(documents: Mapping[str, DocumentEntry]) -> list[str]:
    """The names of all origins, sorted; a collection that knows them is not gone through."""
    known = getattr(documents, "origin_names", None)
    if known is not None:
        return sorted(known())
    return sorted({origin.source for entry in documents.values() for origin in entry.origins})


def read_manifest(path: Path) -> Manifest:
    """Read a manifest. FileNotFoundError, or ManifestError for a damaged or newer one.

    The documents are read from the file as they are asked for; the file can be replaced or
    deleted meanwhile.
    """
    descriptor = os.open(path, os.O_RDONLY)
    try:
        end, seal = _sealed(path, descriptor)
        try:
            return _parse(path, descriptor, end, f"sha256:{seal}")
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            if isinstance(error, ManifestError):
                raise
            raise ManifestError(
                f"{path} is no manifest of this tool ({error!r}).", path=path
            ) from error
    finally:
        os.close(descriptor)


def _sealed(path: Path, descriptor: int) -> tuple[int, str]:
    """Where the sealed part ends, and the seal. ManifestError where it does not fit."""
    end = os.fstat(descriptor).st_size - len(_SEAL) - 64 - len(_END)
    digest = hashlib.sha256()
    position = 0
    while position < end and (block := os.pread(descriptor, min(_BLOCK, end - position), position)):
        digest.update(block)
        position += len(block)
    seal = digest.hexdigest()
    if end < 0 or os.pread(descriptor, _BLOCK, end) != f"{_SEAL}{seal}{_END}".encode():
        raise ManifestError(
            f"{path} was changed since it was written, so it proves nothing. Restore it from a "
            "backup, or build again with --replace.",
            path=path,
        )
    return end, seal


def _parse(path: Path, descriptor: int, end: int, seal: str) -> Manifest:
    head = b""
    while _DOCUMENTS not in head and len(head) < end:
        head += os.pread(descriptor, min(_BLOCK, end - len(head)), len(head))
    start = head.find(_DOCUMENTS)
    content = (
        json.loads(head[:start].rstrip(b",") + b"}") if start >= 0 else json.loads(head + b"}")
    )
    if content["schema"] != SCHEMA:
        raise ManifestError(
            f"{path} has schema {content['schema']} and this release reads {SCHEMA}: use the "
            f"release that wrote it ({content.get('made_with', {}).get('steadyrank')}) or a newer.",
            path=path,
        )
    if start < 0:
        raise ValueError("no documents")
    extent = (start + len(_DOCUMENTS), end)
    return Manifest(
        generation=content["generation"],
        created=content["created"],
        made_with=content["made_with"],
        analyzer=content["analyzer"],
        digest=content["digest"],
        files={name: FileEntry(**entry) for name, entry in content["files"].items()},
        documents=_Documents(
            path, descriptor, extent, content["origins"], content["counts"]["documents"]
        ),
        kinds=content["counts"]["kinds"],
        dangling_links=content["dangling_links"],
        sources=tuple(content["sources"]),
        made_by=content.get("made_by", "build"),
        restores=content.get("restores", 0),
        settings=content.get("settings", {}),
        seal=seal,
    )


class _Documents(Mapping[str, DocumentEntry]):
    """The documents of a manifest file, one line each, read in blocks from its own descriptor.

    Going through ``items()`` costs a pass; so does looking up one id.
    """

    def __init__(
        self, path: Path, descriptor: int, extent: tuple[int, int], names: list[str], count: int
    ) -> None:
        self._path = path
        self._descriptor = os.dup(descriptor)
        self._extent = extent
        self._names = names
        self._count = count
        weakref.finalize(self, os.close, self._descriptor)

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        return (id_ for id_, _ in self.entries())

    def __getitem__(self, id_: str) -> DocumentEntry:
        for found, entry in self.entries():
            if found == id_:
                return entry
        raise KeyError(id_)

    def items(self) -> ItemsView[str, DocumentEntry]:
        return _Items(self)

    def origin_names(self) -> list[str]:
        """The names of all origins."""
        return self._names

    def entries(self) -> Iterator[tuple[str, DocumentEntry]]:
        """Ids and entries in the order of the file. ManifestError where it is another by now."""
        names = self._names
        try:
            for line in self._lines():
                for id_, (digest, places) in json.loads(b"{" + line + b"}").items():
                    origins = (Origin(names[p[0]], p[1], p[-1]) for p in places)
                    yield id_, DocumentEntry(digest, tuple(origins))
        except (ValueError, TypeError, IndexError, AttributeError) as error:
            message = f"{self._path} was changed while it was read ({error!r})."
            raise ManifestError(message, path=self._path) from error

    def _lines(self) -> Iterator[bytes]:
        position, end = self._extent
        rest = b""
        while position < end:
            block = os.pread(self._descriptor, min(_BLOCK, end - position), position)
            if not block:
                raise ValueError("it ends too early")
            position += len(block)
            *lines, rest = (rest + block).split(b"\n")
            yield from (line.rstrip(b",") for line in lines if line)
        if rest != b"}":
            raise ValueError("it ends otherwise")


class _Items(ItemsView[str, DocumentEntry]):
    _mapping: _Documents

    def __iter__(self) -> Iterator[tuple[str, DocumentEntry]]:
        return self._mapping.entries()
