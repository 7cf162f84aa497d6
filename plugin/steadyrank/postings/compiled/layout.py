"""The file of a compiled segment: its name, its parts, and the numbers that a reader relies on.

``steadyrank-<segment id>.arrays`` lies beside the segment's own files. From its start:

- bodies, each at a multiple of four bytes: the posting lists (each document as what it is more
  than the one before, then codes), the dictionary's pages, per field its table and its length
  bytes, and ids and kinds; little-endian all of them;
- the CRC-32 of each block of the bodies;
- the head, in JSON: which segment this is, and where everything lies;
- the tail, of fixed size: where the head lies, and the CRC-32 of checksums and head.

The head comes last because the bodies are written as the segment is walked. A code stands for a
pair of weight and length byte in the field's table; a segment has few of them.
"""

from __future__ import annotations

import re
import struct

VERSION = 2
MAGIC = b"steadyrank-arrays"

# Version, place of the checksums, their number, CRC-32 of checksums and head; then MAGIC.
TAIL = struct.Struct("<IQII")
TAIL_SIZE = TAIL.size + len(MAGIC)

# Bytes that are checked together, when one of them is first used. Smaller ones cost checksums,
# larger ones make a rare term wait.
BLOCK = 8192

# In units of this many bytes a list's place is written; that of the widest number in it.
UNIT = 4

# How wide a list's steps and its codes are: two bits each, the highest of its length.
NUMBER_TYPES = ("<u1", "<u2", "<u4")
STEP_SHIFT = 30
CODE_SHIFT = 28
LONGEST = 1 << CODE_SHIFT


def codes_offset(count: int, step_width: int, code_width: int) -> int:
    """Where the codes of a list of so many postings begin, from where it begins: numbers lie at
    multiples of their size. Widths are places in NUMBER_TYPES.
    """
    end = count << step_width
    return end + (-end & ((1 << code_width) - 1))


_NAME = re.compile(r"steadyrank-(.+_[0-9a-z]+)\.arrays")
_DRAFT = re.compile(r"steadyrank-.+_[0-9a-z]+\.arrays\.[0-9a-f]{16}")


def arrays_name(segment: str) -> str:
    """The file of the segment with this id. Whoosh, which tidies by name, leaves it alone."""
    return f"steadyrank-{segment}.arrays"


def segment_of_arrays(name: str) -> str | None:
    """The id of the segment whose file has this name, else None."""
    found = _NAME.fullmatch(name)
    return found.group(1) if found else None


def is_arrays_draft(name: str) -> bool:
    """Whether a file of this name is being written, or was by a process that died."""
    return bool(_DRAFT.fullmatch(name))
