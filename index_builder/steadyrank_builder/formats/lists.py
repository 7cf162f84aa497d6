"""Opening JSON, JSONL and YAML: lists of records, by the names in the first of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from steadyrank_builder.errors import listed
from steadyrank_builder.formats.detection import ambiguous_message, detect
from steadyrank_builder.formats.options import GENERIC_FIELDS, Opened, ReadOptions
from steadyrank_builder.formats.protocol import Format, Head, OpenFile
from steadyrank_builder.formats.raw_records import from_jsonl, json_fault
from steadyrank_builder.formats.refusals import ambiguous, not_material, refused, unknown
from steadyrank_builder.material import Source
from steadyrank_builder.reading import yaml_nodes
from steadyrank_builder.reading.decode import PAGE_LIMIT, Overlong, Text
from steadyrank_builder.reading.ids import folded
from steadyrank_builder.reading.strict_json import JsonError, check_syntax
from steadyrank_builder.records import Rejected, Skipped

# So many records are looked at to tell a format; one odd record at the head decides nothing.
_SAMPLE = 50
_GOLDEN = "golden questions"
# The same records in the other container of JSON.
_AS_JSON = {"faq-jsonl": "faq-json", "jsonl": "json"}


def open_jsonl(
    source: Source, text: Text, options: ReadOptions, formats: Sequence[Format], chosen: bool
) -> Opened:
    """One JSON object on each line. A file that is one array is read as JSON."""
    first = next((line for line in text.lines() if line.strip()), "")
    if first.lstrip().startswith("["):
        return open_json(source, text, options, _swapped(formats, _AS_JSON, chosen), chosen)
    sample = list(islice(_objects(text), _SAMPLE))
    if not sample and not chosen:
        # Nothing to tell a format by: every line is a reject, with its own reason.
        outcomes = (raw for raw in from_jsonl(source, text) if isinstance(raw, Rejected | Skipped))
        return Opened("jsonl", outcomes)
    file = OpenFile(source, text, _head("jsonl", "", sample))
    return _opened([file], options, _for("jsonl", formats), chosen)


def open_json(
    source: Source, text: Text, options: ReadOptions, formats: Sequence[Format], chosen: bool
) -> Opened:
    """A JSON array of records, or an object with such an array under a known key."""
    named = formats[0].info.name if chosen else "unknown"
    content = text.read()
    try:
        value = check_syntax(content)
    except JsonError as error:
        if not chosen or named in ("faq-jsonl", "jsonl"):
            lines = content.replace("\r", "\n").strip().split("\n")
            if len(lines) > 1 and _is_object(lines[0]):
                return open_jsonl(source, text, options, formats, chosen)
        return Opened(named, iter([json_fault(source, content, error)]))
    formats = _swapped(formats, _AS_JSON, chosen)
    found = [(key, inner) for key in _keys(formats) if isinstance(inner := _at(value, key), list)]
    if isinstance(value, dict):
        if not chosen and "cases" in value and not found:
            return not_material(source, _GOLDEN)
        if not found and "\n" not in content.strip():
            lines_of = _for("jsonl", formats)
            head = _head("jsonl", "", [value])
            if chosen or detect(head, lines_of, options):
                return open_jsonl(source, text, options, lines_of, chosen)
    if not found:
        return _no_list(source, value, named, chosen)
    filled = [(key, inner) for key, inner in found if inner]
    if not filled:
        names = [fmt.info.name for fmt in formats if found[0][0] in fmt.info.keys]
        return Opened(named if chosen else _empty_name("json", names), iter([]))
    files = [
        OpenFile(source, text, _head("json", key, (x for x in inner if isinstance(x, dict))))
        for key, inner in filled
    ]
    return _opened(files, options, _for("json", formats), chosen)


def open_yaml(
    source: Source, text: Text, options: ReadOptions, formats: Sequence[Format], chosen: bool
) -> Opened:
    """A YAML list of records, or a mapping with such a list under a known key."""
    named = formats[0].info.name if chosen else "unknown"
    content = text.read(PAGE_LIMIT)
    try:
        node = yaml_nodes.compose(content)
    except yaml_nodes.YamlError as error:
        place = f"line {error.line}, column {error.column}"
        message = f"{error} ({place}); nothing of the file was read"
        return refused(source, named, error.code, message, error.line)
    nodes = {}
    for key in _keys(formats):
        inner = node
        for part in key.split(".") if key else ():
            inner = yaml_nodes.child(inner, part) if yaml_nodes.kind(inner) == "mapping" else None
        if yaml_nodes.kind(inner) == "list":
            nodes[key] = inner
    if not nodes:
        mapping = yaml_nodes.kind(node) == "mapping"
        if not chosen and mapping and yaml_nodes.child(node, "cases") is not None:
            return not_material(source, _GOLDEN)
        return _no_list(source, None, named, chosen)
    filled = {key: inner for key, inner in nodes.items() if inner.value}
    if not filled:
        names = [fmt.info.name for fmt in formats if next(iter(nodes)) in fmt.info.keys]
        return Opened(named if chosen else _empty_name("yaml", names), iter([]))
    files = []
    for key, inner in filled.items():
        sample = (
            {name.value: None for name, _ in element.value if name.id == "scalar"}
            for element in inner.value
            if element.id == "mapping"
        )
        files.append(OpenFile(source, text, _head("yaml", key, sample), node=inner))
    return _opened(files, options, formats, chosen)


def _opened(
    files: Sequence[OpenFile], options: ReadOptions, formats: Sequence[Format], chosen: bool
) -> Opened:
    """The one of ``files`` (one for each list in the file) that is of a format."""
    source = files[0].source
    if chosen:
        (fmt,) = formats
        file = next((each for each in files if fmt.fit(each.head, options) is not None), files[0])
        for name in _lost(file.head, fmt, options):
            message = f"no record has {name}; map another name with --map {name}=NAME"
            return refused(source, fmt.info.name, "missing-field", message)
        return Opened(fmt.info.name, fmt.read(file, options))
    for file in files:
        having = [fmt for fmt in formats if file.head.key in fmt.info.keys]
        found = detect(file.head, having, options)
        if len(found) > 1:
            return ambiguous(source, ambiguous_message(found))
        if found:
            return Opened(found[0].info.name, found[0].read(file, options))
    shown = sorted(files[0].head.names)[:12]
    what = f"records with {listed(shown)} are" if shown else "this is"
    return unknown(source, f"{what} no known list of records")


def _lost(head: Head, fmt: Format, options: ReadOptions) -> Iterator[str]:
    """A record may lack its text; if all do, a name is wrong and all text would be lost."""
    if fmt.info.fields == GENERIC_FIELDS and head.names:
        for name in ("id", "title", "text"):
            if folded(options.mapping.get(name, name)) not in head.names:
                yield name


def _head(container: str, key: str, records: Iterable[Mapping[str, Any]]) -> Head:
    sample = list(islice(records, _SAMPLE))
    names = frozenset(folded(str(name)) for record in sample for name in record)
    types = (record.get("type") for record in sample)
    return Head(container, names, key, frozenset(kind for kind in types if isinstance(kind, str)))


def _keys(formats: Sequence[Format]) -> list[str]:
    return list(dict.fromkeys(key for fmt in formats for key in ("", *fmt.info.keys)))


def _at(value: Any, key: str) -> Any:
    for part in key.split(".") if key else ():
        value = value.get(part) if isinstance(value, dict) else None
    return value


def _for(container: str, formats: Sequence[Format]) -> Sequence[Format]:
    """Those that read such a container; all of them if none does, for one that was chosen."""
    return [fmt for fmt in formats if container in fmt.info.containers] or formats


def _swapped(formats: Sequence[Format], names: Mapping[str, str], chosen: bool) -> Sequence[Format]:
    """The chosen format under its name for the other container of JSON."""
    if not chosen or formats[0].info.name not in names:
        return formats
    from steadyrank_builder.formats.registry import by_name

    return [by_name(names[formats[0].info.name])]


def _empty_name(container: str, names: Sequence[str]) -> str:
    """What an empty list is called: the plain format if that may be, else the first."""
    return container if container in names else (names[0] if names else container)


def _no_list(source: Source, value: Any, named: str, chosen: bool) -> Opened:
    what = f"an object with {listed(list(value)[:12])}" if isinstance(value, dict) else "this"
    if not chosen:
        return unknown(source, f"{what} is no list of records")
    return refused(source, named, "record-shape", f"{what} is no list of records")


def _objects(text: Text) -> Iterator[dict[str, Any]]:
    for line in islice((line for line in text.lines() if line.strip()), 4 * _SAMPLE):
        if isinstance(line, Overlong):
            continue
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
