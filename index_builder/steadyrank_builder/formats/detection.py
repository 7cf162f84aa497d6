"""Which format a table or a list of records has: by exact anchors, never by a guess.

A format is a candidate if all of its anchors are there, enough of its second anchors, and none of
its negative ones. With more than one candidate, the one that knows more of the names wins if it
is ahead by ``MARGIN``; otherwise the file is ambiguous and the user decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from steadyrank_builder.errors import listed
from steadyrank_builder.formats.faq import FAQ_FIELDS
from steadyrank_builder.formats.options import GENERIC_FIELDS, ReadOptions
from steadyrank_builder.formats.product_columns import (
    SHOPIFY_NEW,
    SHOPIFY_OLD,
    SPREE,
    ProductColumns,
)
from steadyrank_builder.reading.ids import folded

MARGIN = 2


@dataclass(frozen=True)
class Anchors:
    """What a header or a record's keys must and must not have, as folded names."""

    format: str
    all_of: frozenset[str]
    some_of: frozenset[str] = frozenset()
    at_least: int = 0
    none_of: frozenset[str] = frozenset()
    knows: Callable[[str], bool] = field(default=lambda name: False)
    columns: ProductColumns | None = None

    def fit(self, names: frozenset[str]) -> int | None:
        """How many of the names the format knows, None if it is no candidate."""
        if not self.all_of <= names or self.none_of & names:
            return None
        if len(self.some_of & names) < self.at_least:
            return None
        return sum(1 for name in names if name in self.all_of or self.knows(name))


SHOPIFY_OLD_ANCHORS = Anchors(
    "shopify-csv",
    frozenset(("handle", "title")),
    frozenset(("body (html)", "variant sku", "variant price")),
    2,
    frozenset(("url handle",)),
    SHOPIFY_OLD.taken,
    SHOPIFY_OLD,
)
SHOPIFY_NEW_ANCHORS = Anchors(
    "shopify-csv",
    frozenset(("title", "url handle", "description")),
    none_of=frozenset(("handle", "body (html)", "variant sku")),
    knows=SHOPIFY_NEW.taken,
    columns=SHOPIFY_NEW,
)
SPREE_ANCHORS = Anchors(
    "spree-csv",
    frozenset(("slug", "sku", "name")),
    none_of=frozenset(("handle", "url handle")),
    knows=SPREE.taken,
    columns=SPREE,
)
PRODUCT_ANCHORS = (SHOPIFY_OLD_ANCHORS, SHOPIFY_NEW_ANCHORS, SPREE_ANCHORS)


def faq_anchors(name: str) -> Anchors:
    """A list of questions and answers, in the container that ``name`` says."""
    return Anchors(
        name, frozenset(("question", "answer")), knows=frozenset(FAQ_FIELDS).__contains__
    )


def generic_anchors(name: str, options: ReadOptions) -> Anchors:
    """Generic records, under the names that the options map; their kind is asked for later."""
    wanted = {mapped(options, field) for field in ("id", "title", "text")}
    known = frozenset(mapped(options, field) for field in GENERIC_FIELDS)
    return Anchors(name, frozenset(wanted), knows=known.__contains__)


def mapped(options: ReadOptions, field: str) -> str:
    """The folded column or key that a generic field is read from."""
    return folded(options.mapping.get(field, field))


def detect(names: Iterable[str], candidates: Iterable[Anchors]) -> list[Anchors]:
    """The one format of these names; several if it is ambiguous; none if it is unknown."""
    keys = frozenset(filter(None, map(folded, names)))
    fits = [(fit, anchors) for anchors in candidates if (fit := anchors.fit(keys)) is not None]
    fits.sort(key=lambda pair: (-pair[0], pair[1].format))
    if len(fits) > 1 and fits[0][0] - fits[1][0] < MARGIN:
        return [anchors for fit, anchors in fits if fits[0][0] - fit < MARGIN]
    return [anchors for _, anchors in fits[:1]]


def ambiguous_message(found: Iterable[Anchors]) -> str:
    """What to tell the user about a file that may be several formats."""
    names = sorted({anchors.format for anchors in found})
    return f"this may be {listed(names)}; say which with --format {names[0]}"
