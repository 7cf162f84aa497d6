"""Opening a CSV file: the delimiter and the format that its header has anchors of."""

from __future__ import annotations

from collections.abc import Sequence

from steadyrank_builder.errors import listed
from steadyrank_builder.formats.detection import Anchored, ambiguous_message, detect
from steadyrank_builder.formats.options import Opened, ReadOptions
from steadyrank_builder.formats.protocol import Format, Head, OpenFile
from steadyrank_builder.formats.refusals import ambiguous, fault_outcome, refused, unknown
from steadyrank_builder.material import Source
from steadyrank_builder.reading.decode import Text
from steadyrank_builder.reading.ids import folded
from steadyrank_builder.reading.rows import DELIMITERS, Fault, Header, read_header


def open_table(
    source: Source, text: Text, options: ReadOptions, formats: Sequence[Format], chosen: bool
) -> Opened:
    """A table in the one of ``formats`` that its header is of.

    The delimiter is the first of ``DELIMITERS`` with which the header has a format. ``chosen``
    says that the user named the only format.
    """
    named = formats[0].info.name if chosen else "unknown"
    headers = [read_header(text, delimiter) for delimiter in DELIMITERS]
    proper = [header for header in headers if isinstance(header, Header)]
    for header in proper:
        head = _head(header)
        found = detect(head, formats, options)
        if len(found) > 1:
            return ambiguous(source, ambiguous_message(found))
        if found:
            (fmt,) = found
            if header.fault is not None:
                return Opened(fmt.info.name, iter([fault_outcome(source, header.fault)]))
            file = OpenFile(source, text, head, header)
            return Opened(fmt.info.name, fmt.read(file, options))
    if not proper:
        fault = next(header for header in headers if isinstance(header, Fault))
        return Opened(named, iter([fault_outcome(source, fault)]))
    widest = max(proper, key=lambda header: len(header.names))
    if chosen:
        return refused(source, named, "missing-column", _missing(widest, formats[0], options))
    return unknown(source, f"the columns {listed(_shown(widest))} are of no known table")


def _head(header: Header) -> Head:
    return Head("table", frozenset(filter(None, map(folded, header.names))))


def _missing(header: Header, fmt: Format, options: ReadOptions) -> str:
    name = fmt.info.name
    has = f"(it has {listed(_shown(header))}); correct --format"
    if not isinstance(fmt, Anchored):
        return f"the header is not that of {name}: {fmt.info.recognised_by} {has}"
    names = frozenset(map(folded, header.names))
    anchors = min(fmt.sets(options), key=lambda each: len(each.all_of - names))
    wanted = sorted(anchors.all_of - names) or sorted(anchors.some_of - names)
    return f"{name} needs the columns {listed(wanted)}, which the header does not have {has}" + (
        " or map columns with --map FIELD=COLUMN" if name == "csv" else ""
    )


def _shown(header: Header) -> list[str]:
    spaced = (" ".join(name.split()) for name in header.names if name)
    names = [name if len(name) <= 40 else f"{name[:39]}…" for name in spaced]
    return [*names[:12], "more"] if len(names) > 12 else names
