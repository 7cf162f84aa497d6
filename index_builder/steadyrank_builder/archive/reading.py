"""Reading back what a source was read as."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from pathlib import Path

from steadyrank_builder.archive.lines import outcome_of
from steadyrank_builder.archive.writing import Block
from steadyrank_builder.records import Outcome

_PIECE = 1 << 18


def replay(path: Path, block: Block, source: str) -> Iterator[Outcome]:
    """The outcomes in ``block`` of the archive at ``path``, as those of ``source``.

    The caller has compared the file with its recorded hash; a block that is none is a ValueError.
    """
    offset, left = block
    stream = zlib.decompressobj()
    rest = b""
    with path.open("rb") as file:
        file.seek(offset)
        while left:
            piece = file.read(min(_PIECE, left))
            if not piece:
                raise ValueError(f"{path} ends before the block at {offset}")
            left -= len(piece)
            try:
                text = rest + stream.decompress(piece)
            except zlib.error as error:
                raise ValueError(f"{path} has no block at {offset} ({error})") from error
            *lines, rest = text.split(b"\n")
            for line in lines:
                yield outcome_of(line.decode("ascii"), source)
    if rest or not stream.eof:
        raise ValueError(f"{path} has half a block at {offset}")
