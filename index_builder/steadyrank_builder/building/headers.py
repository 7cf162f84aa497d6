"""The headers of tables, which their rejected rows need in order to be read by themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from steadyrank_builder.formats import ReadOptions
from steadyrank_builder.material import Source
from steadyrank_builder.material.content import STDIN, ContentError
from steadyrank_builder.material.unpack import unpacked
from steadyrank_builder.reading.decode import unchecked
from steadyrank_builder.reading.rows import SEPARATOR_LINE

_TABLES = (".csv", ".tsv", ".txt")


def headers_of(sources: Sequence[Source], options: ReadOptions) -> Callable[[str], str]:
    """A function from a source's name to the first line of its table, empty where it has none."""
    by_name = {source.name: source for source in sources}

    @lru_cache(maxsize=64)
    def header(name: str) -> str:
        source = by_name.get(name)
        if source is None or source.suffix not in _TABLES or str(source.path) == STDIN:
            return ""
        encoding = source.encoding or options.within(source.settings).encoding
        try:
            text = unchecked(unpacked(source.path, source.member), encoding)
            lines = (line for line in text.lines() if not SEPARATOR_LINE.fullmatch(line))
            line = next(filter(str.strip, lines), "").rstrip("\r\n")
        except (OSError, ValueError, ContentError):  # gone by now, or of another encoding
            return ""
        # A quote that is left open: the header goes on over the line's end.
        return "" if line.count('"') % 2 else line

    return header
