"""The headers of tables, which their rejected rows need in order to be read by themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from steadyrank_builder.material import Source

_TABLES = (".csv", ".tsv", ".txt")
_LONGEST = 1 << 16


def headers_of(sources: Sequence[Source]) -> Callable[[str], str]:
    """A function from a source's name to the first line of its table, empty where it has none."""
    by_name = {source.name: source for source in sources}

    @lru_cache(maxsize=64)
    def header(name: str) -> str:
        source = by_name.get(name)
        if source is None or source.member or source.suffix not in _TABLES:
            return ""
        try:
            with source.path.open(encoding="utf-8-sig", newline="") as stream:
                line = stream.readline(_LONGEST)
        except (OSError, ValueError):  # gone by now, or of another encoding
            return ""
        line = line.rstrip("\r\n")
        # A quote that is left open: the header goes on over the line's end.
        return "" if line.count('"') % 2 else line

    return header
