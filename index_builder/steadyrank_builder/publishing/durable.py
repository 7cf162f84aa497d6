"""Bytes that are on the disk when we say so.

A rename is atomic against a killed process, but only fsync orders it against a power cut: the
content must be down before the name, and the name before we report success.
"""

from __future__ import annotations

import errno
import hashlib
import os
import shutil
from dataclasses import dataclass
from pathlib import Path

from steadyrank_builder.publishing.layout import INCOMING

_BLOCK = 1 << 20


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file's size in bytes and SHA-256 in hex."""

    size: int
    sha256: str


def measure(path: Path) -> FileEntry:
    """Read ``path`` once. OSError when it cannot be read."""
    digest = hashlib.sha256()
    size = 0
    with path.open("rb", buffering=0) as stream:
        while block := stream.read(_BLOCK):
            digest.update(block)
            size += len(block)
    return FileEntry(size, digest.hexdigest())


def sync_file(path: Path) -> None:
    """Return when the content of ``path`` is on the disk."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


# POSIX lets a directory be opened and synced like a file; this is what makes a rename durable.
sync_folder = sync_file


def move_in(source: Path, target: Path) -> None:
    """Give the file ``source``, already synced, the name ``target``.

    The target's folder can be a mount point of its own (a container's volume), and then the
    sibling folder is on another file system: copy under a name that nobody reads, then rename.
    """
    try:
        source.rename(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        draft = target.with_name(f"{INCOMING}{target.name}")
        shutil.copyfile(source, draft)
        times = source.stat()  # by which compiled segments know their segment
        os.utime(draft, ns=(times.st_atime_ns, times.st_mtime_ns))
        sync_file(draft)
        draft.rename(target)
