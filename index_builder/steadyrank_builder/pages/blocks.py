"""A page as a flat run of headings and passages: what every page format is read into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Heading:
    """A heading that starts a section.

    ``text`` is for people, ``slug_text`` is what its anchor is made of (white space as it
    stands), ``anchor`` the explicit one or empty, ``line`` counts from 1,
    0 where it is not known.
    """

    level: int
    text: str
    slug_text: str
    anchor: str
    line: int
    links: tuple[str, ...] = ()


@dataclass(frozen=True)
class Passage:
    """Text between headings, with the link targets in it as written."""

    text: str
    links: tuple[str, ...] = ()


Block = Heading | Passage


@dataclass(frozen=True)
class Page:
    """A page that was read, before it is cut into sections.

    ``settings`` is the front matter, or what the head of an HTML page says in its place.
    ``fallback_title`` is the title if no heading of level 1 gives one. ``lines`` is the number
    of lines of the file; ``note`` says what the reader had to put up with.
    """

    blocks: tuple[Block, ...]
    lines: int
    settings: Mapping[str, Any] = field(default_factory=dict)
    fallback_title: str = ""
    language: str = ""
    note: str = ""
