"""Query classes that we do not know."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from steadyrank.arithmetic import snap
from steadyrank.scoring.evaluator import DeadlineError, Evaluator, rule
from steadyrank.scoring.hits import Hits


@rule(object)
def _foreign(evaluator: Evaluator, query: Any, boost: float) -> Hits:
    # Matches and scores of its own matcher, which may depend on the layout. It is stepped
    # plainly: replace() and skip_to_quality() drop documents.
    docs: list[int] = []
    scores: list[float] = []
    try:
        with _alarm(evaluator):
            for searcher, offset in evaluator.leaves():
                context = searcher.context(needs_current=True, weighting=evaluator.weighting)
                matcher = query.matcher(searcher, context)
                while matcher.is_active():
                    doc, score = matcher.id() + offset, matcher.score()
                    scores.append(score)
                    docs.append(doc)
                    matcher.next()
                    evaluator.check_time()  # such a matcher may be as slow as it likes
    except DeadlineError:
        raise DeadlineError(_hits(evaluator, docs, scores, boost)) from None
    return _hits(evaluator, docs, scores, boost)


@contextmanager
def _alarm(evaluator: Evaluator) -> Iterator[None]:
    # Raises DeadlineError in the middle of whatever the host's matcher does, as Whoosh's time
    # limit does: by a signal, which only the main thread gets. The host's handler and timer
    # come back; a timer of the host's that is due first is left alone.
    main = threading.current_thread() is threading.main_thread()
    deadline = evaluator.deadline
    if not (evaluator.interrupt and deadline is not None and main and hasattr(signal, "setitimer")):
        yield
        return
    start = time.monotonic()
    left = max(deadline - start, 1e-6)
    due, interval = signal.getitimer(signal.ITIMER_REAL)
    if 0 < due <= left:
        yield
        return

    def ring(signum: int, frame: Any) -> None:
        raise DeadlineError

    handler = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, left)  # once, so that it cannot disturb what follows
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    finally:
        signal.signal(signal.SIGALRM, handler)
        if due:
            rest = max(due - (time.monotonic() - start), 1e-6)
            signal.setitimer(signal.ITIMER_REAL, rest, interval)


def _hits(evaluator: Evaluator, docs: list[int], scores: list[float], boost: float) -> Hits:
    del scores[len(docs) :]  # an alarm may have gone off between the two appends
    found, first = np.unique(np.array(docs, np.int64), return_index=True)
    hits = Hits(found, snap(snap(np.array(scores, np.float64)[first]) * boost))
    return hits.only(evaluator.view.live(found))
