"""The manifest comes back as it was written, or not at all."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from steadyrank_builder.document import Origin
from steadyrank_builder.failures import ManifestError
from steadyrank_builder.manifest import DocumentEntry, Manifest, read_manifest, write_manifest
from steadyrank_builder.publishing.durable import FileEntry

MANIFEST = Manifest(
    generation=7,
    created="2025-01-02T03:04:05Z",
    made_with={"python": "3.11.0"},
    analyzer={"text": {"name": "x"}},
    digest="sha256:" + "0" * 64,
    files={"_MAIN_7.toc": FileEntry(3, "a" * 64)},
    documents={
        "a": DocumentEntry("b" * 64, (Origin("f.csv", 3, 3),)),
        'é"\n': DocumentEntry("c" * 64, (Origin("f.csv", 4, 9), Origin("g.csv", 1, 1))),
    },
    kinds={"product": 2},
    dangling_links=1,
    sources=({"path": "f.csv", "read": 2},),
)


def written(folder: Path) -> Path:
    path = folder / "steadyrank-7.json"
    write_manifest(path, MANIFEST)
    return path


def test_a_manifest_comes_back_as_it_was_written(tmp_path: Path) -> None:
    """With the seal of the file it was read from."""
    path = written(tmp_path)
    read = read_manifest(path)
    body = path.read_bytes().rpartition(b',\n"seal":"')[0]
    assert read.seal == f"sha256:{hashlib.sha256(body).hexdigest()}"
    assert Manifest(**{**vars_of(read), "seal": ""}) == MANIFEST


def vars_of(manifest: Manifest) -> dict[str, object]:
    return {name: getattr(manifest, name) for name in Manifest.__slots__}


def test_any_changed_byte_is_noticed(tmp_path: Path) -> None:
    """Origins and counts are covered as well as hashes, and so is the seal itself."""
    path = written(tmp_path)
    whole = path.read_bytes()
    for position in range(len(whole)):
        changed = bytearray(whole)
        changed[position] ^= 0x20
        path.write_bytes(changed)
        with pytest.raises(ManifestError, match="was changed since it was written"):
            read_manifest(path)


def test_a_cut_manifest_is_noticed(tmp_path: Path) -> None:
    """Also when nothing is left of it."""
    path = written(tmp_path)
    whole = path.read_bytes()
    for length in (0, 1, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:length])
        with pytest.raises(ManifestError):
            read_manifest(path)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{\n"schema":2,\n"made_with":{"steadyrank":"9.0"}', "schema 2 and this release reads 1"),
        (b'{\n"schema":1', "no manifest of this tool"),
        (b"[", "no manifest of this tool"),
    ],
)
def test_a_manifest_of_another_make_is_an_error(
    tmp_path: Path, content: bytes, message: str
) -> None:
    """Sealed, but not what this release reads: no traceback, and a newer one names its release."""
    path = tmp_path / "steadyrank-1.json"
    seal = hashlib.sha256(content).hexdigest()
    path.write_bytes(content + f',\n"seal":"{seal}"}}\n'.encode())
    with pytest.raises(ManifestError, match=message):
        read_manifest(path)
