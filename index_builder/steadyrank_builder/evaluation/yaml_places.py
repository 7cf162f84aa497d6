"""YAML, read with the place of everything in it, and nothing run or repeated by it."""

from __future__ import annotations

from typing import Any

from steadyrank.measure import Fault, Place
from steadyrank_builder.errors import MissingExtraError
from steadyrank_builder.evaluation.parsed import MAX_DEPTH, Parsed, UnreadableError

_MAP, _SEQ, _MERGE = (f"tag:yaml.org,2002:{kind}" for kind in ("map", "seq", "merge"))


def parse_yaml(text: str, name: str) -> Parsed:
    """The one document in ``text``. ``name`` is the file, for the error without PyYAML.

    Aliases are faults: a few lines of them stand for billions of values. Raises UnreadableError at
    the first syntax error, MissingExtraError without PyYAML.
    """
    try:
        import yaml
    except ImportError as error:
        raise MissingExtraError("PyYAML", needed_for=name) from error
    kind = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    if _brackets(text) > MAX_DEPTH and _too_deep(text, kind):
        raise UnreadableError(None, f"not YAML that is read here: nested deeper than {MAX_DEPTH}")
    loader = kind(text)
    try:
        node = loader.get_single_node()
        reader = _Reader(loader, text)
        content = None if node is None else reader.value(node, ())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise UnreadableError(
            None if mark is None else mark.line + 1, _said(error, text)
        ) from error
    except (yaml.YAMLError, RecursionError) as error:
        raise UnreadableError(None, f"not YAML: {' '.join(str(error).split())}") from error
    finally:
        loader.dispose()
    return Parsed(content, reader.lines, reader.spans, reader.faults)


def _said(error: Any, text: str) -> str:
    mark = error.problem_mark
    lines = text.split("\n")
    if mark is not None and mark.line < len(lines) and "\t" in lines[mark.line]:
        before = lines[mark.line].split("\t")[0]
        if not before.strip(" -"):
            return "not YAML: a tab; YAML indents with spaces"
    said = ", ".join(part for part in (error.context, error.problem) if part)
    return f"not YAML: {said}"


def _brackets(text: str) -> int:
    # How many brackets are open at once, at most; cheap, and those in texts count too.
    deep = most = 0
    for char in text:
        if char in "[{":
            deep += 1
            most = max(most, deep)
        elif char in "]}":
            deep = max(0, deep - 1)
    return most


def _too_deep(text: str, kind: Any) -> bool:
    # The composer calls itself for each level, in C where libyaml is there; events do not. They
    # are looked at no further than they have to be: plain PyYAML takes minutes for such texts.
    import yaml

    deep = 0
    try:
        for event in yaml.parse(text, kind):
            if isinstance(event, yaml.CollectionStartEvent):
                deep += 1
                if deep > MAX_DEPTH:
                    return True
            elif isinstance(event, yaml.CollectionEndEvent):
                deep -= 1
    except yaml.YAMLError:
        pass  # told where the text is read
    return False


class _Reader:
    def __init__(self, loader: Any, text: str) -> None:
        self.loader = loader
        self.lines: dict[Place, int] = {}
        self.spans: dict[Place, tuple[int, int]] = {}
        self.faults: list[Fault] = []
        self.seen: set[int] = set()
        self.starts = [0]
        for place, char in enumerate(text):
            if char == "\n":
                self.starts.append(place + 1)

    def at(self, mark: Any) -> int:
        # Line and column are the same with and without libyaml.
        if mark.line >= len(self.starts):
            return self.starts[-1]
        return self.starts[int(mark.line)] + int(mark.column)

    def value(self, node: Any, place: Place) -> Any:
        import yaml

        line = node.start_mark.line + 1
        if id(node) in self.seen:
            said = f"an alias for what line {line} says; write it out"
            self.faults.append(Fault(place, said))
            return None
        self.seen.add(id(node))
        self.lines.setdefault(place, line)
        self.spans[place] = (self.at(node.start_mark), self.at(node.end_mark))
        if len(place) > MAX_DEPTH:
            self.faults.append(Fault(place, f"nested deeper than {MAX_DEPTH}", line))
            return None
        if isinstance(node, yaml.MappingNode) and node.tag == _MAP:
            return self.mapping(node, place)
        if isinstance(node, yaml.SequenceNode) and node.tag == _SEQ:
            return [self.value(item, (*place, n)) for n, item in enumerate(node.value)]
        if isinstance(node, yaml.ScalarNode):
            return self.scalar(node, place)
        self.faults.append(Fault(place, f"the tag {node.tag} is not read here", line))
        return None

    def scalar(self, node: Any, place: Place) -> Any:
        import yaml

        try:
            return self.loader.construct_object(node)
        except (yaml.YAMLError, ValueError) as error:
            problem = getattr(error, "problem", None) or error
            said = f"{node.value!r} cannot be read ({problem}); put it in quotes"
            self.faults.append(Fault(place, said, node.start_mark.line + 1))
            return node.value

    def mapping(self, node: Any, place: Place) -> dict[Any, Any]:
        import yaml

        found: dict[Any, Any] = {}
        for key_node, value_node in node.value:
            line = key_node.start_mark.line + 1
            if not isinstance(key_node, yaml.ScalarNode):
                self.faults.append(Fault(place, "a key is a word, not a list or mapping", line))
                continue
            if key_node.tag == _MERGE:
                self.faults.append(Fault(place, "'<<' merges what another place says", line))
                continue
            key = self.scalar(key_node, place)
            if key in found:
                first = self.lines[(*place, key)]
                said = f"key {key!r} stands here again (first on line {first})"
                self.faults.append(Fault(place, said, line))
                self.value(value_node, (*place, None))
                continue
            self.lines[(*place, key)] = line
            found[key] = self.value(value_node, (*place, key))
        return found
