"""Records as mappings, from every container that holds lists of them, with their lines.

Each container yields ``RawRecord`` for what can be read and ``Rejected`` for what cannot; FAQ and
generic records are then the same whatever they came in.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from steadyrank_builder.document import Origin
from steadyrank_builder.formats.refusals import fault_outcome
from steadyrank_builder.material import Source
from steadyrank_builder.reading import strict_json, yaml_nodes
from steadyrank_builder.reading.decode import LINE_LIMIT, Overlong, Text
from steadyrank_builder.reading.rows import Fault, Header, read_rows
from steadyrank_builder.reading.strict_json import JsonError
from steadyrank_builder.records import Rejected, Skipped


@dataclass(frozen=True)
class RawRecord:
    """One record before it is understood: values by key as written, lines, and its source text."""

    values: Mapping[str, Any]
    origin: Origin
    raw: str


Raw = RawRecord | Rejected | Skipped
_TOO_LARGE = f"more than {LINE_LIMIT} characters; which no record of a shop has"
_KEPT = 1_000  # characters of a record that is too large


def from_jsonl(source: Source, text: Text) -> Iterator[Raw]:
    """One JSON object on each line; blank lines are no records. Streams."""
    for number, line in enumerate(text.lines(), 1):
        raw = line.strip()
        if not raw:
            continue
        origin = Origin(source.name, number, number)
        if isinstance(line, Overlong):
            yield Rejected(origin, "too-large", f"a line of {_TOO_LARGE}", raw)
            continue
        try:
            value = strict_json.parse(line)
        except JsonError as error:
            yield Rejected(origin, error.code, _json_message(error, line, number), raw)
            continue
        yield _mapping(value, origin, raw)


def from_json(source: Source, content: str, key: str) -> Iterator[Raw]:
    """The elements of the JSON array under ``key`` (see ``array_start``); its syntax is known."""
    start = strict_json.array_start(content, key)
    assert start is not None
    ends = [match.end() for match in re.finditer(r"\r\n|\r|\n", content)]
    for element in strict_json.elements(content, start):
        first = bisect.bisect_right(ends, element.start) + 1
        last = bisect.bisect_right(ends, element.end - 1) + 1
        origin = Origin(source.name, first, last)
        if element.end - element.start > LINE_LIMIT:
            yield Rejected(
                origin,
                "too-large",
                f"a record of {_TOO_LARGE}",
                content[element.start : element.start + _KEPT],
            )
            continue
        raw = content[element.start : element.end]
        if element.error is not None:
            yield Rejected(origin, element.error.code, str(element.error), raw)
        else:
            yield _mapping(element.value, origin, raw)


def from_yaml(source: Source, content: str, node: Any) -> Iterator[Raw]:
    """The elements of a YAML list node."""
    lines = content.splitlines() if "\n" in content or "\r" in content else [content]
    budget = yaml_nodes.Budget()
    for item in yaml_nodes.items(node):
        origin = Origin(source.name, item.line, item.end_line)
        raw = "\n".join(lines[item.line - 1 : item.end_line])
        try:
            value = yaml_nodes.value(item.node, budget)
        except yaml_nodes.YamlError as error:
            message = f"{error} (line {error.line}, column {error.column})"
            if budget.spent:
                message = f"{message}; nothing more of the file was read"
                yield Rejected(origin, error.code, message, raw, ends=True)
                return
            yield Rejected(origin, error.code, message, raw)
            continue
        yield _mapping(value, origin, raw)


def from_csv(source: Source, text: Text, header: Header) -> Iterator[Raw]:
    """The rows of a table by column name; empty cells are left out. Streams."""
    columns = [(name, at) for at, name in enumerate(header.names) if name]
    for row in read_rows(text, header):
        if isinstance(row, Fault):
            yield fault_outcome(source, row)
            continue
        origin = Origin(source.name, row.line, row.end_line)
        if not any(map(str.strip, row.cells)):
            yield Skipped(origin, "empty row")
            continue
        yield RawRecord({name: row.cells[at] for name, at in columns}, origin, row.raw)


def json_fault(source: Source, content: str, error: JsonError) -> Rejected:
    """A whole JSON file that is none: one record, at the line of the fault."""
    position = error.position or 0
    line = len(re.findall(r"\r\n|\r|\n", content[:position])) + 1
    start = max(content.rfind("\n", 0, position), content.rfind("\r", 0, position)) + 1
    column = position - start + 1
    message = f"{error} (line {line}, column {column}); nothing of the file was read"
    return Rejected(Origin(source.name, line, line), error.code, message)


def _json_message(error: JsonError, line: str, number: int) -> str:
    if error.position is None:
        return str(error)
    return f"{error} (line {number}, column {error.position + 1})"


def _mapping(value: Any, origin: Origin, raw: str) -> Raw:
    if isinstance(value, dict):
        return RawRecord(value, origin, raw)
    message = "a record must be a mapping of fields to values"
    return Rejected(origin, "record-shape", message, raw)
