"""The material without what the build itself writes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from steadyrank_builder.errors import MaterialError
from steadyrank_builder.material import Source, discover


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
            notes.append(f"{source.name} is the file for {what} and was not read as material.")
        elif not path.is_relative_to(target):
            sources.append(source)
    return sources, notes
