"""Opening a source: is it material, does it decode, which format is it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import PurePosixPath

from steadyrank_builder.document import Origin
from steadyrank_builder.errors import ReadOptionError, listed
from steadyrank_builder.formats.lists import open_json, open_jsonl, open_yaml
from steadyrank_builder.formats.not_material import NOT_SUPPORTED, reason_not_material
from steadyrank_builder.formats.options import Opened, ReadOptions
from steadyrank_builder.formats.pages import html_outcomes, markdown_outcomes
from steadyrank_builder.formats.refusals import not_material
from steadyrank_builder.formats.registry import FORMATS
from steadyrank_builder.formats.tables import open_table
from steadyrank_builder.material import Source
from steadyrank_builder.pages.markdown import parser
from steadyrank_builder.reading.decode import Text, decode
from steadyrank_builder.reading.html_text import parse_html
from steadyrank_builder.records import Outcome, Rejected


def open_source(source: Source, options: ReadOptions) -> Opened:
    """Open one file of the material; its records are read as ``outcomes`` is iterated.

    Bad content is never an exception: it is yielded as ``Rejected``, and so is a file that the
    system does not let us read (``unreadable``). A file that is no material is one ``Skipped``.

    Raises MissingExtraError if the parser that the file needs is not installed, and
    ReadOptionError for a format that does not exist.
    """
    chosen = _chosen(source, options)
    if chosen is None:
        reason = reason_not_material(source.path.name)
        if reason:
            return not_material(source, reason)
    opener = _opener(source, chosen)
    if opener is None:
        return not_material(source, NOT_SUPPORTED)
    try:
        text = decode(source.path, source.name, options.encoding)
        if isinstance(text, Rejected):
            return Opened(chosen or _PAGES.get(_suffix(source), "unknown"), iter([text]))
        opened = opener(source, text, options, chosen)
    except OSError as error:
        return Opened(chosen or "unknown", iter([_unreadable(source, error)]))
    return Opened(opened.format, _guarded(source, opened.outcomes))


_Opener = Callable[[Source, Text, ReadOptions, str | None], Opened]


def _markdown(source: Source, text: Text, options: ReadOptions, _: str | None) -> Opened:
    parser(mdx=False)  # a missing parser is told before anything is read
    parse_html("")
    return Opened("markdown", markdown_outcomes(source, text, options))


def _html(source: Source, text: Text, options: ReadOptions, _: str | None) -> Opened:
    parse_html("")
    return Opened("html", html_outcomes(source, text, options))


_OPENERS: dict[str, _Opener] = {
    "shopify-csv": open_table,
    "spree-csv": open_table,
    "faq-csv": open_table,
    "csv": open_table,
    "faq-yaml": open_yaml,
    "faq-jsonl": open_jsonl,
    "jsonl": open_jsonl,
    "faq-json": open_json,
    "json": open_json,
    "markdown": _markdown,
    "html": _html,
}
_SUFFIXES = {suffix: _OPENERS[info.name] for info in FORMATS for suffix in info.suffixes}
_PAGES = {
    suffix: info.name
    for info in FORMATS
    for suffix in info.suffixes
    if info.name in ("markdown", "html")
}


def _chosen(source: Source, options: ReadOptions) -> str | None:
    """The format that the user named, if it is meant for this file.

    A file named on the command line is read as told. In a folder the format is meant for the
    files that may have it by their suffix; the others are detected as always.
    """
    if options.format is None:
        return None
    info = next((info for info in FORMATS if info.name == options.format), None)
    if info is None:
        names = listed(info.name for info in FORMATS)
        message = f"there is no format {options.format!r}; the formats are {names}"
        raise ReadOptionError("format", options.format, message)
    if source.root == "file":
        return info.name
    if reason_not_material(source.path.name) or _suffix(source) not in info.suffixes:
        return None
    return info.name


def _opener(source: Source, chosen: str | None) -> _Opener | None:
    return _OPENERS[chosen] if chosen is not None else _SUFFIXES.get(_suffix(source))


def _suffix(source: Source) -> str:
    return PurePosixPath(source.path.name).suffix.lower()


def _guarded(source: Source, outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
    """The outcomes; what ends the reading of a file early is a reject of its rest."""
    try:
        yield from outcomes
    except OSError as error:
        yield _unreadable(source, error)
    except RecursionError:
        message = "nested too deeply to be read; nothing more of the file was read"
        yield Rejected(Origin(source.name, 1, 1), "too-deep", message)


def _unreadable(source: Source, error: OSError) -> Rejected:
    reason = (error.strerror or str(error)).lower()
    return Rejected(Origin(source.name, 1, 1), "unreadable", f"the file cannot be read: {reason}")
