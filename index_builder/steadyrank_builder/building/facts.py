"""Looking at a source's file: which bytes it has, and whether they stayed the same."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from functools import lru_cache
from pathlib import Path

from steadyrank_builder.building.known import Facts
from steadyrank_builder.document import canonical_json
from steadyrank_builder.material import Source, SourceSettings, shown
from steadyrank_builder.publishing.durable import measure


def facts_of(source: Source, read_with: str) -> Facts:
    """The facts of ``source`` as its file is now."""
    real = "" if source.passing else shown(Path(os.path.realpath(source.path)))
    if source.member:
        real = f"{real}/{source.member}"
    return Facts(source, real, _hash(source), read_with, settings_digest(source.settings))


def settled(facts: Iterable[Facts]) -> dict[str, Facts]:
    """``facts`` by name after the reading. A file that is another by now counts as unknown."""
    return {
        each.source.name: each
        if not each.sha256 or each.sha256 == _hash(each.source)
        else replace(each, sha256="")
        for each in facts
    }


def _hash(source: Source) -> str:
    """SHA-256 in hex; empty for what can be read only once or not at all.

    That of an archive stands for each file in it, and is not computed again for the next one.
    """
    path = source.path
    try:
        if not path.is_file():
            return ""
        if not source.member:
            return measure(path).sha256
        stat = path.stat()
        return _archive_hash(path, stat.st_ino, stat.st_size, stat.st_mtime_ns)
    except OSError:
        return ""


@lru_cache(maxsize=4)
def _archive_hash(path: Path, _inode: int, _size: int, _changed: int) -> str:
    return measure(path).sha256


def settings_digest(settings: SourceSettings) -> str:
    """What a ``steadyrank.toml`` says of a source as one text, empty where it says nothing."""
    said = {
        field.name: dict(value) if isinstance(value, Mapping) else value
        for field in fields(settings)
        if field.name != "place" and (value := getattr(settings, field.name))
    }
    return canonical_json(said) if said else ""
