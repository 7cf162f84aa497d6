"""The settings at the head of a Markdown page, if what stands there are settings.

Only between ``---`` lines that begin at the first character, and only when it is a mapping:
pages also begin with a rule, and a rule must not eat the text below it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from steadyrank_builder.reading import yaml_nodes

_BLOCK = re.compile(r"---[ \t]*\n(.*?)^(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL | re.MULTILINE)
_PAIR = re.compile(r"([A-Za-z_][\w.-]*)[ \t]*:(?:[ \t]+(.*))?$")
_CONTINUED = re.compile(r"[ \t]|#|-[ \t]|$")


@dataclass(frozen=True)
class FrontMatter:
    """``values`` as text, lists and mappings; ``lines`` is how many lines of the page it takes.

    ``lenient`` says that it is no proper YAML (``title: A 1: B``) and was read line by line,
    each line a key and the text after the first colon.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    lines: int = 0
    lenient: bool = False


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """Front matter and the rest. The text must have LF line ends.

    Raises YamlError (``too-deep``) for what is made to exhaust its reader.
    """
    match = _BLOCK.match(text)
    if match is None:
        return FrontMatter(), text
    lenient = False
    try:
        node = yaml_nodes.compose(match.group(1))
        values = yaml_nodes.value(node) if yaml_nodes.kind(node) == "mapping" else None
    except yaml_nodes.YamlError as error:
        if error.code == "too-deep":
            raise
        values = _line_by_line(match.group(1))
        lenient = True
    if values is None:
        return FrontMatter(), text
    lines = match.group().count("\n")
    return FrontMatter(values, lines, lenient), text[match.end() :]


def _line_by_line(block: str) -> dict[str, str] | None:
    """Keys and their text, or None where a line cannot be part of a mapping."""
    values: dict[str, str] = {}
    for line in block.split("\n"):
        pair = _PAIR.match(line)
        if pair:
            values.setdefault(pair.group(1), _unquoted((pair.group(2) or "").strip()))
        elif not _CONTINUED.match(line):
            return None
    return values or None


def _unquoted(value: str) -> str:
    if len(value) >= 2 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1]
    return value
