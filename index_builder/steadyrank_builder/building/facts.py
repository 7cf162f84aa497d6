"""Looking at a source's file: which bytes it has, and whether they stayed the same."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from steadyrank_builder.building.known import Facts
from steadyrank_builder.material import Source, shown
from steadyrank_builder.publishing.durable import measure


def facts_of(source: Source, read_with: str) -> Facts:
    """The facts of ``source`` as its file is now."""
    real = shown(Path(os.path.realpath(source.path)))
    return Facts(source, real, _hash(source.path), read_with)


def settled(facts: Iterable[Facts]) -> dict[str, Facts]:
    """``facts`` by name after the reading. A file that is another by now counts as unknown."""
    return {
        each.source.name: each
        if not each.sha256 or each.sha256 == _hash(each.source.path)
        else replace(each, sha256="")
        for each in facts
    }


def _hash(path: Path) -> str:
    """SHA-256 in hex; empty for what can be read only once or not at all."""
    try:
        return measure(path).sha256 if path.is_file() else ""
    except OSError:
        return ""
