"""From the paths on the command line to the files that will be read, each of them once."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from steadyrank_builder.errors import MaterialError, MaterialSettingsError
from steadyrank_builder.material.content import STDIN, ContentError
from steadyrank_builder.material.settings_file import MaterialSettings, settings_in
from steadyrank_builder.material.source import Source, shown, unpacked_name
from steadyrank_builder.material.unpack import is_archive, member_fault, members


def discover(arguments: Sequence[Path]) -> list[Source]:
    """All files that the arguments name, sorted by name (code points), each file once.

    Folders are walked, symbolic links followed; a folder that was seen before (a loop) is not
    entered again. Hidden files and folders and things that are no files (sockets, pipes)
    inside a folder are passed over; given by name they are taken. A file that is reached in
    more than one way (named twice, linked, in a folder and by name) keeps one of them, whatever
    the order of the arguments: a folder before a file, the outermost folder before others,
    the first name by code point. ``-`` is standard input. The files in a zip archive are sources
    of their own. A ``steadyrank.toml`` speaks of the files in its folder and below, the nearest
    one alone; none above the arguments is looked for.

    Raises MaterialError, which lists every argument and folder that cannot be read, and
    MaterialSettingsError, which lists every fault in the settings.
    """
    walk = _Walk()
    best: dict[tuple[str, str], tuple[tuple[bool, int, str], Source]] = {}
    for argument in arguments:
        for source in walk.expand(argument):
            identity = (os.path.realpath(source.path), source.member)
            depth = len(Path(os.path.realpath(argument)).parts)
            rank = (source.root != "folder", depth, source.name)
            if identity not in best or rank < best[identity][0]:
                best[identity] = (rank, source)
    if walk.problems:
        raise MaterialError(walk.problems)
    if walk.faults:
        raise MaterialSettingsError(list(dict.fromkeys(walk.faults)))
    return sorted((source for _, source in best.values()), key=lambda source: source.name)


class _Walk:
    """Goes through arguments and collects what is wrong with them."""

    def __init__(self) -> None:
        self.problems: dict[Path, str] = {}
        self.faults: list[str] = []

    def expand(self, argument: Path) -> Iterator[Source]:
        if str(argument) == STDIN:
            yield Source(argument, STDIN, STDIN, "file", passing=True)
            return
        try:
            mode = argument.stat().st_mode
        except OSError as error:
            self.problems[argument] = _reason(error)
            return
        except ValueError:  # a NUL in the path
            self.problems[argument] = "not a possible path"
            return
        if stat.S_ISDIR(mode):
            yield from self._folder(argument)
        elif not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISCHR(mode)):
            self.problems[argument] = "neither a file nor a folder"
        elif not os.access(argument, os.R_OK):
            self.problems[argument] = "permission denied"
        else:
            settings = self._settings(argument.parent)
            for source in _files(argument, shown(argument), Path(argument.name), "file"):
                yield _settled(source, settings, Path(source.page_path))

    def _folder(self, folder: Path) -> Iterator[Source]:
        # A link to a folder above the argument is a loop as well, only a longer one.
        seen = {str(parent) for parent in Path(os.path.realpath(folder)).parents}
        waiting: list[tuple[Path, MaterialSettings | None]] = [(folder, None)]
        paths: dict[int, tuple[MaterialSettings, list[str]]] = {}
        while waiting:
            here, settings = waiting.pop()
            real = os.path.realpath(here)
            if real in seen:
                continue
            seen.add(real)
            # Sorted, so that it is the same name of a twice linked folder that wins everywhere.
            try:
                children = sorted(here.iterdir(), key=lambda child: child.name, reverse=True)
                here.joinpath("x").exists()  # names can be shown where nothing can be looked at
            except OSError as error:
                self.problems[here] = _reason(error)
                continue
            settings = self._settings(here) or settings
            if settings is not None:
                paths.setdefault(id(settings), (settings, []))
            for child in reversed(children):
                if child.name.startswith("."):
                    continue
                # A link that leads nowhere is kept: reading it gives a reject that names it.
                if child.is_file() or (child.is_symlink() and not child.exists()):
                    for source in _files(child, shown(child), child.relative_to(folder), "folder"):
                        if settings is not None:
                            below = child.relative_to(settings.folder)
                            if source.member:
                                below = below.parent / source.member
                            paths[id(settings)][1].append(below.as_posix())
                            source = _settled(source, settings, below)
                        yield source
            waiting.extend(
                (child, settings)
                for child in children
                if not child.name.startswith(".") and child.is_dir()
            )
        for settings, found in paths.values():
            self.faults.extend(settings.idle(found))

    def _settings(self, folder: Path) -> MaterialSettings | None:
        try:
            return settings_in(folder)
        except MaterialSettingsError as error:
            self.faults.extend(error.faults)
            return None


def _files(path: Path, name: str, relative: Path, root: str) -> Iterator[Source]:
    """The file itself, or the files in it."""
    if not is_archive(path):
        yield Source(path, name, unpacked_name(shown(relative)), root)
        return
    try:
        found = members(path)
    except ContentError:
        yield Source(path, name, shown(relative), root)  # reading it will say what is wrong
        return
    folder = relative.parent
    for member in dict.fromkeys(found):
        parts = member.split("/")
        hidden = any(part.startswith(".") or part == "__MACOSX" for part in parts)
        if hidden and not member_fault(member):  # a way out of the archive is told
            continue
        member_name = shown(Path(member.replace("\0", "")))
        page_path = unpacked_name(shown(folder / member_name))
        yield Source(path, f"{name}/{member_name}", page_path, "folder", member)


def _settled(source: Source, settings: MaterialSettings | None, below: Path) -> Source:
    return source if settings is None else replace(source, settings=settings.of(shown(below)))


def _reason(error: OSError) -> str:
    if isinstance(error, FileNotFoundError):
        return "no such file or folder"
    return (error.strerror or str(error)).lower()
