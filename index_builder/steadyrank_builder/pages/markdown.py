"""Markdown and MDX as headings and passages, by markdown-it's tokens.

Only headings on the outermost level start sections: one inside a quote, a list or a fence is
text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from steadyrank_builder.errors import MissingExtraError
from steadyrank_builder.pages.blocks import Block, Heading, Page, Passage
from steadyrank_builder.pages.front_matter import split_front_matter
from steadyrank_builder.pages.headings_limit import HEADING_TAG, refuse_headings
from steadyrank_builder.pages.mdx import plain_markdown
from steadyrank_builder.reading.html_flow import Flow
from steadyrank_builder.reading.html_text import (
    HeadingElement,
    HtmlError,
    one_line,
    parse_html,
    walk,
)

_EXPLICIT = re.compile(r"[ \t]*\{:?[ \t]*#([^\s{}]+)[^{}]*\}[ \t]*$")
_TAG = re.compile(r"<([A-Za-z][\w-]*)")
_ALT = re.compile(r"""\salt\s*=\s*(?:"([^"]*)"|'([^']*)')""", re.IGNORECASE)
_HREF = re.compile(r"""\shref\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""", re.IGNORECASE)


_NESTING = 100
_HEADING_LINE = re.compile(r"^ {0,3}(?:#{1,6}(?=[ \t]|$)|(?:=+|-+)[ \t]*$)", re.MULTILINE)
_BRACKETS_LIMIT = 20_000


def read_markdown(text: str, *, mdx: bool) -> Page:
    """A Markdown page. Raises MissingExtraError, HtmlError and YamlError."""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    _refuse(text)
    front, body = split_front_matter(text)
    if mdx:
        body = plain_markdown(body)
    tokens = parser(mdx).parse(body)
    if any(token.level >= _NESTING - 1 for token in tokens):
        # What is deeper still the parser drops, and nothing would tell of it.
        raise HtmlError("too-deep", f"more than {_NESTING} quotes and lists in each other")
    blocks = tuple(_blocks(tokens, front.lines))
    title = front.values.get("title")
    return Page(
        blocks,
        lines=max(1, text.count("\n") + (not text.endswith("\n"))),
        settings=front.values,
        fallback_title=one_line(title) if isinstance(title, str) else "",
        note="front matter is not YAML and was read line by line" if front.lenient else "",
    )


def _refuse(text: str) -> None:
    """Refuse what would keep the parser busy for minutes."""
    refuse_headings(_HEADING_LINE, text)
    refuse_headings(HEADING_TAG, text)
    if text.count("[") > _BRACKETS_LIMIT:
        for paragraph in re.split(r"\n[ \t]*\n", text):
            # Behind each of them the parser looks for the end of a link.
            if paragraph.count("[") > _BRACKETS_LIMIT:
                message = f"a paragraph with more than {_BRACKETS_LIMIT} brackets; part it"
                raise HtmlError("too-large", message)


@cache
def parser(mdx: bool) -> Any:
    """The Markdown parser; MDX has no indented code, so children of components may be indented."""
    try:
        from markdown_it import MarkdownIt
        from mdit_py_plugins.footnote import footnote_plugin
    except ImportError as error:
        package = "mdit-py-plugins" if "mdit" in str(error.name) else "markdown-it-py"
        raise MissingExtraError(package, needed_for="reading Markdown") from error
    # Text nested deeper than maxNesting is dropped by the parser: leave room for all that is real.
    markdown = MarkdownIt("commonmark", {"html": True, "maxNesting": _NESTING})
    markdown.enable(["table", "strikethrough"]).use(footnote_plugin)
    # Footnotes stay where they stand, which is in their section, instead of at the page's end.
    markdown.disable(["footnote_tail", "footnote_inline"])
    return markdown.disable("code") if mdx else markdown


def _blocks(tokens: Sequence[Any], offset: int) -> Iterator[Block]:
    flow = Flow()
    links: list[str] = []
    heading: Any = None
    cell = False
    for token in tokens:
        kind = token.type
        if kind == "heading_open" and token.level == 0:
            yield Passage(flow.take(), tuple(links))
            links.clear()
            heading = token
        elif kind == "heading_close" and token.level == 0:
            heading = None
        elif kind == "inline" and heading is not None:
            yield _heading(token, heading, offset)
        elif kind == "inline":
            _inline(token.children or (), flow, links)
            if not cell:
                flow.line()
        elif kind in ("th_open", "td_open"):
            flow.cell()
            cell = True
        elif kind in ("th_close", "td_close"):
            cell = False
        elif kind == "tr_close":
            flow.line()
        elif kind in ("fence", "code_block"):
            flow.line()
            flow.preformatted(token.content)
            flow.line()
        elif kind == "html_block":
            for block in _html(token, offset):
                if isinstance(block, Heading) and token.level == 0:
                    yield Passage(flow.take(), tuple(links))
                    links.clear()
                    yield block
                else:
                    flow.line()
                    flow.preformatted(block.text)
                    flow.line()
                    links.extend(block.links)
    yield Passage(flow.take(), tuple(links))


def _heading(inline: Any, opening: Any, offset: int) -> Heading:
    flow = Flow()
    links: list[str] = []
    _inline(inline.children or (), flow, links)
    raw = "".join(_raw(inline.children or ()))
    explicit = _EXPLICIT.search(raw)
    text = " ".join(flow.take().split())
    if explicit:
        raw = raw[: explicit.start()]
        text = _EXPLICIT.sub("", text)
    line = opening.map[0] + 1 + offset
    anchor = explicit.group(1) if explicit else ""
    return Heading(int(opening.tag[1]), text, raw.strip(), anchor, line, tuple(links))


def _raw(children: Sequence[Any]) -> Iterator[str]:
    """Text content as it counts for the anchor: no images, white space as it stands."""
    for child in children:
        if child.type in ("text", "code_inline", "text_special"):
            yield child.content
        elif child.type in ("softbreak", "hardbreak"):
            yield " "


def _inline(children: Sequence[Any], flow: Flow, links: list[str]) -> None:
    for child in children:
        kind = child.type
        if kind in ("text", "code_inline", "text_special"):
            flow.text(child.content)
        elif kind == "softbreak":
            flow.space()
        elif kind == "hardbreak":
            flow.line()
        elif kind == "link_open":
            links.append(str(child.attrGet("href") or ""))
        elif kind == "image":
            flow.space()
            _inline(child.children or (), flow, links)
            flow.space()
        elif kind == "html_inline":
            _tag(child.content, flow, links)


def _tag(markup: str, flow: Flow, links: list[str]) -> None:
    match = _TAG.match(markup)
    name = match.group(1).lower() if match else ""
    if name == "br":
        flow.line()
    elif name == "img" and (alt := _ALT.search(markup)):
        flow.space()
        flow.text(one_line(alt.group(1) or alt.group(2) or ""))
        flow.space()
    elif name == "a" and (href := _HREF.search(markup)):
        links.append(one_line(next(filter(None, href.groups()), "")))


def _html(token: Any, offset: int) -> Iterator[Block]:
    line = token.map[0] + 1 + offset
    document = parse_html(token.content)
    root = document.body or document.root
    for part in walk(root, page=True) if root is not None else ():
        if isinstance(part, HeadingElement):
            yield Heading(part.level, part.text, part.text, part.id, line, part.links)
        else:
            yield Passage(part.text, part.links)
