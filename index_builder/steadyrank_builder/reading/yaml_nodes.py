"""YAML as nodes with lines: text stays as written, aliases cannot grow without bound.

PyYAML's BaseLoader resolves nothing, so ``007`` and ``NO`` stay what they are. Only a plain
``~`` or ``null`` is nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from steadyrank_builder.errors import MissingExtraError
from steadyrank_builder.reading.decode import PAGE_LIMIT
from steadyrank_builder.reading.ids import is_encodable

# Far more than any hand-written record has; an alias bomb passes it within milliseconds.
NODE_LIMIT = 20_000
_DEPTH_LIMIT = 100
# A file has no more characters than these, so only aliases of long texts come to more.
TEXT_LIMIT = PAGE_LIMIT


class YamlError(Exception):
    """Why a text is no YAML that we take; lines count from 1, columns from 1."""

    def __init__(self, code: str, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(message)
        self.code = code
        self.line = line
        self.column = column


@dataclass(frozen=True)
class Item:
    """An element of a list: its node, first and last line."""

    node: Any
    line: int
    end_line: int


class Budget:
    """How many characters the values of one file may come to yet."""

    def __init__(self, characters: int = TEXT_LIMIT) -> None:
        self.left = characters

    @property
    def spent(self) -> bool:
        """Whether there are too many already."""
        return self.left < 0


def compose(text: str) -> Any:
    """The root node of the only document, None for an empty one. Raises YamlError."""
    try:
        import yaml
    except ImportError as error:
        raise MissingExtraError("PyYAML", needed_for="reading YAML") from error
    loader: Any = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
    try:
        return yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        message = " ".join(str(error.problem or error.context).split())
        code = "too-deep" if "nesting depth" in message else "yaml"
        if mark is None:
            raise YamlError(code, message) from None
        # What is missing at the end is missed in a line that is not there.
        line = min(mark.line + 1, len(re.split(r"\r\n|\r|\n", text)))
        raise YamlError(code, message, line, mark.column + 1) from None
    except (yaml.YAMLError, ValueError) as error:
        raise YamlError("yaml", " ".join(str(error).split())) from None
    except RecursionError:
        raise YamlError("too-deep", "nested too deeply to be read") from None


def kind(node: Any) -> str:
    """``mapping``, ``list``, ``text`` or ``nothing``."""
    if node is None:
        return "nothing"
    return {"mapping": "mapping", "sequence": "list"}.get(node.id, "text")


def child(node: Any, key: str) -> Any:
    """The value node of a key in a mapping node, or None."""
    for name, value in node.value:
        if name.id == "scalar" and name.value == key:
            return value
    return None


def items(node: Any) -> list[Item]:
    """The elements of a list node. The last line is the last that holds text of the element."""
    found = []
    for element in node.value:
        line = element.start_mark.line + 1
        found.append(Item(element, line, max(line, _last_line(element))))
    return found


def value(node: Any, budget: Budget | None = None) -> Any:
    """Plain strings, None, lists and dicts.

    ``budget`` is that of the file the node is from, by default one for this node alone. Raises
    YamlError: ``duplicate-key``, ``bad-value``, and ``too-deep`` for what grows without end.
    """
    return _Reader(budget or Budget()).read(node, 0)


class _Reader:
    def __init__(self, budget: Budget) -> None:
        self.left = NODE_LIMIT
        self.budget = budget

    def read(self, node: Any, depth: int) -> Any:
        self.left -= 1
        # A list that contains itself is endless in depth, a bomb in breadth.
        if self.left < 0 or depth > _DEPTH_LIMIT:
            raise self.error(node, "too-deep", "aliases or nesting without a reasonable end")
        if node.id == "scalar":
            self.budget.left -= len(node.value)
            if self.budget.spent:
                message = "aliases repeat long texts without a reasonable end"
                raise self.error(node, "too-deep", message)
            # The two loaders of PyYAML say None and "" for a plain scalar.
            if not node.style and node.value in ("~", "null", "Null", "NULL"):
                return None
            if not is_encodable(node.value):
                raise self.error(node, "bad-value", "half a character (a lone surrogate)")
            return node.value
        if node.id == "sequence":
            return [self.read(element, depth + 1) for element in node.value]
        result: dict[str, Any] = {}
        for name, inner in node.value:
            if name.id != "scalar":
                raise self.error(name, "bad-value", "a key that is a list or a mapping")
            if not is_encodable(name.value):
                raise self.error(name, "bad-value", "half a character (a lone surrogate)")
            if name.value in result:
                message = f"the key {name.value!r} stands more than once in a mapping"
                raise self.error(name, "duplicate-key", message)
            result[name.value] = self.read(inner, depth + 1)
        return result

    def error(self, node: Any, code: str, message: str) -> YamlError:
        mark = node.start_mark
        return YamlError(code, message, mark.line + 1, mark.column + 1)


def _last_line(node: Any) -> int:
    """End marks of block collections stand at the next token; those of their last leaf do not."""
    start = node.start_mark.line
    for _ in range(_DEPTH_LIMIT):
        if node.id == "scalar" or not node.value or node.flow_style:
            break
        last = node.value[-1]
        following = last[1] if isinstance(last, tuple) else last
        if following.start_mark.line < start:
            break  # an alias: its node stands elsewhere
        node = following
    end: int = node.end_mark.line
    # A block scalar ends at the start of the line after it.
    ends_before = node.end_mark.column == 0 and end > node.start_mark.line
    return end if ends_before else end + 1
