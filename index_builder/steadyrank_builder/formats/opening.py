"""Opening a source: is it material, does it decode, which format is it."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from steadyrank_builder.document import Origin
from steadyrank_builder.errors import ReadOptionError
from steadyrank_builder.formats.detection import ambiguous_message, detect
from steadyrank_builder.formats.lists import open_json, open_jsonl, open_yaml
from steadyrank_builder.formats.not_material import NOT_SUPPORTED, reason_not_material
from steadyrank_builder.formats.options import Opened, ReadOptions
from steadyrank_builder.formats.protocol import Format, Head, OpenFile
from steadyrank_builder.formats.refusals import ambiguous, not_material, refused, unknown
from steadyrank_builder.formats.registry import by_name, formats
from steadyrank_builder.formats.tables import open_table
from steadyrank_builder.material import Source
from steadyrank_builder.material.content import STDIN, Content, ContentError
from steadyrank_builder.material.unpack import is_archive, member_fault, unpacked
from steadyrank_builder.reading.decode import PAGE_LIMIT, Text, decode
from steadyrank_builder.reading.ids import folded
from steadyrank_builder.reading.json_ld import stated_types
from steadyrank_builder.records import Outcome, Rejected

_START = 1 << 16


def open_source(source: Source, options: ReadOptions) -> Opened:
    """Open one file of the material; its records are read as ``outcomes`` is iterated.

    What a ``steadyrank.toml`` says of the file counts, unless the options say otherwise. Bad
    content is never an exception: it is yielded as ``Rejected``, and so is a file that the
    system does not let us read (``unreadable``). A file that is no material is one ``Skipped``.

    Raises MissingExtraError if the parser that the file needs is not installed,
    FormatPluginError for a broken format of another distribution, and ReadOptionError for a
    format that does not exist and for standard input without one.
    """
    if source.settings.excluded:
        return not_material(source, "excluded")
    if fault := source.member and member_fault(source.member):
        return refused(source, "unknown", "unsafe-name", f"{fault}; it was not read")
    chosen = _chosen(source, options)
    options = options.within(source.settings)
    if source.encoding:
        options = replace(options, encoding=source.encoding)
    if str(source.path) == STDIN and chosen is None:
        message = "standard input has no name to go by; say what it is with --format"
        raise ReadOptionError("format", "", message)
    if chosen is None:
        reason = reason_not_material(source.file_name)
        if reason:
            return not_material(source, reason)
    candidates = [chosen] if chosen is not None else _by_suffix(source.suffix)
    # An archive here is one that could not be opened: a sound one is its files by now.
    if not candidates and (source.member or not is_archive(source.path)):
        return not_material(source, NOT_SUPPORTED)
    name = chosen.info.name if chosen is not None else "unknown"
    try:
        content = unpacked(source.path, source.member)
        text = decode(content, source.name, options.encoding, _declared(content, candidates))
        if isinstance(text, Rejected):
            if _plain(source) and chosen is None and not _is_table(source, content, candidates):
                return not_material(source, NOT_SUPPORTED)
            return Opened(_name_of_text(candidates, name), iter([text]))
        opened = _open(source, text, options, candidates, chosen is not None)
        if _plain(source) and opened.format == "unknown":
            return not_material(source, NOT_SUPPORTED)
    except OSError as error:
        return Opened(name, iter([_unreadable(source, error)]))
    except ContentError as error:
        return refused(source, name, error.code, str(error))
    return Opened(opened.format, _guarded(source, opened.outcomes))


def _chosen(source: Source, options: ReadOptions) -> Format | None:
    """The format that the user named, if it is meant for this file.

    A file named on the command line, or in the settings beside it, is read as told. In a folder
    the format is meant for the files that may have it by their suffix; the others are detected
    as always.
    """
    if options.format is not None:
        fmt = by_name(options.format)
        if source.root == "file":
            return fmt
        if reason_not_material(source.file_name) or source.suffix not in fmt.info.suffixes:
            return None
        return fmt
    if source.settings.format:
        try:
            return by_name(source.settings.format)
        except ReadOptionError as error:
            message = f"{source.settings.place}.format: {error}"
            raise ReadOptionError("format", error.value, message) from None
    return None


def _by_suffix(suffix: str) -> list[Format]:
    """The formats that a file of that suffix may have."""
    return [fmt for fmt in formats() if suffix in fmt.info.suffixes]


_Opener = Callable[[Source, Text, ReadOptions, Sequence[Format], bool], Opened]
_LISTS: dict[str, _Opener] = {
    "table": open_table,
    "jsonl": open_jsonl,
    "json": open_json,
    "yaml": open_yaml,
}
# By suffix, where formats of more than one container share it.
_CONTAINER_OF = {
    suffix: container
    for container, suffixes in {
        "table": ".csv .tsv",
        "jsonl": ".jsonl .ndjson",
        "json": ".json",
        "yaml": ".yaml .yml",
        "xml": ".xml .rss .atom",
        "html": ".html .htm .xhtml",
        "markdown": ".md .mdx .markdown",
    }.items()
    for suffix in suffixes.split()
}


def _open(
    source: Source, text: Text, options: ReadOptions, candidates: Sequence[Format], chosen: bool
) -> Opened:
    if _plain(source) and not chosen:
        opened = open_table(source, text, options, _of_tables(candidates), False)
        if opened.format != "unknown":
            return opened
    container = _CONTAINER_OF.get(source.suffix, "text")
    # JSON and JSONL are told apart by content, so either opener does for both.
    either = {"json", "jsonl"} if container in ("json", "jsonl") else {container}
    if chosen:
        held = candidates[0].info.containers
        if not either & set(held):
            container = held[0]
    else:
        candidates = [
            fmt
            for fmt in (formats() if len(either) > 1 else candidates)
            if either & set(fmt.info.containers)
        ]
    opener = _LISTS.get(container)
    if opener is not None:
        return opener(source, text, options, candidates, chosen)
    file = OpenFile(source, text, _head(container, text))
    if chosen:
        return Opened(candidates[0].info.name, candidates[0].read(file, options))
    found = detect(file.head, candidates, options)
    if len(found) > 1:
        return ambiguous(source, ambiguous_message(found))
    if not found:
        return unknown(source, f"this {container} is of no known format")
    return Opened(found[0].info.name, found[0].read(file, options))


def _plain(source: Source) -> bool:
    """Whether it may be a feed or a note: only a header that is known makes material of it."""
    return source.suffix == ".txt"


def _of_tables(candidates: Sequence[Format]) -> list[Format]:
    return [fmt for fmt in candidates if "table" in fmt.info.containers]


def _is_table(source: Source, content: Content, candidates: Sequence[Format]) -> bool:
    """Whether a file in an encoding that is not known has the header of a table."""
    text = decode(content, source.name, "latin-1")
    if isinstance(text, Rejected):
        return False
    opened = open_table(source, text, ReadOptions(), _of_tables(candidates), False)
    return opened.format != "unknown"


_XML_NAME = re.compile(r"<(?:[\w.-]+:)?([\w.-]+)")
_NAMESPACE = re.compile(r"""\sxmlns(?::[\w.-]+)?\s*=\s*["']([^"']*)["']""")


def _head(container: str, text: Text) -> Head:
    """What a file that is neither table nor list shows at its beginning."""
    start = text.start(_START)
    names: frozenset[str] = frozenset()
    marks: frozenset[str] = frozenset()
    if container == "xml":
        names = frozenset(map(folded, _XML_NAME.findall(start)))
        marks = frozenset(_NAMESPACE.findall(start))
    elif container == "html":
        marks = names = stated_types(text.read(PAGE_LIMIT))  # blocks often stand at a page's end
    return Head(container, names, marks=marks, start=start)


_XML_ENCODING = re.compile(rb"""^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([A-Za-z0-9._-]{1,40})""")


def _declared(content: Content, candidates: Sequence[Format]) -> str:
    """The encoding that an XML file names for itself, empty if it names none that is known."""
    if not any("xml" in fmt.info.containers for fmt in candidates):
        return ""
    with content.open() as stream:
        match = _XML_ENCODING.match(stream.read(400))
    if match is None:
        return ""
    name = match.group(1).decode("ascii")
    try:
        codecs.lookup(name)
        b"".decode(name)
    except (LookupError, ValueError):
        return ""
    return name


def _name_of_text(candidates: Sequence[Format], name: str) -> str:
    """A file that is no text has a format only where its suffix leaves no choice."""
    return candidates[0].info.name if len(candidates) == 1 else name


def _guarded(source: Source, outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
    """The outcomes; what ends the reading of a file early is a reject of its rest."""
    try:
        yield from outcomes
    except OSError as error:
        yield _unreadable(source, error)
    except ContentError as error:
        yield Rejected(Origin(source.name, 1, 1), error.code, str(error), ends=True)
    except RecursionError:
        message = "nested too deeply to be read; nothing more of the file was read"
        yield Rejected(Origin(source.name, 1, 1), "too-deep", message, ends=True)


def _unreadable(source: Source, error: OSError) -> Rejected:
    reason = (error.strerror or str(error)).lower()
    message = f"the file cannot be read: {reason}"
    return Rejected(Origin(source.name, 1, 1), "unreadable", message, ends=True)
