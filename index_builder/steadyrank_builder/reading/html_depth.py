"""How deep a page is nested, before it is parsed: that can take a time that grows by its square."""

from __future__ import annotations

import re
from collections import Counter

from steadyrank_builder.reading.html_opaque import without_opaque

# Browsers stop at 512.
DEPTH_LIMIT = 1_000
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)")
# The start tag of an element: a quote counts behind an equals sign only, as to a browser.
_START_TAG = re.compile(r"""<[A-Za-z](?>[^>=]+|=\s*(?:"[^"]*"|'[^']*')?)*""")
_VALUE = re.compile(r"""=\s*(?:"[^"]*"|'[^']*')|/""")
ATTRIBUTES_LIMIT = 1_000
# Without content, or closed by the next of their kind: a thousand of them are no depth.
_FLAT_TAGS = (
    "area base br col embed hr img input link meta source track wbr p li dt dd option optgroup tr "
    "td th thead tbody tfoot colgroup rb rt rp"
)
_FLAT = frozenset(_FLAT_TAGS.split())


def too_deep(page: str) -> bool:
    """Whether more than ``DEPTH_LIMIT`` elements are open at one place, by counting tags."""
    return _over(page) and _over(without_opaque(page))


def too_many_attributes(page: str) -> bool:
    """Whether a tag has more than ``ATTRIBUTES_LIMIT`` attributes, each of which is compared with
    all others.
    """
    if len(page) < 2 * ATTRIBUTES_LIMIT:
        return False
    return any(
        tag.end() - tag.start() > 2 * ATTRIBUTES_LIMIT
        and len(_VALUE.sub(" ", tag.group()).split()) > ATTRIBUTES_LIMIT
        for tag in _START_TAG.finditer(page)
    )


def _over(page: str) -> bool:
    unclosed: Counter[str] = Counter()
    depth = 0
    for match in _TAG.finditer(page):
        closing, name = match.group(1), match.group(2).lower()
        if name in _FLAT:
            continue
        if not closing:
            unclosed[name] += 1
            depth += 1
            if depth > DEPTH_LIMIT:
                return True
        elif unclosed[name]:
            unclosed[name] -= 1
            depth -= 1
    return False
