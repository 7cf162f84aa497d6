"""Files that stand among the material and are none, by their name."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

_PROJECT_FILES = re.compile(r"(README|LICEN[SC]E|CHANGELOG)")
_LOWER_PROJECT_FILES = {
    "readme": "readme",
    "license": "licence",
    "licence": "licence",
    "changelog": "changelog",
}
_SETTINGS = frozenset((".toml", ".ini", ".cfg", ".conf", ".env", ".lock", ".properties"))

NOT_SUPPORTED = "not a supported format"


def reason_not_material(path: str) -> str:
    """Why a file of this name is no material, empty if it may be.

    Capital names and the bare lower-case ones count as project files; ``license-terms.md`` may
    well be a page of a shop.
    """
    name = PurePosixPath(path).name
    if name.startswith("."):
        return "hidden file"
    match = _PROJECT_FILES.match(name)
    bare = name.split(".", 1)[0].lower()
    word = match.group().lower() if match else bare
    if word in _LOWER_PROJECT_FILES:
        return _LOWER_PROJECT_FILES[word]
    if PurePosixPath(name).suffix.lower() in _SETTINGS:
        return "settings"
    return ""
