"""An end for searches that have none.

Stock Whoosh can loop for ever where it skips what cannot reach the best k so far: in 2.7.4 a union
asks either side for the quality that is missing, and rounding can leave both satisfied. Nothing
inside Whoosh ends such a loop, its own time limit included.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from steadyrank.errors import SteadyRankError

# Seconds after which the alarm rings again, for code that swallowed the first.
_AGAIN = 1.0


class DeadlineError(SteadyRankError, TimeoutError):
    """What ran did not end in time."""


# Seconds that one search of stock Whoosh may take before it counts as one that never ends.
STOCK_SECONDS = 60.0


@contextmanager
def stock_search(question: str, seconds: float | None = None) -> Iterator[None]:
    """DeadlineError that names the question, when stock Whoosh does not come to an end with it.

    ``seconds`` None: ``STOCK_SECONDS``. As ``deadline`` otherwise.
    """
    limit = STOCK_SECONDS if seconds is None else seconds
    what = (
        f"stock Whoosh gave no answer to {question!r} in {limit:g} seconds; "
        "it can loop for ever on some questions: leave this one out"
    )
    with deadline(limit, what):
        yield


@contextmanager
def deadline(seconds: float, what: str) -> Iterator[None]:
    """DeadlineError, with the message ``what``, when the block takes longer.

    Only in the main thread and where the system has an interval timer; elsewhere there is no end.
    A timer that was running goes on afterwards.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(
        signal, "setitimer"
    ):
        yield
        return

    def stop(_signal: int, _frame: FrameType | None) -> None:
        raise DeadlineError(what)

    handler = signal.signal(signal.SIGALRM, stop)
    running = signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if running[0]:
            signal.setitimer(signal.ITIMER_REAL, *running)
