"""One file of the material, and what is said about it beside it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from types import MappingProxyType


@dataclass(frozen=True)
class SourceSettings:
    """What a ``steadyrank.toml`` says of a file; empty where it says nothing.

    ``place`` names the file and the table that it stands in, for messages. ``excluded`` files
    are not read. The other fields are as in ReadOptions.
    """

    place: str = ""
    excluded: bool = False
    format: str = ""
    kind: str = ""
    encoding: str = ""
    language: str = ""
    language_of: str = ""
    mapping: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


NO_SETTINGS = SourceSettings()


@dataclass(frozen=True)
class Source:
    """One file of the material.

    ``member`` is its name in the archive ``path``, empty for a file that is not in one. ``name``
    is how reports show it: the path as given, or as found below the folder given.
    ``page_path`` is what a page's id is made of: the path below the folder argument, or, for a
    file argument, below the file's own folder. ``root`` says which of the two gave it:
    ``"folder"`` or ``"file"``. A file in an archive counts as if it had been unpacked where the
    archive lies. Both are posix paths with the suffix, ``page_path`` without that of packing
    (``.gz``); bytes of a file name that are not UTF-8 are shown as ``\\xNN``. ``settings`` is what
    a ``steadyrank.toml`` says of it. ``passing`` says that the path leads nowhere later, as that of
    standard input or of a temporary file. ``encoding`` is that of a file of which it is certain,
    whatever is said elsewhere; mostly empty.
    """

    path: Path
    name: str
    page_path: str
    root: str
    member: str = ""
    settings: SourceSettings = NO_SETTINGS
    passing: bool = False
    encoding: str = ""

    @property
    def file_name(self) -> str:
        """The name that says what kind of file it is."""
        return unpacked_name(PurePosixPath(self.member).name if self.member else self.path.name)

    @property
    def suffix(self) -> str:
        """The suffix of that name, in lower case."""
        return PurePosixPath(self.file_name).suffix.lower()


def unpacked_name(name: str) -> str:
    """A file's name or path without the suffix of its packing."""
    return name[: -len(".gz")] if name.lower().endswith(".gz") else name


def shown(path: Path) -> str:
    """The path in posix form as text that can be encoded, whatever bytes the name has."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")
