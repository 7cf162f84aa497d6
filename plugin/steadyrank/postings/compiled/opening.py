"""The compiled form of a reader's segment where there is one that fits; a warning where not."""

from __future__ import annotations

import os
import sys
import warnings

from steadyrank.errors import SteadyRankWarning
from steadyrank.postings.compiled.checked import UnfitError
from steadyrank.postings.compiled.layout import arrays_name
from steadyrank.postings.compiled.reading import Arrays

# Which file was there, by what tells it from one that takes its place.
FileMark = tuple[int, int, int]


def mark_of(folder: str, segment: str) -> FileMark | None:
    """What tells the compiled file from others of its name; None where there is none."""
    try:
        found = os.stat(os.path.join(folder, arrays_name(segment)))  # noqa: PTH116, PTH118
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_ctime_ns


def open_arrays(folder: str, segment: str) -> Arrays | None:
    """The compiled form of the segment, None where there is none that can be used."""
    if sys.byteorder != "little":  # the arrays are used as they lie in the file
        return None
    try:
        return Arrays(folder, segment)
    except FileNotFoundError:  # never compiled, or the segment itself has been deleted
        return None
    except OSError as error:
        why = f"it cannot be read ({error.strerror or error})"
    except UnfitError as error:
        why = str(error)
    warn(os.path.join(folder, arrays_name(segment)), why)  # noqa: PTH118
    return None


def warn(path: str, why: str) -> None:
    """Says that a compiled file is not used."""
    warnings.warn(
        f"{path} is not used, and searches are slower without it: {why}. Results are the same. "
        f"Write it again with: steadyrank compile {os.path.dirname(path)}",  # noqa: PTH120
        SteadyRankWarning,
        stacklevel=2,
    )
