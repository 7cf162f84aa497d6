"""Files that are there whole or not at all."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path


def write_whole(path: Path, content: str) -> None:
    """The text at ``path``, which keeps its permissions; a link's target is what is written.

    A reader, or a crash, finds the old content or the new. Raises OSError.
    """
    if path.exists() and not path.is_file():  # a pipe, or /dev/stdout, which resolves to no path
        path.write_text(content, "utf-8")
        return
    target = path.resolve()
    try:
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
    except OSError as error:  # of a draft whose name tells nobody anything
        raise type(error)(error.errno, error.strerror, str(path)) from error
    draft = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content.encode("utf-8"))
            file.flush()
            os.fsync(file.fileno())
        if target.exists():
            shutil.copymode(target, draft)
        else:
            mask = os.umask(0)
            os.umask(mask)
            draft.chmod(0o666 & ~mask)
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise
