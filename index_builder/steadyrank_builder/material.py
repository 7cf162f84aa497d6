"""From the paths on the command line to the files that will be read, each of them once."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from steadyrank_builder.errors import MaterialError


@dataclass(frozen=True)
class Source:
    """One file of the material.

    ``name`` is how reports show it: the path as given, or as found below the folder given.
    ``page_path`` is what a page's id is made of: the path below the folder argument, or, for a
    file argument, below the file's own folder. ``root`` says which of the two gave it:
    ``"folder"`` or ``"file"``. Both are posix paths with the suffix; bytes of a file name that
    are not UTF-8 are shown as ``\\xNN``.
    """

    path: Path
    name: str
    page_path: str
    root: str


def discover(arguments: Sequence[Path]) -> list[Source]:
    """All files that the arguments name, sorted by name (code points), each file once.

    Folders are walked, symbolic links followed; a folder that was seen before (a loop) is not
    entered again. Hidden files and folders and things that are no files (sockets, pipes)
    inside a folder are passed over; given by name they are taken. A file that is reached in
    more than one way (named twice, linked, in a folder and by name) keeps one of them, whatever
    the order of the arguments: a folder before a file, the outermost folder before others,
    the first name by code point.

    Raises MaterialError, which lists every argument and folder that cannot be read.
    """
    problems: dict[Path, str] = {}
    best: dict[str, tuple[tuple[bool, int, str], Source]] = {}
    for argument in arguments:
        for source in _expand(argument, problems):
            identity = os.path.realpath(source.path)
            depth = len(Path(os.path.realpath(argument)).parts)
            rank = (source.root != "folder", depth, source.name)
            if identity not in best or rank < best[identity][0]:
                best[identity] = (rank, source)
    if problems:
        raise MaterialError(problems)
    return sorted((source for _, source in best.values()), key=lambda source: source.name)


def _expand(argument: Path, problems: dict[Path, str]) -> Iterator[Source]:
    try:
        mode = argument.stat().st_mode
    except OSError as error:
        problems[argument] = _reason(error)
        return
    except ValueError:  # a NUL in the path
        problems[argument] = "not a possible path"
        return
    if stat.S_ISDIR(mode):
        yield from _walk(argument, problems)
    elif not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)):
        problems[argument] = "neither a file nor a folder"
    elif not os.access(argument, os.R_OK):
        problems[argument] = "permission denied"
    else:
        yield Source(argument, shown(argument), shown(Path(argument.name)), "file")


def _walk(folder: Path, problems: dict[Path, str]) -> Iterator[Source]:
    # A link to a folder above the argument is a loop as well, only a longer one.
    seen = {str(parent) for parent in Path(os.path.realpath(folder)).parents}
    waiting = [folder]
    while waiting:
        here = waiting.pop()
        real = os.path.realpath(here)
        if real in seen:
            continue
        seen.add(real)
        # Sorted, so that it is the same name of a twice linked folder that wins everywhere.
        try:
            children = sorted(here.iterdir(), key=lambda child: child.name, reverse=True)
        except OSError as error:
            problems[here] = _reason(error)
            continue
        for child in reversed(children):
            if child.name.startswith("."):
                continue
            # A link that leads nowhere is kept: reading it gives a reject that names it.
            if child.is_file() or (child.is_symlink() and not child.exists()):
                yield Source(child, shown(child), shown(child.relative_to(folder)), "folder")
        waiting.extend(
            child for child in children if not child.name.startswith(".") and child.is_dir()
        )


def shown(path: Path) -> str:
    """The path in posix form as text that can be encoded, whatever bytes the name has."""
    return os.fsencode(path.as_posix()).decode("utf-8", "backslashreplace")


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    return (error.strerror or str(error)).lower()
