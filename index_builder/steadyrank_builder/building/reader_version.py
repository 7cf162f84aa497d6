"""What decides how a file is read, besides its bytes: options, our readers, their parsers."""

from __future__ import annotations

import hashlib
import platform
import unicodedata
from functools import cache
from importlib import metadata
from pathlib import Path

import steadyrank_builder
from steadyrank_builder.building.choices import options_json
from steadyrank_builder.document import canonical_json
from steadyrank_builder.formats import ReadOptions
from steadyrank_builder.formats.registry import GROUP

_PARSERS = ("selectolax", "markdown-it-py", "mdit-py-plugins", "lxml", "PyYAML")
# What turns bytes into outcomes. The code itself is hashed: a number to count up by hand would be
# forgotten, and then an update would go on with what an older reader read.
_CODE = (
    "formats",
    "material",
    "pages",
    "reading",
    "intake/reading.py",
    "intake/refusals.py",
    "document.py",
)


def read_with(options: ReadOptions) -> str:
    """SHA-256 (hex) over everything that can change what a file is read as."""
    choices = options_json(options)
    return hashlib.sha256(canonical_json({**choices, "readers": _readers()}).encode()).hexdigest()


@cache
def _readers() -> dict[str, str]:
    root = Path(steadyrank_builder.__file__).parent
    digest = hashlib.sha256()
    for part in _CODE:
        path = root / part
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.relative_to(root).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(file.read_bytes()).digest())
    versions = {name: _version(name) for name in _PARSERS}
    python = f"{platform.python_version()} {unicodedata.unidata_version}"
    added = {
        f"format {entry.name}": f"{entry.value} {entry.dist.version if entry.dist else ''}"
        for entry in metadata.entry_points(group=GROUP)
    }
    return {"code": digest.hexdigest(), "python": python, **versions, **added}


def _version(name: str) -> str:
    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return "none"
