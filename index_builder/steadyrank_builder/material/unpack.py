"""Packed files: gzip and zip, by their first bytes and never by their names alone."""

from __future__ import annotations

import gzip
import io
import stat
import struct
import zipfile
import zlib
from collections import Counter
from functools import lru_cache
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
_END = struct.Struct("<10sHI6x")  # signature and disks, number of entries, bytes of the directory
_ENTRY = 400  # bytes that an entry of the directory has at most on average
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
        infos = _opened(path).infolist()
    except (*_UNREADABLE, OSError, ValueError) as error:
        raise ContentError("archive", f"the zip file is damaged: {error}") from None
    names = [info.filename for info in infos if not info.is_dir()]
    if len(names) > MEMBERS_LIMIT:
        raise _too_many()
    return names


def _opened(path: Path) -> zipfile.ZipFile:
    """The archive with its directory, which is read once for all of its files."""
    stat_ = path.stat()
    return _opened_as(path, stat_.st_dev, stat_.st_ino, stat_.st_size, stat_.st_mtime_ns)


@lru_cache(maxsize=1)
def _opened_as(path: Path, *_identity: int) -> zipfile.ZipFile:
    # Each entry of the directory becomes an object, so it is looked at before it is read.
    if _stated_count(path) > MEMBERS_LIMIT:
        raise _too_many()
    return zipfile.ZipFile(path)


def _too_many() -> ContentError:
    message = f"a zip file of more than {MEMBERS_LIMIT} files; unpack it and name the folder"
    return ContentError("too-large", message)


def _stated_count(path: Path) -> int:
    """How many files the archive has at most, by the record at its end; 0 where there is none."""
    with path.open("rb") as stream:
        size = stream.seek(0, io.SEEK_END)
        stream.seek(max(0, size - _END.size - 0xFFFF))
        tail = stream.read()
    at = tail.rfind(b"PK\5\6")
    if at < 0 or len(tail) < at + _END.size:
        return 0
    _, count, directory = _END.unpack_from(tail, at)
    # The number may lie, and 0xFFFF says that it stands elsewhere; the size is what is read.
    return int(max(count, directory // _ENTRY))


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
        archive = _opened(path)
        if name in _twice(archive):
            message = f"the zip file has more than one file of the name {name!r}"
            raise ContentError("archive", message)
        info = archive.getinfo(name)
        if stat.S_ISLNK(info.external_attr >> 16):
            raise ContentError("archive", f"{name!r} in the zip file is a symbolic link")
        with archive.open(info) as stream:
            return kept(cast(BinaryIO, stream), lambda: max(1, info.compress_size))
    except (*_UNREADABLE, KeyError) as error:
        raise ContentError("archive", f"{name!r} in the zip file cannot be read: {error}") from None


@lru_cache(maxsize=1)
def _twice(archive: zipfile.ZipFile) -> frozenset[str]:
    """The names that several files of the archive have."""
    counted = Counter(info.filename for info in archive.infolist())
    return frozenset(name for name, count in counted.items() if count > 1)
