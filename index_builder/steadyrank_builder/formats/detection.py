"""Which format a file has: by exact anchors, never by a guess.

A format is a candidate if all of its anchors are there, enough of its second anchors, and none of
its negative ones. With more than one candidate, the one that knows more of the names wins if it
is ahead by ``MARGIN``; otherwise the file is ambiguous and the user decides.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field

from steadyrank_builder.errors import listed
from steadyrank_builder.formats.options import FormatInfo, ReadOptions
from steadyrank_builder.formats.protocol import Format, Head, OpenFile
from steadyrank_builder.records import Outcome

MARGIN = 2


def _nothing(name: str) -> bool:
    return False


@dataclass(frozen=True)
class Anchors:
    """What a file's names must and must not have, as folded names.

    ``marks`` are marks of which one must be there, where there are any. ``knows`` says of a name
    whether the format reads it.
    """

    all_of: frozenset[str]
    some_of: frozenset[str] = frozenset()
    at_least: int = 0
    none_of: frozenset[str] = frozenset()
    marks: frozenset[str] = frozenset()
    knows: Callable[[str], bool] = field(default=_nothing)

    def fit(self, head: Head) -> int | None:
        """How many of the names the format knows, None if it is no candidate."""
        names = head.names
        if not self.all_of <= names or self.none_of & names:
            return None
        if len(self.some_of & names) < self.at_least:
            return None
        if self.marks and not self.marks & head.marks:
            return None
        return sum(1 for name in names if name in self.all_of or self.knows(name))


AnchorsOf = Callable[[ReadOptions], tuple[Anchors, ...]]


@dataclass(frozen=True)
class Anchored:
    """A format that is known by anchors: any one set of them is enough."""

    info: FormatInfo
    anchors: tuple[Anchors, ...] | AnchorsOf
    outcomes: Callable[[OpenFile, ReadOptions], Iterator[Outcome]]

    def fit(self, head: Head, options: ReadOptions) -> int | None:
        """The best fit of any set of anchors."""
        fits = [fit for each in self.sets(options) if (fit := each.fit(head)) is not None]
        return max(fits, default=None)

    def read(self, file: OpenFile, options: ReadOptions) -> Iterator[Outcome]:
        """The outcomes of the format's own reader."""
        return self.outcomes(file, options)

    def sets(self, options: ReadOptions) -> tuple[Anchors, ...]:
        """The sets of anchors, with the names that the options map."""
        return self.anchors(options) if callable(self.anchors) else self.anchors


def detect(head: Head, formats: Iterable[Format], options: ReadOptions) -> list[Format]:
    """The one format of a file; several if it is ambiguous; none if it is unknown."""
    fits = [(fit, each) for each in formats if (fit := each.fit(head, options)) is not None]
    fits.sort(key=lambda pair: (-pair[0], pair[1].info.name))
    if len(fits) > 1 and fits[0][0] - fits[1][0] < MARGIN:
        return [each for fit, each in fits if fits[0][0] - fit < MARGIN]
    return [each for _, each in fits[:1]]


def ambiguous_message(found: Iterable[Format]) -> str:
    """What to tell the user about a file that may be several formats."""
    names = sorted({each.info.name for each in found})
    return f"this may be {listed(names)}; say which with --format {names[0]}"
