"""Where a tag of a page is no tag: in comments, and in elements whose content is only text.

Found in one pass. An expression would look for the end of each anew, which takes a time that grows
by the square of a page that is full of beginnings without an end.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_NAMES = ("script", "style", "template", "textarea", "title")
_OPENING = re.compile(rf"<(!--|(?:{'|'.join(_NAMES)})\b)", re.IGNORECASE)
_ENDS = {
    "!--": re.compile("-->"),
    **{name: re.compile(rf"</{name}\s*>", re.IGNORECASE) for name in _NAMES},
}


@dataclass(frozen=True, slots=True)
class Opaque:
    """Offsets of such a part: with its tags, and where its end tag begins; ``kind`` is its name."""

    kind: str
    start: int
    closing: int
    end: int


def opaque(page: str, opening: re.Pattern[str] = _OPENING) -> Iterator[Opaque]:
    """The parts of a page in order, of the kinds that ``opening`` finds.

    What never ends is none.
    """
    endless: set[str] = set()
    here = 0
    while found := opening.search(page, here):
        kind = found.group(1).lower()
        close = None if kind in endless else _ENDS[kind].search(page, found.end())
        if close is None:
            endless.add(kind)
            here = found.end()
            continue
        yield Opaque(kind, found.start(), close.start(), close.end())
        here = close.end()


COMMENTS = re.compile("<(!--)")
SCRIPTS = re.compile(r"<(!--|script\b)", re.IGNORECASE)


def without_opaque(
    page: str, fill: Callable[[str], str] = lambda _: "", opening: re.Pattern[str] = _OPENING
) -> str:
    """The page with ``fill`` of each such part in its place."""
    pieces = []
    here = 0
    for part in opaque(page, opening):
        pieces += [page[here : part.start], fill(page[part.start : part.end])]
        here = part.end
    return "".join((*pieces, page[here:]))
