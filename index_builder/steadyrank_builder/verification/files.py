"""The files of a generation against the sizes and hashes that were recorded when it was made."""

from __future__ import annotations

from pathlib import Path

from steadyrank_builder.manifest import Manifest
from steadyrank_builder.publishing import layout
from steadyrank_builder.publishing.durable import FileEntry, measure
from steadyrank_builder.verification.problems import Problem


def check_files(folder: Path, manifest: Manifest, *, compiled: bool = True) -> list[Problem]:
    """Read every file of the generation once; the problems by file name.

    Without ``compiled`` only those that searching needs.
    """
    problems = []
    for name, recorded in sorted(manifest.files.items()):
        mend = ""
        if layout.arrays_of(name) is not None:
            if not compiled:
                continue
            field = manifest.settings.get("id_field", "id")
            mend = (
                f" Results are the same without it; steadyrank compile {folder}"
                f"{'' if field == 'id' else f' --id-field {field}'} writes it again."
            )
        try:
            found = measure(folder / name)
        except FileNotFoundError:
            problems.append(Problem("missing-file", name, f"{name} is missing.{mend}"))
            continue
        if found != recorded:
            problems.append(
                Problem("damaged-file", name, _difference(name, found, recorded) + mend)
            )
    return problems


def _difference(name: str, found: FileEntry, recorded: FileEntry) -> str:
    if found.size != recorded.size:
        return f"{name} has {found.size} bytes and was written with {recorded.size}."
    return (
        f"{name} has the size it was written with and other bytes: SHA-256 is {found.sha256}, "
        f"recorded is {recorded.sha256}."
    )
