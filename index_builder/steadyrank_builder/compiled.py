"""Compiled segments of an index that is published: written with it, and written again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from steadyrank_builder.publishing import layout

if TYPE_CHECKING:
    from steadyrank.compiling import CompiledIndex


def compile_staged(folder: Path, id_field: str = "id") -> list[Path]:
    """Compiles the finished index in ``folder``; the new files, which are on the disk.

    CompileError where that fails.
    """
    from steadyrank.postings.compiled.writing import CompileError

    try:
        done = _compiled(folder, id_field)
    except CompileError as error:
        raise CompileError(
            f"{error}. Nothing was published; --no-compile builds without them",
            segment=error.segment,
        ) from error
    return [folder / segment.file for segment in done.segments]


def mend(folder: Path, id_field: str = "id") -> tuple[str, ...]:
    """Compiles what has no compiled file that fits in a live index; a sentence where it did.

    The same segment gives the same bytes, so that hashes that were recorded fit again. A folder
    that does not take the files is none of the caller's matter: searching needs none.
    """
    from steadyrank.postings.compiled.writing import CompileError

    try:
        done = _compiled(folder, id_field)
    except CompileError as error:
        return (f"{error}.",)
    names = [segment.file for segment in done.segments if segment.action == "compiled"]
    return (f"Compiled {', '.join(names)}.",) if names else ()


def compiled_files(folder: Path, segments: set[str]) -> list[Path]:
    """The compiled files of these segments that are in ``folder``."""
    return [folder / name for name in layout.names(folder) if layout.arrays_of(name) in segments]


def _compiled(folder: Path, id_field: str) -> CompiledIndex:
    from steadyrank.compiling import compile_index
    from steadyrank.errors import IdFieldError

    try:
        return compile_index(folder, id_field=id_field)
    except IdFieldError:  # its values cannot be read, and so settle no tie
        return compile_index(folder)
