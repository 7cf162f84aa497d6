"""The names of an index folder's files: Whoosh's own, and ours beside them.

Whoosh numbers each commit (a generation): ``_MAIN_<generation>.toc`` names the segments, whose
files are ``MAIN_<random>.<extension>``; the highest number is live. When a Whoosh writer commits
it deletes every file of these two patterns that its own commit does not need. Our names match
neither, so a manifest outlives such a commit and can tell that it happened.
"""

from __future__ import annotations

import re
from pathlib import Path

INDEX_NAME = "MAIN"  # Whoosh's default, which an ``open_dir(path)`` without a name opens
WRITE_LOCK = f"{INDEX_NAME}_WRITELOCK"
BUILD_LOCK = "steadyrank.lock"
INCOMING = ".steadyrank-incoming-"

# The first two as in whoosh.index.TOC, the third is what a killed writer of a TOC leaves.
_TOC = re.compile(rf"_{INDEX_NAME}_([0-9]+)\.toc")
_SEGMENT = re.compile(rf"({INDEX_NAME}_[0-9a-z]+)[.][A-Za-z0-9_.]+")
_TOC_DRAFT = re.compile(rf"_{INDEX_NAME}_[0-9]+\.toc\.[0-9.]+")
_MANIFEST = re.compile(r"steadyrank-([0-9]+)\.json")
_ARRAYS = re.compile(rf"steadyrank-({INDEX_NAME}_[0-9a-z]+)\.arrays")
_ARRAYS_DRAFT = re.compile(rf"steadyrank-{INDEX_NAME}_[0-9a-z]+\.arrays\.[0-9a-f]{{16}}")
_ARCHIVE = re.compile(r"steadyrank-[0-9a-f]{16}\.records")


def toc_name(generation: int) -> str:
    """The file that makes ``generation`` exist."""
    return f"_{INDEX_NAME}_{generation}.toc"


def manifest_name(generation: int) -> str:
    """Our record of ``generation``."""
    return f"steadyrank-{generation}.json"


def generations(folder: Path) -> list[int]:
    """The generations whose TOC is in ``folder``, ascending. Empty where there is no folder."""
    found = (toc_generation(name) for name in names(folder))
    return sorted(number for number in found if number is not None)


def toc_generation(name: str) -> int | None:
    """The generation that a TOC of this file name makes, else None."""
    found = _TOC.fullmatch(name)
    return int(found.group(1)) if found else None


def segment_of(name: str) -> str | None:
    """The id of the segment that the file ``name`` belongs to, else None."""
    found = _SEGMENT.match(name)
    return found.group(1) if found else None


def manifest_generation(name: str) -> int | None:
    """The generation that a manifest of this file name describes, else None."""
    found = _MANIFEST.fullmatch(name)
    return int(found.group(1)) if found else None


def arrays_of(name: str) -> str | None:
    """The id of the segment whose compiled form has this file name, else None."""
    found = _ARRAYS.fullmatch(name)
    return found.group(1) if found else None


def is_arrays_draft(name: str) -> bool:
    """Whether a compiled form is being written under this name, or was by a process that died."""
    return bool(_ARRAYS_DRAFT.fullmatch(name))


def archive_name(sha256: str) -> str:
    """Our archive of read records with this hash. Generations can share one."""
    return f"steadyrank-{sha256[:16]}.records"


def is_archive(name: str) -> bool:
    """Whether a file of this name is such an archive."""
    return bool(_ARCHIVE.fullmatch(name))


def is_draft(name: str) -> bool:
    """Whether only a writer that died can have left a file of this name (under the lock)."""
    return bool(_TOC_DRAFT.fullmatch(name)) or name.startswith(INCOMING)


def is_ours(name: str) -> bool:
    """Whether an index folder has a file of this name by Whoosh's doing or by ours."""
    return (
        name in (WRITE_LOCK, BUILD_LOCK, f"{INDEX_NAME}.tmp")
        or is_draft(name)
        or toc_generation(name) is not None
        or segment_of(name) is not None
        or manifest_generation(name) is not None
        or is_archive(name)
        or arrays_of(name) is not None
        or is_arrays_draft(name)
    )


def names(folder: Path) -> list[str]:
    """The names in ``folder``, sorted; none where it does not exist."""
    try:
        return sorted(entry.name for entry in folder.iterdir())
    except FileNotFoundError:
        return []
