"""Which files of a segment a compiled one was made of, told from all others.

The segment's name does not tell: it comes from the random numbers of the process, which a host
may seed before each build. So the whole content counts, as a CRC-32 per file. What was found to
be so is not read again for each process: a compiled file gets the time of change of the files it
was made of, and where these times are equal, sizes and the ends of the files are compared only. A
copy that does not keep times costs one pass over the segment per process.
"""

from __future__ import annotations

import os
import zlib
from typing import Any

# A file up to this size is always read as a whole: that takes less than a millisecond, and only
# larger ones are certain to have taken longer to write than a file system's clock has ticks.
_SMALL = 1 << 20
_ENDS = 1 << 16
_READ = 1 << 20

# A file's ending: its size, the CRC-32 of all of it, and that of its two ends.
Origin = dict[str, list[int]]


def files_of(folder: str, segment: str) -> list[str]:
    """The names of a segment's files, sorted; none where it has been deleted."""
    return sorted(name for name in os.listdir(folder) if name.startswith(f"{segment}."))  # noqa: PTH208


def _present(folder: str, segment: str) -> list[str]:
    # A commit may take a segment away at any moment, all of its files or one after the other.
    names = files_of(folder, segment)
    if not names:
        raise FileNotFoundError(f"{folder}: no files of segment {segment}")
    return names


def origin_of(folder: str, segment: str) -> Origin:
    """What a compiled segment keeps of the files it is made of. OSError where they are gone."""
    found = {}
    for name in _present(folder, segment):
        path = os.path.join(folder, name)  # noqa: PTH118
        size = os.stat(path).st_size  # noqa: PTH116
        found[name[len(segment) :]] = [size, _crc(path, size), _ends(path, size)]
    return found


def changed_ns(folder: str, segment: str) -> int:
    """When the segment's files were last changed. FileNotFoundError where they are gone."""
    return max(
        os.stat(os.path.join(folder, name)).st_mtime_ns  # noqa: PTH116, PTH118
        for name in _present(folder, segment)
    )


def is_origin(folder: str, segment: str, origin: Any, known_ns: int | None) -> bool:
    """Whether the segment's files are those.

    ``known_ns``: they are if they have not changed since, as far as can be told without reading
    all of them; None to read it all. OSError where they are gone.
    """
    names = _present(folder, segment)
    endings = {name[len(segment) :] for name in names}
    if endings < set(origin):  # it is being deleted
        raise FileNotFoundError(f"{folder}: not all files of segment {segment}")
    if endings != set(origin):
        return False
    known = known_ns is not None and changed_ns(folder, segment) == known_ns
    for name in names:
        path = os.path.join(folder, name)  # noqa: PTH118
        size, whole, ends = origin[name[len(segment) :]]
        if os.stat(path).st_size != size:  # noqa: PTH116
            return False
        if known and size > _SMALL:
            if _ends(path, size) != ends:
                return False
        elif _crc(path, size) != whole:
            return False
    return True


def _crc(path: str, size: int) -> int:
    crc = 0
    with open(path, "rb", buffering=0) as stream:  # noqa: PTH123
        while block := stream.read(_READ):
            crc = zlib.crc32(block, crc)
    return crc


def _ends(path: str, size: int) -> int:
    with open(path, "rb", buffering=0) as stream:  # noqa: PTH123
        crc = zlib.crc32(stream.read(_ENDS))
        stream.seek(max(0, size - _ENDS))
        return zlib.crc32(stream.read(_ENDS), crc)
