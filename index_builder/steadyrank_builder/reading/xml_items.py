"""Items of an XML feed as a stream: one in memory at a time, nothing expanded or fetched.

A document type is refused: it is where entities that expand to gigabytes are declared, and no
feed needs one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from steadyrank_builder.errors import MissingExtraError
from steadyrank_builder.reading.decode import Text

_DOCTYPE = re.compile(r"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_START = 1 << 16
_RAW_LIMIT = 10_000
XmlValue = str | list[str]


@dataclass(frozen=True)
class XmlItem:
    """One item: its children by local name, where it stands, and its source as far as it goes.

    A child that stands several times is a list; one with children of its own is their text, each
    with its name. ``href`` attributes stand for an empty text.
    """

    values: dict[str, XmlValue]
    line: int
    end_line: int
    raw: str


@dataclass(frozen=True)
class XmlFault:
    """Why nothing more can be read.

    ``code`` is ``xml``, ``xml-doctype``, ``too-large`` or ``too-deep``.
    """

    code: str
    message: str
    line: int


def xml_items(text: Text, tags: tuple[str, ...]) -> Iterator[XmlItem | XmlFault]:
    """The outermost elements with one of these local names. Raises MissingExtraError."""
    try:
        from lxml import etree  # type: ignore[import-untyped] # it has none
    except ImportError as error:
        raise MissingExtraError("lxml", needed_for="reading XML feeds") from error
    return _items(etree, text, tags)


def _items(etree: Any, text: Text, tags: tuple[str, ...]) -> Iterator[XmlItem | XmlFault]:
    declared = _DOCTYPE.search(text.start(_START))
    if declared:
        yield _doctype(text.start(_START)[: declared.start()].count("\n") + 1)
        return
    parser = etree.XMLPullParser(
        events=("start", "end"),
        tag=[f"{{*}}{tag}" for tag in tags],
        resolve_entities=False,
        load_dtd=False,
        no_network=True,
        remove_comments=True,
        remove_pis=True,
    )
    depth = 0
    try:
        for piece in _without_declaration(text):
            parser.feed(piece)
            for event, element in parser.read_events():
                depth += 1 if event == "start" else -1
                if event == "start":
                    if element.getroottree().docinfo.internalDTD is not None:
                        yield _doctype(1)
                        return
                elif depth == 0:
                    yield _item(etree, element)
                    _forget(element)
        parser.close()
    except etree.XMLSyntaxError as error:
        line = max(1, error.lineno or 1)
        code, message = _named(" ".join(str(error.msg or error).split()))
        yield XmlFault(code, f"{message}; nothing more of the file was read", line)


def _named(message: str) -> tuple[str, str]:
    """Code and words for what the parser says; its limits are told as limits."""
    lower = message.lower()
    if "depth" in lower:
        return "too-deep", "more than 256 elements in each other, which no feed needs"
    if "limit" in lower or "huge" in lower:
        return "too-large", "a text or attribute of more than 10 million characters"
    return "xml", message


def _without_declaration(text: Text) -> Iterator[bytes]:
    """UTF-8, without the declaration that may name another encoding; it keeps its line."""
    for number, piece in enumerate(text.utf8()):
        if number == 0:
            piece = piece.lstrip()  # a feed may begin with blank lines, which XML forbids
            piece = re.sub(rb"^<\?xml.*?\?>", b"", piece, count=1, flags=re.DOTALL)
        yield piece


def _doctype(line: int) -> XmlFault:
    message = "the file declares a document type, which can hide entities that never end; remove it"
    return XmlFault("xml-doctype", message, line)


def _item(etree: Any, element: Any) -> XmlItem:
    values: dict[str, XmlValue] = {}
    for child in element:
        if not isinstance(child.tag, str):
            continue
        name = _name(child)
        value = _text(etree, child) or (child.get("href") or "").strip()
        before = values.get(name)
        if before is None or before == "":
            values[name] = value
        elif value:
            if isinstance(before, list):
                before.append(value)
            else:
                values[name] = [before, value]
    raw = etree.tostring(element, encoding="unicode", with_tail=False)
    line = element.sourceline or 1
    return XmlItem(values, line, line + raw.count("\n"), raw[:_RAW_LIMIT])


def _name(element: Any) -> str:
    """The local name, also where the prefix was never declared and is a part of it."""
    return str(element.tag.rpartition("}")[2].rpartition(":")[2])


def _text(etree: Any, element: Any) -> str:
    inner = [child for child in element if isinstance(child.tag, str)]
    if not inner:
        return "".join(element.itertext()).strip()
    if inner[0].tag.startswith("{http://www.w3.org/1999/xhtml}"):
        return "".join(etree.tostring(child, encoding="unicode") for child in inner).strip()
    parts = ((_name(child), "".join(child.itertext()).strip()) for child in inner)
    return ", ".join(f"{name}: {value}" for name, value in parts if value)


def _forget(element: Any) -> None:
    element.clear()
    parent = element.getparent()
    if parent is not None:
        while element.getprevious() is not None:
            del parent[0]
