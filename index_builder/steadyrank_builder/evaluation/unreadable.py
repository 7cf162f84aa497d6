"""An index that cannot be read is no verdict, whatever its bytes make Whoosh raise."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from steadyrank.errors import SteadyRankError


class UnreadableIndexError(SteadyRankError, ValueError):
    """The files of an index do not hold what they should. ``path`` is the folder."""

    def __init__(self, message: str, *, path: Path) -> None:
        super().__init__(message)
        self.path = path


@contextmanager
def reading(folder: Path) -> Iterator[None]:
    """Turns what damaged files raise, which may be anything, into UnreadableIndexError.

    Errors of ours pass, and so do those of the operating system that name their file.
    """
    try:
        yield
    except (SteadyRankError, MemoryError):
        raise
    except OSError as error:
        if error.filename is not None:
            raise
        raise _unreadable(folder, error) from error
    except Exception as error:
        raise _unreadable(folder, error) from error


def _unreadable(folder: Path, error: Exception) -> UnreadableIndexError:
    return UnreadableIndexError(
        f"{folder}: the index cannot be read ({type(error).__name__}: {error}); look at it with "
        "'steadyrank verify', and build it again",
        path=folder,
    )
