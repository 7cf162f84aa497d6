"""Packed files: gzip and zip, by their first bytes and never by their names alone."""

from __future__ import annotations

import gzip
import stat
import zipfile
import zlib
from pathlib import Path
from typing import BinaryIO, cast

from steadyrank_builder.material.content import Content, ContentError, kept, raw_content

_GZIP = b"\x1f\x8b"
_ZIP = (b"PK\x03\x04", b"PK\x05\x06")
# Documents that are zip files inside, and no archives of material.
_OFFICE_SUFFIXES = (
    ".docx .docm .dotx .xlsx .xlsm .xltx .pptx .pptm .odt .ods .odp .odg .epub .jar .apk .whl "
    ".pages .numbers .key .vsdx .xpi .3mf .kmz .ipa .war .ear"
)
_OFFICE = frozenset(_OFFICE_SUFFIXES.split())
MEMBERS_LIMIT = 10_000
_UNREADABLE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError)


def is_archive(path: Path) -> bool:
    """Whether a file is a zip with files of material in it, by its content."""
    if path.suffix.lower() in _OFFICE or not path.is_file():
        return False
    try:
        with path.open("rb") as stream:
            return stream.read(4) in _ZIP
    except OSError:
        return False  # reading it will say why


def members(path: Path) -> list[str]:
    """The names of the files in an archive, in its order. Raises ContentError (``archive``)."""
    try:
        with zipfile.ZipFile(path) as archive:
            names = [info.filename for info in archive.infolist() if not info.is_dir()]
    except (*_UNREADABLE, OSError, ValueError) as error:
        raise ContentError("archive", f"the zip file is damaged: {error}") from None
    if len(names) > MEMBERS_LIMIT:
        message = f"a zip file of {len(names)} files; unpack it and name the folder"
        raise ContentError("archive", message)
    return names


def member_fault(name: str) -> str:
    """Why a name in an archive is refused, empty if it may be read.

    Nothing is ever unpacked under that name, but a page's id and the reports show it.
    """
    parts = name.replace("\\", "/").split("/")
    if ".." in parts:
        return f"the zip file names {name!r}, which leads out of it"
    if name.startswith(("/", "\\")) or name[1:2] == ":":
        return f"the zip file names {name!r}, which is a place outside of it"
    if any(char < " " for char in name):
        return f"the zip file names {name!r}, which is no proper name"
    return ""


def unpacked(path: Path, member: str) -> Content:
    """The bytes of a file, or of a file in an archive; of gzip what is in it.

    Raises OSError and ContentError (``too-large``, ``archive``, ``gzip``, ``unsafe-name``).
    """
    content = _member(path, member) if member else raw_content(path)
    with content.open() as stream:
        head = stream.read(4)
    if head[:2] == _GZIP:
        return _gunzipped(content)
    if head in _ZIP:
        if not member and is_archive(path):
            members(path)  # says what is wrong with it, or its files would have been found
        raise ContentError("archive", "a zip file in a place where it is not opened; unpack it")
    return content


def _gunzipped(content: Content) -> Content:
    with content.open() as packed, gzip.GzipFile(fileobj=packed) as stream:
        try:
            found = kept(cast(BinaryIO, stream), packed.tell)
        except (gzip.BadGzipFile, zlib.error, EOFError) as error:
            raise ContentError("gzip", f"the gzip file is damaged: {error}") from None
    with found.open() as inner:
        if inner.read(2) == _GZIP:
            raise ContentError("gzip", "a gzip file in a gzip file; unpack it")
    return found


def _member(path: Path, name: str) -> Content:
    if fault := member_fault(name):
        raise ContentError("unsafe-name", f"{fault}; it was not read")
    try:
        with zipfile.ZipFile(path) as archive:
            infos = [info for info in archive.infolist() if info.filename == name]
            if len(infos) != 1:
                raise ContentError(
                    "archive", f"the zip file has {len(infos)} files of the name {name!r}"
                )
            (info,) = infos
            if stat.S_ISLNK(info.external_attr >> 16):
                raise ContentError("archive", f"{name!r} in the zip file is a symbolic link")
            with archive.open(info) as stream:
                return kept(cast(BinaryIO, stream), lambda: max(1, info.compress_size))
    except _UNREADABLE as error:
        raise ContentError("archive", f"{name!r} in the zip file cannot be read: {error}") from None
