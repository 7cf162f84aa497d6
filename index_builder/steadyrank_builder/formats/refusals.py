"""Whole files that cannot be used or are not meant to be."""

from __future__ import annotations

from steadyrank_builder.document import Origin
from steadyrank_builder.formats.options import Opened
from steadyrank_builder.material import Source
from steadyrank_builder.reading.rows import Fault
from steadyrank_builder.records import Rejected, Skipped

NOT_MATERIAL = "not-material"
UNKNOWN = "unknown"


def not_material(source: Source, reason: str) -> Opened:
    """A file that is no material: skipped, with the reason."""
    return Opened(NOT_MATERIAL, iter([Skipped(Origin(source.name, 1, 1), reason)]))


def unknown(source: Source, what: str) -> Opened:
    """A file of a type that we read, in a shape that we do not know."""
    message = (
        f"{what}; see `steadyrank formats`, name the format with --format, or say with "
        "--map FIELD=NAME where id, title and text are"
    )
    return refused(source, UNKNOWN, "unknown-format", message)


def ambiguous(source: Source, message: str) -> Opened:
    """A file that may be more than one format."""
    return refused(source, UNKNOWN, "ambiguous-format", message)


def refused(source: Source, format_name: str, code: str, message: str, line: int = 1) -> Opened:
    """A whole file as one reject."""
    return Opened(format_name, iter([Rejected(Origin(source.name, line, line), code, message)]))


def fault_outcome(source: Source, fault: Fault) -> Rejected:
    """A fault of the table as the outcome of one record."""
    origin = Origin(source.name, fault.line, max(fault.line, fault.end_line))
    return Rejected(origin, fault.code, fault.message, fault.raw, ends=fault.ends)
