"""The sources of a generation, as its manifest has them."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steadyrank_builder.archive import Block, replay
from steadyrank_builder.formats import Opened
from steadyrank_builder.intake import Earlier, SourceAccount
from steadyrank_builder.manifest import Manifest
from steadyrank_builder.material import Source
from steadyrank_builder.publishing import layout


@dataclass(frozen=True)
class Facts:
    """What tells whether a source would be read as it was.

    ``real`` is the file behind all links, empty for what is nowhere later. ``sha256`` is that of
    its bytes and empty where they could not be had or changed while they were read, ``read_with``
    that of options and readers.
    ``settings`` is what a ``steadyrank.toml`` says of the file.
    """

    source: Source
    real: str
    sha256: str
    read_with: str
    settings: str = ""

    def same(self, other: Facts) -> bool:
        """Whether both give the same outcomes. Never where the bytes are not known."""
        return self.sha256 != "" and self._key() == other._key()

    def _key(self) -> tuple[str, ...]:
        source = self.source
        return (
            self.sha256,
            self.read_with,
            self.settings,
            source.name,
            source.page_path,
            source.root,
        )


@dataclass(frozen=True)
class Known:
    """A source of the live generation, and where the archive has what it was read as."""

    facts: Facts
    format: str
    content: str
    archive: Path
    block: Block

    def earlier(self, *, current: bool, name: str) -> Earlier:
        """It for the intake, under the name that the source has now."""

        def opened() -> Opened:
            return Opened(self.format, replay(self.archive, self.block, name))

        return Earlier(opened, current)


def entry(account: SourceAccount, facts: Facts, block: Block, folder: Path) -> dict[str, Any]:
    """What the manifest says of a source: its account, and what an update asks for.

    Where its file lies is told from ``folder``, the index's own: so the record says nothing of
    the machine beyond that, and index and material can be moved together.
    """
    return {
        **account.as_json(),
        "reasons": dict(account.skipped),
        "root": facts.source.root,
        "page_path": facts.source.page_path,
        "real": os.path.relpath(facts.real, folder) if facts.real else "",
        "sha256": facts.sha256,
        "read_with": facts.read_with,
        "settings": facts.settings,
        "content": f"{account.content:x}",
        "records": list(block),
    }


def known_sources(folder: Path, manifest: Manifest) -> dict[str, Known] | None:
    """The sources of ``manifest`` by name; None where it was made without an archive."""
    archive = archive_of(manifest)
    if archive is None:
        return None
    return {each["path"]: _known(folder, archive, each) for each in manifest.sources}


def lies_at(folder: Path, entry: Mapping[str, Any]) -> str:
    """Where the file of a source lies by its ``entry`` in a manifest of ``folder``.

    Empty where that is not known, as of standard input.
    """
    real = str(entry.get("real") or "")
    return os.path.normpath(folder / real) if real else ""


def archive_of(manifest: Manifest) -> str | None:
    """The name of the manifest's archive, None where it has none."""
    return next((name for name in manifest.files if layout.is_archive(name)), None)


def _known(folder: Path, archive: str, entry: Mapping[str, Any]) -> Known:
    real = lies_at(folder, entry)
    source = Source(
        Path(real or entry["path"]), entry["path"], entry["page_path"], entry["root"],
        passing=not real,
    )  # fmt: skip
    facts = Facts(source, real, entry["sha256"], entry["read_with"], entry.get("settings", ""))
    offset, size = entry["records"]
    return Known(facts, entry["format"], entry["content"], folder / archive, (offset, size))
