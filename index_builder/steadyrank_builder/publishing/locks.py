"""The two locks of an index folder, both ``flock``: gone with the process that held them.

``build_lock`` is ours and held for a whole build, so that two builds never race for one
generation; the lock file has a note about its holder inside. ``write_lock`` is Whoosh's, held
for the moments of publishing; a Whoosh writer holds it from its first line to its commit.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from steadyrank_builder.failures import LockedError
from steadyrank_builder.publishing.layout import BUILD_LOCK, WRITE_LOCK

_PAUSE = 0.05  # seconds between two tries


@contextmanager
def build_lock(folder: Path, timeout: float, command: str = "build") -> Iterator[None]:
    """Hold the build lock of ``folder`` for ``command``; wait ``timeout`` seconds for it.

    The folder is made where it does not exist, and goes again if nothing came into it. The lock
    file goes with a build that ends in order; one left by a killed build is taken over.
    LockedError names the holder.
    """
    path = folder / BUILD_LOCK
    made = not folder.exists()
    descriptor = _acquire(path, timeout, _noted_holder)
    try:
        note = {
            "command": command,
            "host": socket.gethostname(),
            "pid": os.getpid(),
            "since": _now(),
        }
        os.ftruncate(descriptor, 0)
        os.write(descriptor, json.dumps(note, sort_keys=True).encode())
        yield
    finally:
        # Removed while still locked: a waiter that then gets the lock of the vanished file sees
        # that the name is no longer its file and starts over.
        path.unlink(missing_ok=True)
        os.close(descriptor)
        if made:
            with suppress(OSError):  # not empty: the build has published
                folder.rmdir()


@contextmanager
def write_lock(folder: Path, timeout: float) -> Iterator[None]:
    """Hold Whoosh's write lock of ``folder``; wait ``timeout`` seconds for it.

    The file stays, as it does after Whoosh's own writers. LockedError names the holder as far
    as the system can tell.
    """
    descriptor = _acquire(folder / WRITE_LOCK, timeout, _system_holder)
    try:
        yield
    finally:
        os.close(descriptor)


def _acquire(path: Path, timeout: float, describe: Callable[[Path], str]) -> int:
    until = time.monotonic() + timeout
    while True:
        # Inside the loop, since the build waited for may have taken an empty folder with it.
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_CREAT | os.O_RDWR, 0o666)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            if time.monotonic() >= until:
                raise _locked(path, timeout, describe(path)) from None
            time.sleep(_PAUSE)
            continue
        if _still_named(descriptor, path):
            return descriptor
        os.close(descriptor)


def _still_named(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False


def _locked(path: Path, timeout: float, holder: str) -> LockedError:
    what = "Another build" if path.name == BUILD_LOCK else "A Whoosh writer"
    return LockedError(
        f"{what} holds {path} ({holder}) and did not let go within {timeout:g} s. Nothing was "
        "published. Run again when it has finished, or wait longer with --lock-timeout SECONDS. "
        "The lock ends with its process, so deleting the file is no remedy.",
        path=path,
        holder=holder,
    )


def _noted_holder(path: Path) -> str:
    try:
        note = json.loads(path.read_bytes())
        since = datetime.fromisoformat(note["since"])
        age = max(0, round((datetime.now(UTC) - since).total_seconds()))
        return (
            f"process {note['pid']} on {note['host']}, {note.get('command', 'build')} for "
            f"{_shown_age(age)} since {note['since']}"
        )
    except (OSError, ValueError, KeyError, TypeError):
        return _system_holder(path)


def _system_holder(path: Path) -> str:
    """Linux lists the locks of all processes that it shows us; elsewhere nobody can tell."""
    try:
        inode = str(path.stat().st_ino)
        for line in Path("/proc/locks").read_text().splitlines():
            words = line.split()
            if "FLOCK" in words and words[-3].rpartition(":")[2] == inode:
                return f"process {words[-4]} on {socket.gethostname()}"
    except (OSError, IndexError):
        pass
    return "process unknown"


def _shown_age(seconds: int) -> str:
    """``42 s``, ``17 min``, ``3 h 5 min``."""
    if seconds < 120:
        return f"{seconds} s"
    hours, minutes = divmod(seconds // 60, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
