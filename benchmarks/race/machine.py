"""Where a race was run, and with what."""

from __future__ import annotations

import os
import platform
import sqlite3
import time
from importlib import metadata
from pathlib import Path


def machine() -> str:
    """One sentence: processor, cores, load, versions, day."""
    versions = [f"Python {platform.python_version()}", f"SQLite {sqlite3.sqlite_version}"]
    for name in ("Whoosh", "whoosh-reloaded", "whoosh3", "numpy", "tantivy", "bm25s"):
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    cores = len(os.sched_getaffinity(0))
    model = next(
        (
            line.split(":", 1)[1].strip()
            for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines()
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    return (
        f"{time.strftime('%Y-%m-%d')}, {model}, {cores} cores with a load of "
        f"{os.getloadavg()[0]:.1f} at the start; {', '.join(versions)}."
    )
