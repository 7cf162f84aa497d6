"""HTML pages as headings and passages.

The walk is over ``<main>``, else over the only ``<article>``, else over the body; one that
holds no text (a shell filled by a script) is not taken.
"""

from __future__ import annotations

import bisect
import re
from typing import Any

from steadyrank_builder.pages.blocks import Block, Heading, Page, Passage
from steadyrank_builder.pages.headings_limit import HEADING_TAG, refuse_headings
from steadyrank_builder.reading.html_opaque import without_opaque
from steadyrank_builder.reading.html_text import HeadingElement, parse_html, walk

_HEADINGS = "h1, h2, h3, h4, h5, h6"


def read_html(text: str) -> Page:
    """An HTML page. Raises MissingExtraError and HtmlError."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    refuse_headings(HEADING_TAG, text)
    document = parse_html(text)
    lines = max(1, text.count("\n") + (not text.endswith("\n")))
    line_of = _heading_lines(document, text)
    blocks = _first_with_text(_roots(document), line_of)
    settings: dict[str, Any] = {}
    canonical = _attribute(document, 'link[rel~="canonical" i]', "href")
    if canonical:
        settings["url"] = canonical
    description = _attribute(document, 'meta[name="description" i]', "content")
    if description:
        settings["description"] = description
    title = document.css_first("head > title")
    return Page(
        blocks,
        lines=lines,
        settings=settings,
        fallback_title=_one_line(title.text()) if title is not None else "",
        language=_attribute(document, "html", "lang"),
    )


def _roots(document: Any) -> list[list[Any]]:
    candidates = []
    mains = [node for node in document.css('main, [role="main"]') if not _within(node, _is_main)]
    if mains:
        candidates.append(mains)
    articles = document.css("article")
    if len(articles) == 1:
        candidates.append(articles)
    root = document.body or document.root
    if root is not None:
        candidates.append([root])
    return candidates


def _is_main(node: Any) -> bool:
    """Whether a node is itself a main element."""
    return bool(node.tag == "main" or node.attributes.get("role") == "main")


def _within(node: Any, test: Any) -> bool:
    parent = node.parent
    while parent is not None:
        if test(parent):
            return True
        parent = parent.parent
    return False


def _first_with_text(candidates: list[list[Any]], line_of: dict[int, int]) -> tuple[Block, ...]:
    blocks: tuple[Block, ...] = ()
    for roots in candidates:
        blocks = tuple(_block(part, line_of) for root in roots for part in walk(root, page=True))
        if any(isinstance(block, Passage) and block.text for block in blocks):
            break
    return blocks


def _block(part: Any, line_of: dict[int, int]) -> Block:
    if not isinstance(part, HeadingElement):
        return Passage(part.text, part.links)
    text = _one_line(part.text)
    return Heading(part.level, text, text, part.id, line_of.get(part.key, 0), part.links)


def _one_line(text: str) -> str:
    """Text of the tree in one line; its entities are decoded already."""
    return " ".join(text.split())


def _heading_lines(document: Any, text: str) -> dict[int, int]:
    """The line of each heading element: the tree has no lines, so tags are counted in the source.

    Empty where source and tree disagree (headings made or moved by the parser).
    """
    source = without_opaque(text, lambda part: re.sub(r"[^\n]", " ", part))
    starts = [match.start() for match in HEADING_TAG.finditer(source)]
    nodes = document.css(_HEADINGS)
    if len(starts) != len(nodes):
        return {}
    breaks = [match.start() for match in re.finditer("\n", text)]
    return {
        node.mem_id: bisect.bisect_left(breaks, start) + 1
        for node, start in zip(nodes, starts, strict=True)
    }


def _attribute(document: Any, selector: str, name: str) -> str:
    node = document.css_first(selector)
    value = node.attributes.get(name) if node is not None else None
    return _one_line(value or "")
