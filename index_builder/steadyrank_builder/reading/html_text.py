"""HTML to text by one walk over the tree: nothing that a shopper can unfold is lost.

Dropped are elements that never show text (scripts, styles, templates, noscript) and, on pages,
what is not the page's own: navigation, the site's header and footer, cookie banners. Hidden
elements stay: closed accordions hold the policies that people ask for.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from steadyrank_builder.errors import MissingExtraError
from steadyrank_builder.reading.html_depth import (
    ATTRIBUTES_LIMIT,
    DEPTH_LIMIT,
    too_deep,
    too_many_attributes,
)
from steadyrank_builder.reading.html_flow import Flow
from steadyrank_builder.reading.html_opaque import COMMENTS, without_opaque


class HtmlError(Exception):
    """HTML that is not read: ``code`` for programs, the message for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class Words:
    """Running text and the link targets in it, as written."""

    text: str
    links: tuple[str, ...]


@dataclass(frozen=True)
class HeadingElement:
    """An h1 to h6: its level, id attribute (may be empty) and text; ``key`` finds its line."""

    level: int
    id: str
    text: str
    links: tuple[str, ...]
    key: int


_DROPPED_TAGS = "head script style noscript template title svg iframe object canvas audio video"
_DROPPED = frozenset(_DROPPED_TAGS.split())
_BLOCK_TAGS = (
    "address article aside blockquote body button caption center dd details dialog div dl dt "
    "fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup html hr label legend "
    "li main menu nav ol optgroup option p pre search section select summary table tbody textarea "
    "tfoot thead tr ul"
)
_BLOCKS = frozenset(_BLOCK_TAGS.split())
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_SECTIONING = frozenset(("article", "section", "main", "aside"))
_SITE_ROLES = frozenset(("banner", "contentinfo"))
_COOKIE = re.compile(
    r"(?:^|[\s_-])(?:cookies?|consent|gdpr)[_-]?(?:consent|notice|banner|bar|popup|pop-up|modal|"
    r"overlay|dialog|message|law-info|alert|wall)|onetrust|cookiebot|usercentrics|cookieyes",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"<[A-Za-z/!?]")
# "&copy=1" inside an address is a parameter, though HTML would read a copyright sign.
_PARAMETER = re.compile(r"&(?=[A-Za-z][A-Za-z0-9]*=)")
_ENTITY = re.compile(r"&(?:#[0-9]{1,8}|#[xX][0-9a-fA-F]{1,8}|[A-Za-z][A-Za-z0-9]{1,31});")
_KNOWN_TAG = re.compile(
    r"</?(?:a|abbr|b|blockquote|br|center|cite|code|dd|del|details|div|dl|dt|em|font|"
    r"h[1-6]|hr|i|img|ins|label|li|mark|ol|p|pre|q|s|script|section|small|span|strong|style|sub|"
    r"summary|sup|table|tbody|td|th|thead|tr|u|ul|wbr)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)
_SHORT_GAP = re.compile(r"<(?:br|wbr)\s*/?>|</?(?:p|div|li|h[1-6])(?:\s[^<>]*)?>", re.IGNORECASE)


def html_to_text(value: str) -> str:
    """A cell of HTML as plain text. Text without any tag keeps its line breaks."""
    if not _MARKUP.search(value):
        return unescape(value).replace("\r\n", "\n").replace("\r", "\n").strip()
    parser = parse_html(value)
    root = parser.body or parser.root
    if root is None:
        return ""
    return "\n".join(part.text for part in walk(root, page=False) if part.text)


def looks_like_html(value: str) -> bool:
    """Whether text that may be either holds a tag of HTML (and not just ``a < b``)."""
    comment = value.find("<!--")
    commented = comment >= 0 and value.find("-->", comment + 4) >= 0
    return commented or bool(_KNOWN_TAG.search(value))


def text_or_html(value: str) -> str:
    """Plain text as it is, HTML as plain text."""
    if looks_like_html(value):
        return html_to_text(value)
    return unescape(value).replace("\r\n", "\n").replace("\r", "\n").strip()


def one_line(value: str) -> str:
    """A title: no tags, entities decoded once, one line."""
    if "<" in value:
        value = without_opaque(value, opening=COMMENTS)
        value = _KNOWN_TAG.sub("", _SHORT_GAP.sub(" ", value))
    return " ".join(unescape(value).split())


def unescape(value: str) -> str:
    """Entities that end in a semicolon, decoded once: ``&amp;lt;`` is ``&lt;``."""
    if "&" not in value:
        return value
    return _ENTITY.sub(lambda match: html.unescape(match.group()), value)


def parse_html(value: str) -> Any:
    """A parsed document. Raises MissingExtraError, and HtmlError (``too-deep``, ``too-large``)."""
    try:
        from selectolax.lexbor import LexborHTMLParser
    except ImportError as error:
        raise MissingExtraError("selectolax", needed_for="reading HTML") from error
    if value.count("<") > DEPTH_LIMIT and too_deep(value):
        raise HtmlError(
            "too-deep", f"more than {DEPTH_LIMIT} elements in each other, which no page needs"
        )
    if too_many_attributes(value):
        raise HtmlError(
            "too-large", f"a tag of more than {ATTRIBUTES_LIMIT} attributes, which no page needs"
        )
    return LexborHTMLParser(_PARAMETER.sub("&amp;", value) if "&" in value else value)


def walk(root: Any, *, page: bool) -> Iterator[Words | HeadingElement]:
    """The text below a node in order; with ``page`` headings are events of their own."""
    flow = Flow()
    links: list[str] = []
    heading: tuple[int, str, int] | None = None
    # (node, leaving, inside sectioning content, preformatted)
    stack: list[tuple[Any, bool, bool, bool]] = [(root, False, root.tag in _SECTIONING, False)]
    while stack:
        node, leaving, inside, pre = stack.pop()
        tag = node.tag
        if tag == "-text":
            value = node.text_content or ""
            if pre:
                flow.preformatted(value)
            else:
                flow.text(value)
            continue
        if leaving:
            if page and heading is not None and node.mem_id == heading[2]:
                level, anchor, key = heading
                heading = None
                yield HeadingElement(level, anchor, flow.take(), tuple(links), key)
                links.clear()
            elif tag in _BLOCKS or "-" in tag:
                flow.line()
            continue
        if tag[:1] in "-!" or tag in _DROPPED:
            continue
        # A dict is built for each access, so only where something is read from it.
        attributes = node.attributes if page or tag in ("a", "img") else {}
        if page and node is not root and _is_furniture(tag, attributes, inside):
            continue
        if tag == "br":
            flow.line()
            continue
        if tag == "img":
            alt = (attributes.get("alt") or "").strip()
            if alt:
                flow.space()
                flow.text(f"{alt} ")
            continue
        if page and heading is None and tag in _HEADINGS:
            yield Words(flow.take(), tuple(links))
            links.clear()
            heading = (_HEADINGS[tag], (attributes.get("id") or "").strip(), node.mem_id)
        elif tag in _BLOCKS or "-" in tag:
            flow.line()
        elif tag in ("td", "th"):
            flow.cell()
        elif tag == "a" and attributes.get("href"):
            links.append(attributes["href"])
        stack.append((node, True, inside, pre))
        inside = inside or tag in _SECTIONING
        children = []
        child = node.child
        while child is not None:
            children.append((child, False, inside, pre or tag in ("pre", "textarea")))
            child = child.next
        stack.extend(reversed(children))
    yield Words(flow.take(), tuple(links))


def _is_furniture(tag: str, attributes: Any, inside: bool) -> bool:
    role = (attributes.get("role") or "").lower()
    if tag == "nav" or role == "navigation":
        return True
    if (tag in ("header", "footer") or role in _SITE_ROLES) and not inside:
        return True
    return any(_COOKIE.search(attributes.get(name) or "") for name in ("id", "class"))
