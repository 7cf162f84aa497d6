"""Another function in the place of one that decides, for one thread and a while."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import wraps
from typing import Any

Function = Callable[..., Any]

_LOCK = threading.RLock()
_ACTIVE: list[int] = []  # the thread that exchanges, while one does


@dataclass(frozen=True, slots=True)
class Change:
    """``mutant`` stands in for ``original``, wherever the library calls it.

    ``owner``: the class that ``original`` is a method of; None for a function of a module.
    """

    original: Function
    mutant: Function
    owner: type | None = None


@contextmanager
def exchanged(changes: Sequence[Change]) -> Iterator[None]:
    """Makes the changes for what this thread does inside the block, and takes them back.

    Whatever happens inside, every name is bound to its own function again afterwards. Other
    threads get the originals all along; one that wants changes of its own waits for its turn.

    Raises LookupError where the library does not call a function by any name, RuntimeError for
    an exchange inside another.
    """
    with _LOCK:
        if _ACTIVE:
            raise RuntimeError("functions are exchanged already; one mutation at a time")
        for change in changes:
            if not _places(change, change.original):
                raise LookupError(
                    f"nothing calls {change.original.__qualname__} of "
                    f"{change.original.__module__} any more: write its mutation anew"
                )
        with ExitStack() as undo:
            undo.callback(_ACTIVE.clear)
            _ACTIVE.append(threading.get_ident())
            for change in changes:
                stand_in = _for_this_thread(change)
                undo.callback(_bind, change, stand_in, change.original)
                _bind(change, change.original, stand_in)
            yield


def _for_this_thread(change: Change) -> Function:
    @wraps(change.original)
    def function(*arguments: Any, **options: Any) -> Any:
        mine = threading.get_ident() in _ACTIVE
        return (change.mutant if mine else change.original)(*arguments, **options)

    return function


def _bind(change: Change, bound: Function, other: Function) -> None:
    for owner, name in _places(change, bound):
        setattr(owner, name, other)


def _places(change: Change, bound: Function) -> list[tuple[Any, str]]:
    # A module that imports a function by name has it under a name of its own, also one that is
    # first imported inside the block.
    owners: list[Any] = [change.owner]
    if change.owner is None:
        owners = [
            module
            for name, module in sorted(sys.modules.items())
            if name.partition(".")[0] in ("steadyrank", "steadyrank_builder")
            and not name.startswith(__package__)
        ]
    return [
        (owner, name)
        for owner in owners
        for name, value in list(vars(owner).items())
        if value is bound
    ]
