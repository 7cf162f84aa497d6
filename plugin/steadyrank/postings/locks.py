"""Locks for what the threads of a process share, which a forked child finds open.

A child has the thread that forked and no other. A lock that another thread of its parent held at
that moment is held for ever, and the child's first search would wait for it. What these locks guard
is complete at any moment, or is made again.
"""

from __future__ import annotations

import os
import threading
from typing import Any
from weakref import WeakSet

_LOCKS: WeakSet[Any] = WeakSet()


def lock() -> Any:
    """A lock as of ``threading.Lock``."""
    return _kept(threading.Lock())


def reentrant_lock() -> Any:
    """A lock as of ``threading.RLock``: the thread that holds it may take it again."""
    return _kept(threading.RLock())


def _kept(made: Any) -> Any:
    _LOCKS.add(made)
    return made


def _open_all() -> None:
    for each in list(_LOCKS):
        each._at_fork_reinit()  # as the standard library does with its own


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_open_all)
