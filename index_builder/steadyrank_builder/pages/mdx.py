"""MDX to Markdown of the same lines: code and component tags go, the text of children stays.

What a component shows through an attribute (the ``title`` of a card) stays as text, and its
``href`` as a link. Expressions are dropped if they are comments, unwrapped if they are string
literals and left as they stand otherwise, since only running the page could tell their value.
"""

from __future__ import annotations

import re

from steadyrank_builder.pages.code_spans import CodeSpans
from steadyrank_builder.pages.mdx_indent import Outdent
from steadyrank_builder.reading.html_text import HtmlError

_FENCE = re.compile(r"[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?(`{3,}|~{3,})")
_MODULE = re.compile(
    r"import\s*(?:['\"]|\*|(?:type\s+)?\{|[\w$*{},\s]+\sfrom\s*['\"])"
    r"|export\s+(?:default\b|\{|\*|(?:const|let|var|type|interface|class)\s+[\w${\[]"
    r"|(?:async\s+)?function\b)"
)
_STOP = re.compile(r"`+|\\.|<(?=[A-Za-z/>])|\{")
_NAME = re.compile(r"</?\s*([A-Za-z][\w.:-]*)?")
_TEXT_ATTRIBUTE = re.compile(
    r"""\b(title|label|heading|header|summary|caption|description|question|alt|href)\s*=\s*"""
    r"""(?:\{\s*)?(?:"([^"]*)"|'([^']*)'|`([^`$]*)`)"""
)
_LITERAL = re.compile(r"""\{\s*(?:"([^"\n]*)"|'([^'\n]*)'|`([^`$]*)`)\s*\}""")
_MARKUP = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~])")
# Tags of HTML that only wrap: left in, they would keep Markdown inside them from being read.
_WRAPPER_TAGS = (
    "div section article aside main details summary p center figure figcaption span header footer"
)
_WRAPPERS = frozenset(_WRAPPER_TAGS.split())
_TAG_LIMIT = 5_000
_UNENDED_LIMIT = 1_000


def plain_markdown(text: str) -> str:
    """The page without MDX, on the same lines. The text must have LF line ends.

    Raises HtmlError (``too-large``) for more tags without an end than any page has.
    """
    lines = text.split("\n")
    result: list[str] = []
    prose: list[str] = []
    outdent = Outdent()
    fence = ""
    here = 0
    blank = True
    while here < len(lines):
        line = outdent.line(lines[here], code=bool(fence))
        if fence:
            result.append(line)
            stripped = line.strip(" \t>")
            if len(stripped) >= len(fence) and not stripped.strip(fence[0]):
                fence = ""
            blank = False
        elif match := _FENCE.match(line):
            result.extend(_without_tags("\n".join(prose)).split("\n") if prose else ())
            prose = []
            result.append(line)
            fence = match.group(1)
        elif blank and _MODULE.match(line):
            end = _module_end(lines, here)
            prose.extend([""] * (end - here))
            here = end
            continue
        else:
            prose.append(line)
            blank = not line.strip()
        here += 1
    result.extend(_without_tags("\n".join(prose)).split("\n") if prose else ())
    return "\n".join(result)


def _module_end(lines: list[str], start: int) -> int:
    """Module code ends at the first blank line outside brackets, or at a line of no code."""
    depth = 0
    for number in range(start, len(lines)):
        line = lines[number]
        if depth <= 0 and not line.strip():
            return number
        depth += sum(map(line.count, "{[(")) - sum(map(line.count, "}])"))
    if depth > 0:  # never closed: give up only the first line
        return start + 1
    return len(lines)


def _without_tags(text: str) -> str:
    pieces: list[str] = []
    spans = CodeSpans(text)
    unended = 0
    here = 0
    while match := _STOP.search(text, here):
        start, token = match.start(), match.group()
        pieces.append(text[here:start])
        if token[0] == "`":
            end = spans.end(len(token), match.end()) or match.end()
            replacement = text[start:end]
        elif token[0] == "\\":
            end = match.end()
            replacement = token
        elif token == "<":
            end, replacement = _tag(text, start)
            unended += end == start + 1
            if unended > _UNENDED_LIMIT:
                message = f"more than {_UNENDED_LIMIT} tags that do not end; escape what is no tag"
                raise HtmlError("too-large", message)
        else:
            end, replacement = _expression(text, start)
        pieces.append(replacement)
        here = end
    pieces.append(text[here:])
    return "".join(pieces)


def _tag(text: str, start: int) -> tuple[int, str]:
    end = _closing(text, start + 1, ">")
    if end is None:
        return start + 1, "<"
    tag = text[start:end]
    match = _NAME.match(tag)
    name = (match.group(1) or "") if match else ""
    component = not name or name[0].isupper() or "." in name
    if not (component or name in _WRAPPERS or "{" in tag):
        return end, tag  # HTML, which the Markdown parser reads itself
    shown = _shown(tag)
    breaks = tag.count("\n")
    alone = not text[text.rfind("\n", 0, start) + 1 : start].strip()
    if shown and alone:
        # Two spaces are a line break before more text and nothing before a blank line.
        return end, "\n" * breaks + shown + "  "
    space = " " if shown or name in _WRAPPERS - {"span"} else ""
    return end, f"{space}{shown}{space}" + "\n" * breaks


def _shown(tag: str) -> str:
    values: dict[str, str] = {}
    for name, *quoted in _TEXT_ATTRIBUTE.findall(tag):
        values.setdefault(name, " ".join("".join(quoted).split()))
    href = values.pop("href", "")
    words = _MARKUP.sub(r"\\\1", ". ".join(value for value in values.values() if value))
    if href and not set(href) & set("<>\\ "):
        return f"[{words}](<{href}>)"
    return words


def _expression(text: str, start: int) -> tuple[int, str]:
    if text.startswith("{/*", start):
        close = text.find("*/", start + 3)
        end = text.find("}", close) + 1 if close >= 0 else 0
        if end:
            return end, "\n" * text.count("\n", start, end)
        return start + 1, "{"
    literal = _LITERAL.match(text, start)
    if literal:
        value = next((group for group in literal.groups() if group is not None), "")
        return literal.end(), value
    return start + 1, "{"


def _closing(text: str, start: int, bracket: str) -> int | None:
    """Offset behind the bracket that ends a tag, past quotes and braces; None if there is none."""
    depth = 0
    quote = ""
    for position in range(start, min(len(text), start + _TAG_LIMIT)):
        char = text[position]
        if quote:
            if char == quote:
                quote = ""
        elif char in "\"'`" and (depth or text[position - 1] in "= {("):
            quote = char
        elif char == "{":
            depth += 1
        elif char == "}":
            depth -= 1
        elif char == bracket and depth <= 0:
            return position + 1
        elif char == "<" and not depth:
            return None
    return None
