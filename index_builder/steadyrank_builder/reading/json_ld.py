"""JSON-LD blocks in a page: each for itself, so that a broken one loses no other.

What templates do to JSON is undone where it is certain what was meant: CDATA and comment wrappers,
JavaScript comments, commas and semicolons at an end, raw control characters in strings.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from steadyrank_builder.reading.html_opaque import SCRIPTS, opaque

_LD_JSON = re.compile(r"""\btype\s*=\s*["']?\s*application/ld\+json""", re.IGNORECASE)
_STRING = r'"(?:\\.|[^"\\])*+(?:"|\Z)'
_TOKEN = re.compile(
    rf"(?P<string>{_STRING})|(?P<comment>/\*|<!--)|//[^\n\r]*|<!\[CDATA\[|\]\]>", re.DOTALL
)
_COMMENT_ENDS = {"/*": "*/", "<!--": "-->"}
_COMMA = re.compile(rf"(?P<string>{_STRING})|,(?=\s*[}}\]])", re.DOTALL)
_TYPE = re.compile(r'"@type"\s*:\s*(\[[^\]]{0,2000}\]|"[^"]{0,2000}")')


@dataclass(frozen=True)
class Block:
    """One block: its source, its value or why it has none, and the lines that it stands on."""

    raw: str
    value: Any
    error: str
    line: int
    end_line: int


def stated_types(page: str) -> frozenset[str]:
    """The types that the blocks of a page name, without the vocabulary's address."""
    return frozenset(
        name
        for raw, _ in _raw_blocks(page)
        for group in _TYPE.findall(raw)
        for name in (quoted.rpartition("/")[2] for quoted in re.findall(r'"([^"]*)"', group))
    )


def blocks(page: str) -> Iterator[Block]:
    """The blocks of a page in order."""
    line, counted = 1, 0
    for raw, offset in _raw_blocks(page):
        line += len(re.findall(r"\r\n|\r|\n", page[counted:offset]))
        counted = offset
        end_line = line + len(re.findall(r"\r\n|\r|\n", raw))
        value, error = None, ""
        try:
            value = _parsed(raw)
        except RecursionError:
            error = "nested too deeply to be read"
        except ValueError as fault:
            error = str(fault)
        yield Block(raw, value, error, line, end_line)


def _raw_blocks(page: str) -> Iterator[tuple[str, int]]:
    if "ld+json" not in page.lower():
        return
    # A script that is commented out says nothing.
    for part in opaque(page, SCRIPTS):
        if part.kind == "script":
            body = page.find(">", part.start, part.closing) + 1
            if body and _LD_JSON.search(page, part.start, body):
                yield page[body : part.closing], body


def _parsed(raw: str) -> Any:
    try:
        return _DECODER.decode(raw.strip())
    except ValueError:
        repaired = _COMMA.sub(_string, _unwrapped(raw)).strip().rstrip("; \t\r\n")
        return _DECODER.decode(repaired)


def _unwrapped(raw: str) -> str:
    """The text without wrappers and comments outside of its strings; what never ends stays."""
    pieces: list[str] = []
    endless: set[str] = set()
    here = 0
    while token := _TOKEN.search(raw, here):
        pieces.append(raw[here : token.start()])
        here = token.end()
        comment = token.group("comment")
        if comment is None:
            pieces.append(_string(token))
            continue
        closer = _COMMENT_ENDS[comment]
        end = -1 if closer in endless else raw.find(closer, here)
        if end < 0:
            endless.add(closer)
            pieces.append(comment)
        else:
            here = end + len(closer)
    return "".join((*pieces, raw[here:]))


def _string(match: re.Match[str]) -> str:
    return match.group("string") or ""


def _constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


# Raw line breaks in strings are common and mean what they say.
_DECODER = json.JSONDecoder(strict=False, parse_constant=_constant)
