"""The material without what the build itself writes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from steadyrank_builder.errors import MaterialError
from steadyrank_builder.material import Source, discover

_START = 64  # bytes by which a file of ours is known: keys are sorted


def find_sources(
    material: Sequence[Path], target: Path, rejects: Path | None, report: Path | None = None
) -> tuple[list[Source], list[str]]:
    """The sources of ``material``, sorted by name, and notes about those left out.

    Index, rejects file and report can lie inside a folder of material (``build . --out
    store.idx``), and are no material. MaterialError for what cannot be read, and for a rejects
    file or report that is itself named as material, which the build would overwrite.
    """
    written = {
        path.resolve(): what
        for path, what in ((rejects, "rejects"), (report, "the report"))
        if path is not None
    }
    sources: list[Source] = []
    notes: list[str] = []
    for source in discover(material):
        path = source.path.resolve()
        if what := written.get(path):
            if source.root == "file":
                raise MaterialError(
                    {source.path: f"is also the file for {what}, which would overwrite it"}
                )
            if not _written_before(source.path):
                raise MaterialError(
                    {
                        source.path: f"is material, and {what} would overwrite it; give another "
                        "file to write to"
                    }
                )
            notes.append(f"{source.name} is the file for {what} and was not read as material.")
        elif not path.is_relative_to(target):
            sources.append(source)
    return sources, notes


def _written_before(path: Path) -> bool:
    """Whether a file is one that a build wrote for rejects or as its report, or is empty."""
    try:
        with path.open("rb") as stream:
            start = stream.read(_START)
    except OSError:
        return False
    return not start or start.startswith((b'{"code":', b'{\n"changes":'))
