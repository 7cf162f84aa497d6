"""The record of one generation, ``steadyrank-<generation>.json`` beside the index files.

It tells what the index was built from and by what, so that a later build can say what changed,
``verify`` can find damage, and a rollback knows what it returns to. It is not signed: whoever can
write the folder can write a manifest that fits. The digest given on verify's command line is
what such a change cannot fit.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steadyrank_builder.document import Origin, canonical_json
from steadyrank_builder.failures import ManifestError
from steadyrank_builder.publishing.durable import FileEntry

SCHEMA = 1
_SEAL = ',\n"seal":"'


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
    ``dangling_links`` counts links to ids that are not in the index. ``seal`` is the file's own
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
    seal: str = ""


def write_manifest(path: Path, manifest: Manifest) -> None:
    """Write ``manifest`` as JSON, one line per document, sealed by a SHA-256 of all before it."""
    seal = hashlib.sha256()
    with path.open("wb") as stream:
        for chunk in _lines(manifest):
            data = chunk.encode()
            seal.update(data)
            stream.write(data)
        stream.write(f'{_SEAL}{seal.hexdigest()}"}}\n'.encode())


def _lines(manifest: Manifest) -> Iterator[str]:
    names = sorted({o.source for entry in manifest.documents.values() for o in entry.origins})
    numbers = {name: number for number, name in enumerate(names)}
    head = {
        "schema": SCHEMA,
        "generation": manifest.generation,
        "created": manifest.created,
        "made_with": dict(manifest.made_with),
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


def read_manifest(path: Path) -> Manifest:
    """Read a manifest. FileNotFoundError, or ManifestError for a damaged or newer one."""
    body, _, tail = path.read_bytes().rpartition(_SEAL.encode())
    seal = hashlib.sha256(body).hexdigest()
    if tail != f'{seal}"}}\n'.encode():
        raise ManifestError(
            f"{path} was changed since it was written, so it proves nothing. Restore it from a "
            "backup, or build again with --replace.",
            path=path,
        )
    try:
        return _parse(path, json.loads(body + b"}"), f"sha256:{seal}")
    except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
        if isinstance(error, ManifestError):
            raise
        raise ManifestError(
            f"{path} is no manifest of this tool ({error!r}).", path=path
        ) from error


def _parse(path: Path, content: Any, seal: str) -> Manifest:
    if content["schema"] != SCHEMA:
        raise ManifestError(
            f"{path} has schema {content['schema']} and this release reads {SCHEMA}: use the "
            f"release that wrote it ({content.get('made_with', {}).get('steadyrank')}) or a newer.",
            path=path,
        )
    names = content["origins"]
    return Manifest(
        generation=content["generation"],
        created=content["created"],
        made_with=content["made_with"],
        analyzer=content["analyzer"],
        digest=content["digest"],
        files={name: FileEntry(**entry) for name, entry in content["files"].items()},
        documents={
            id_: DocumentEntry(
                digest, tuple(Origin(names[place[0]], place[1], place[-1]) for place in places)
            )
            for id_, (digest, places) in content["documents"].items()
        },
        kinds=content["counts"]["kinds"],
        dangling_links=content["dangling_links"],
        sources=tuple(content["sources"]),
        seal=seal,
    )
