"""How deep a page is nested, before it is parsed: that can take a time that grows by its square."""

from __future__ import annotations

import re
from collections import Counter

# Browsers stop at 512.
DEPTH_LIMIT = 1_000
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9-]*)")
_OPAQUE = re.compile(
    r"<!--.*?-->|<(script|style|template|textarea|title)\b.*?</\1\s*>", re.IGNORECASE | re.DOTALL
)
# Without content, or closed by the next of their kind: a thousand of them are no depth.
_FLAT_TAGS = (
    "area base br col embed hr img input link meta source track wbr p li dt dd option optgroup tr "
    "td th thead tbody tfoot colgroup rb rt rp"
)
_FLAT = frozenset(_FLAT_TAGS.split())


def too_deep(page: str) -> bool:
    """Whether more than ``DEPTH_LIMIT`` elements are open at one place, by counting tags."""
    return _over(page) and _over(_OPAQUE.sub("", page))


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
