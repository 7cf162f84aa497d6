"""Files that a command is told to write, looked at before it does anything."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path

import click


def check_outputs(outputs: Mapping[str, Path | None], inputs: Iterable[Path]) -> None:
    """Raises UsageError for a file (by its option) that cannot be there, or would be lost.

    That is a file in no folder or in one that takes no files, one that is also read or written by
    another option, or one inside of an index that is only read.
    """
    read = [path.resolve() for path in inputs]
    written: dict[Path, str] = {}
    for option, path in outputs.items():
        if path is None or (path.exists() and not path.is_file()):  # a pipe, or /dev/stdout
            continue
        target = path.resolve()
        if not target.parent.is_dir():
            raise click.UsageError(f"{option} {path}: there is no folder {target.parent}; make it")
        if not os.access(target.parent, os.W_OK | os.X_OK):
            raise click.UsageError(f"{option} {path}: {target.parent} cannot be written to")
        if target in read:
            raise click.UsageError(f"{option} {path}: this file is read; give another to write to")
        if any(folder in target.parents and any(folder.glob("*.toc")) for folder in read):
            raise click.UsageError(f"{option} {path}: this is inside of an index; write elsewhere")
        if target in written:
            raise click.UsageError(f"{option} {path}: {written[target]} is written to this file")
        written[target] = option
