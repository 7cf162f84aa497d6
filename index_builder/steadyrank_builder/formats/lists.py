"""Opening JSON, JSONL and YAML: lists of FAQ entries or of generic records."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Any

from steadyrank_builder.errors import listed
from steadyrank_builder.formats.detection import (
    ambiguous_message,
    detect,
    faq_anchors,
    generic_anchors,
    mapped,
)
from steadyrank_builder.formats.faq import faq_outcomes
from steadyrank_builder.formats.generic import generic_outcomes
from steadyrank_builder.formats.options import Opened, ReadOptions
from steadyrank_builder.formats.raw_records import (
    Raw,
    from_json,
    from_jsonl,
    from_yaml,
    json_fault,
)
from steadyrank_builder.formats.refusals import ambiguous, not_material, refused, unknown
from steadyrank_builder.material import Source
from steadyrank_builder.reading import yaml_nodes
from steadyrank_builder.reading.decode import Text
from steadyrank_builder.reading.ids import folded
from steadyrank_builder.reading.strict_json import JsonError, check_syntax

# So many records are looked at to tell a format; one odd record at the head decides nothing.
_SAMPLE = 50
_GOLDEN = "golden questions"


def open_jsonl(source: Source, text: Text, options: ReadOptions, chosen: str | None) -> Opened:
    """One JSON object on each line. A file that is one array is read as JSON."""
    first = next((line for line in text.lines() if line.strip()), "")
    if first.lstrip().startswith("["):
        as_json = {"faq-jsonl": "faq-json", "jsonl": "json"}.get(chosen or "")
        return open_json(source, text, options, as_json)
    sample = list(islice(_objects(text), _SAMPLE))
    if not sample and chosen is None:
        # Nothing to tell a format by: every line is a reject, with its own reason.
        return Opened("jsonl", generic_outcomes(from_jsonl(source, text), options))
    return _opened(source, sample, from_jsonl(source, text), options, chosen, "jsonl")


def open_json(source: Source, text: Text, options: ReadOptions, chosen: str | None) -> Opened:
    """A JSON array of records, or an object with such an array under ``faq``."""
    content = text.read()
    try:
        value = check_syntax(content)
    except JsonError as error:
        if chosen in (None, "faq-jsonl", "jsonl") and next(_objects(text), None) is not None:
            lines = content.replace("\r", "\n").strip().split("\n")
            if len(lines) > 1 and _is_object(lines[0]):
                return open_jsonl(source, text, options, chosen)
        return Opened(chosen or "unknown", iter([json_fault(source, content, error)]))
    key = None
    if isinstance(value, dict):
        if chosen is None and "cases" in value and "faq" not in value:
            return not_material(source, _GOLDEN)
        if not isinstance(value.get("faq"), list):
            if _is_record(value, options) and "\n" not in content.strip():
                return open_jsonl(source, text, options, chosen)
            return _no_list(source, value, chosen)
        key = "faq"
        value = value["faq"]
    if not isinstance(value, list):
        return _no_list(source, value, chosen)
    if not value:
        return Opened(chosen or ("faq-json" if key else "json"), iter([]))
    sample = [item for item in value if isinstance(item, dict)][:_SAMPLE]
    return _opened(source, sample, from_json(source, content, key), options, chosen, "json")


def open_yaml(source: Source, text: Text, options: ReadOptions, chosen: str | None) -> Opened:
    """A YAML list of FAQ entries, or a mapping with such a list under ``faq``."""
    content = text.read()
    try:
        node = yaml_nodes.compose(content)
    except yaml_nodes.YamlError as error:
        place = f"line {error.line}, column {error.column}"
        message = f"{error} ({place}); nothing of the file was read"
        return refused(source, chosen or "unknown", error.code, message, error.line)
    if yaml_nodes.kind(node) == "mapping":
        entries = yaml_nodes.child(node, "faq")
        if entries is None and chosen is None and yaml_nodes.child(node, "cases") is not None:
            return not_material(source, _GOLDEN)
        node = entries
    if yaml_nodes.kind(node) != "list":
        return _no_list(source, None, chosen)
    if not node.value:
        return Opened("faq-yaml", iter([]))
    sample = [
        dict.fromkeys(name.value for name, _ in element.value if name.id == "scalar")
        for element in node.value[:_SAMPLE]
        if element.id == "mapping"
    ]
    return _opened(source, sample, from_yaml(source, content, node), options, chosen, "yaml")


def _opened(
    source: Source,
    sample: list[dict[str, Any]],
    records: Iterator[Raw],
    options: ReadOptions,
    chosen: str | None,
    container: str,
) -> Opened:
    name = chosen
    if name is None:
        candidates = [faq_anchors(f"faq-{container}")]
        if container != "yaml":
            candidates.append(generic_anchors(container, options))
        keys = dict.fromkeys(key for record in sample for key in record)
        found = detect(keys, candidates)
        if len(found) > 1:
            return ambiguous(source, ambiguous_message(found))
        if not found:
            shown = list(keys)[:12]
            what = f"records with {listed(shown)} are" if shown else "this is"
            return unknown(source, f"{what} no known list of records")
        name = found[0].format
    elif not name.startswith("faq-") and sample:
        # A record may lack its text; if all do, a name is wrong and all text would be lost.
        known = {folded(key) for record in sample for key in record}
        for field in ("id", "title", "text"):
            if mapped(options, field) not in known:
                message = f"no record has {field}; map another name with --map {field}=NAME"
                return refused(source, name, "missing-field", message)
    read = faq_outcomes if name.startswith("faq-") else generic_outcomes
    return Opened(name, read(records, options))


def _no_list(source: Source, value: Any, chosen: str | None) -> Opened:
    what = f"an object with {listed(list(value)[:12])}" if isinstance(value, dict) else "this"
    if chosen is None:
        return unknown(source, f"{what} is no list of records")
    return refused(source, chosen, "record-shape", f"{what} is no list of records")


def _objects(text: Text) -> Iterator[dict[str, Any]]:
    for line in islice((line for line in text.lines() if line.strip()), 4 * _SAMPLE):
        try:
            value = check_syntax(line)
        except JsonError:
            continue
        if isinstance(value, dict):
            yield value


def _is_object(line: str) -> bool:
    try:
        return isinstance(check_syntax(line), dict)
    except JsonError:
        return False


def _is_record(value: dict[str, Any], options: ReadOptions) -> bool:
    return bool(detect(value, [faq_anchors("faq-jsonl"), generic_anchors("jsonl", options)]))
