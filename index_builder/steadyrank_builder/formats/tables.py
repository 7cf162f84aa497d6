"""Opening a CSV file: the delimiter and the format that its header has anchors of."""

from __future__ import annotations

from collections.abc import Sequence

from steadyrank_builder.document import Origin
from steadyrank_builder.errors import listed
from steadyrank_builder.formats.detection import (
    PRODUCT_ANCHORS,
    Anchors,
    ambiguous_message,
    detect,
    faq_anchors,
    generic_anchors,
    mapped,
)
from steadyrank_builder.formats.faq import faq_outcomes
from steadyrank_builder.formats.generic import generic_outcomes
from steadyrank_builder.formats.options import Opened, ReadOptions
from steadyrank_builder.formats.products import fault_outcome, product_outcomes
from steadyrank_builder.formats.raw_records import from_csv
from steadyrank_builder.formats.refusals import ambiguous, refused, unknown
from steadyrank_builder.material import Source
from steadyrank_builder.reading.decode import Text
from steadyrank_builder.reading.ids import folded
from steadyrank_builder.reading.rows import DELIMITERS, Fault, Header, read_header
from steadyrank_builder.records import Rejected


def open_table(source: Source, text: Text, options: ReadOptions, chosen: str | None) -> Opened:
    """A table in the format of its header, or in the chosen one.

    The delimiter is the first of ``DELIMITERS`` with which the header has a format.
    """
    candidates = [
        anchors
        for anchors in (*PRODUCT_ANCHORS, faq_anchors("faq-csv"), generic_anchors("csv", options))
        if chosen in (None, anchors.format)
    ]
    headers = [read_header(text, delimiter) for delimiter in DELIMITERS]
    proper = [header for header in headers if isinstance(header, Header)]
    for header in proper:
        found = detect(header.names, candidates)
        if len(found) > 1 and len({anchors.format for anchors in found}) > 1:
            return ambiguous(source, ambiguous_message(found))
        if found:
            return _read(source, text, options, header, found[0])
    if not proper:
        fault = next(header for header in headers if isinstance(header, Fault))
        return Opened(chosen or "unknown", iter([fault_outcome(source, fault)]))
    widest = max(proper, key=lambda header: len(header.names))
    if chosen is not None:
        return refused(source, chosen, "missing-column", _missing(widest, candidates))
    return unknown(source, f"the columns {listed(_shown(widest))} are of no known table")


def _read(
    source: Source, text: Text, options: ReadOptions, header: Header, anchors: Anchors
) -> Opened:
    if header.fault is not None:
        return Opened(anchors.format, iter([fault_outcome(source, header.fault)]))
    if anchors.columns is not None:
        outcomes = product_outcomes(source, text, header, anchors.columns, options.language)
    elif anchors.format == "faq-csv":
        outcomes = faq_outcomes(from_csv(source, text, header), options)
    elif mapped(options, "kind") not in header.index and not (options.kind or "").strip():
        message = "the table has no column kind; give the kind of its records with --kind"
        return Opened("csv", iter([Rejected(Origin(source.name, 1, 1), "missing-kind", message)]))
    else:
        outcomes = generic_outcomes(from_csv(source, text, header), options)
    return Opened(anchors.format, outcomes)


def _missing(header: Header, candidates: Sequence[Anchors]) -> str:
    names = {folded(name) for name in header.names}
    anchors = min(candidates, key=lambda candidate: len(candidate.all_of - names))
    wanted = sorted(anchors.all_of - names) or sorted(anchors.some_of - names)
    return (
        f"{anchors.format} needs the columns {listed(wanted)}, which the header does not have "
        f"(it has {listed(_shown(header))}); correct --format"
        + (" or map columns with --map FIELD=COLUMN" if anchors.format == "csv" else "")
    )


def _shown(header: Header) -> list[str]:
    spaced = (" ".join(name.split()) for name in header.names if name)
    names = [name if len(name) <= 40 else f"{name[:39]}…" for name in spaced]
    return [*names[:12], "more"] if len(names) > 12 else names
