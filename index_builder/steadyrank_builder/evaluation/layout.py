"""Lists of ids replaced in a text, everything around them left as it is."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from steadyrank.measure import Place
from steadyrank_builder.evaluation.parsed import Parsed


def edited(text: str, parsed: Parsed, edits: Mapping[Place, Sequence[str]], *, yaml: bool) -> str:
    """The text with the list at each place replaced by these ids; none is empty."""
    spans = sorted(((parsed.spans[place], place) for place in edits), reverse=True)
    for (start, end), place in spans:
        ids = edits[place]
        count = len(_items(parsed, place))
        items = [parsed.spans[*place, n] for n in range(count)]
        written = _in_yaml if yaml else _in_json
        if yaml and text[start : start + 1] != "[":
            start, end, new = _block(text, items, ids, _old(parsed, place))
        elif items and len(items) == len(ids):
            new = _refilled(text, start, end, items, [written(id) for id in ids])
        elif "\n" in text[start:end] and items:
            indent = _indent(text, items[0][0])
            close = _indent(text, end - 1)
            inner = ",\n".join(indent + written(id) for id in ids)
            new = f"[\n{inner}\n{close}]"
        else:
            new = f"[{', '.join(written(id) for id in ids)}]"
        text = text[:start] + new + text[end:]
    return text


def _items(parsed: Parsed, place: Place) -> Sequence[object]:
    part = parsed.content
    for key in place:
        part = part[key]
    assert isinstance(part, list)
    return part


def _old(parsed: Parsed, place: Place) -> list[str]:
    return [str(id) for id in _items(parsed, place)]


def _refilled(
    text: str, start: int, end: int, items: Sequence[tuple[int, int]], ids: Sequence[str]
) -> str:
    # As many as there were: each in the place of one, commas, lines and comments stay.
    parts = []
    at = start
    for (begins, ends), id in zip(items, ids, strict=True):
        parts += [text[at:begins], id]
        at = ends
    return "".join([*parts, text[at:end]])


def _block(
    text: str, items: Sequence[tuple[int, int]], ids: Sequence[str], old: Sequence[str]
) -> tuple[int, int, str]:
    # One item a line, each with what its author wrote beside it. Comments between the lines stay
    # before the item that they stood before, or where that was.
    first = text.rfind("\n", 0, items[0][0]) + 1
    dash = text[first : items[0][0]]
    lines: dict[str, str] = {}
    above: dict[str, str] = {}
    at = first
    for (begins, ends), id in zip(items, old, strict=True):
        begin = text.rfind("\n", 0, begins) + 1
        stop = text.find("\n", ends)
        stop = len(text) if stop < 0 else stop + 1
        above[id] = text[at:begin]
        lines[id] = text[begin:stop]
        at = stop
    newline = "\r\n" if text[:at].endswith("\r\n") else "\n"
    ended = text[:at].endswith("\n")
    kept = [id for id in old if id in ids]
    loose = "".join(above[id] for id in old if id not in kept)
    parts = [loose] if loose else []
    for id in ids:
        if id in lines:
            line = lines[id] if lines[id].endswith("\n") else lines[id] + newline
            parts.append(above[id] + line)
        else:
            parts.append(f"{dash}{_in_yaml(id)}{newline}")
    new = "".join(parts)
    return first, at, new if ended else new.removesuffix(newline)


def _indent(text: str, at: int) -> str:
    line = text[text.rfind("\n", 0, at) + 1 : at]
    return line[: len(line) - len(line.lstrip())]


def _in_json(id: str) -> str:
    return json.dumps(id, ensure_ascii=not id.isprintable())


def _in_yaml(id: str) -> str:
    """The id as it stands, where YAML reads that as the same text anywhere; else in quotes."""
    import yaml

    if id.isprintable():
        try:
            if yaml.safe_load(f"[{id}, x]") == yaml.safe_load(f"- {id}\n- x") == [id, "x"]:
                return id
        except yaml.YAMLError:
            pass
    return '"' + "".join(map(_escaped, id)) + '"'


def _escaped(char: str) -> str:
    # Not as JSON does it: YAML would read half a pair of surrogates as a character.
    if char in '"\\':
        return "\\" + char
    return char if char.isprintable() else f"\\U{ord(char):08x}"
