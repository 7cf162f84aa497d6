"""The folder an index is built in, beside the folder it is meant for.

Beside and not inside, because Whoosh's ``copy_to_ram`` reads every name in an index folder as a
file; beside and not in the system's temporary folder, because a rename needs one file system.
"""

from __future__ import annotations

import fcntl
import os
import re
import secrets
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def workshop(target: Path) -> Iterator[Path]:
    """A new folder ``.<name>.building-<random>`` beside ``target``, removed on the way out.

    Its owner holds an ``flock`` on the folder, by which ``clear_dead`` knows it to be alive.
    """
    folder = target.with_name(f".{target.name}.building-{secrets.token_hex(8)}")
    folder.mkdir()
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH)
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        os.close(descriptor)


def clear_dead(target: Path) -> list[Path]:
    """Remove what killed builds left beside ``target``; returns the removed folders.

    Called under the build lock, so no other build is between its mkdir and its flock.
    """
    pattern = re.compile(rf"\.{re.escape(target.name)}\.building-[0-9a-f]{{16}}")
    removed = []
    for folder in sorted(target.parent.iterdir()):
        if pattern.fullmatch(folder.name) and folder.is_dir() and not _alive(folder):
            shutil.rmtree(folder, ignore_errors=True)
            removed.append(folder)
    return removed


def _alive(folder: Path) -> bool:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    finally:
        os.close(descriptor)
    return False
