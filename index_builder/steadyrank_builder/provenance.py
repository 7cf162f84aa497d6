"""What an index was made with: the versions that can change what is in it."""

from __future__ import annotations

import hashlib
import platform
import unicodedata
from base64 import urlsafe_b64encode
from importlib import metadata
from pathlib import Path

# The distributions that own the import package ``whoosh``.
_DISTRIBUTIONS = ("Whoosh", "whoosh-reloaded", "whoosh3", "whoosh-ng", "whoosh-novo")


def made_with() -> dict[str, str]:
    """Names and versions of this tool, the Whoosh distribution, Python and its Unicode tables."""
    name, version = whoosh_distribution()
    return {
        "steadyrank": _version("steadyrank"),
        "whoosh_distribution": name,
        "whoosh_version": version,
        "python": platform.python_version(),
        "unicode": unicodedata.unidata_version,
    }


def whoosh_distribution() -> tuple[str, str]:
    """Name and version of the distribution that the importable ``whoosh`` came with.

    Where several are installed over each other it is the one whose ``whoosh/__init__.py`` is in
    place, by the hash that the installer recorded; ``unknown`` where none is.
    """
    found = []
    for name in _DISTRIBUTIONS:
        try:
            found.append(metadata.distribution(name))
        except metadata.PackageNotFoundError:
            continue
    owners = found if len(found) == 1 else [dist for dist in found if _in_place(dist)]
    if len(owners) != 1:
        return "unknown", "unknown"
    return owners[0].metadata["Name"], owners[0].version


def _in_place(distribution: metadata.Distribution) -> bool:
    for file in distribution.files or ():
        if file.as_posix() == "whoosh/__init__.py" and file.hash is not None:
            try:
                content = Path(str(file.locate())).read_bytes()
            except OSError:
                return False
            digest = hashlib.new(file.hash.mode, content).digest()
            return urlsafe_b64encode(digest).rstrip(b"=").decode() == file.hash.value
    return False


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "unknown"  # run from a checkout that is not installed
