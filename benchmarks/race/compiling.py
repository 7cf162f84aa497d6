"""Compiles an index in a process of its own: ``python -m race.compiling FOLDER`` prints JSON."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path


def peak() -> int:
    """The most bytes that were resident at once, mapped files with them (Linux)."""
    # Not ru_maxrss, which begins with what the parent held when it started this process.
    rows = Path("/proc/self/status").read_text("utf-8").splitlines()
    return next(int(row.split()[1]) * 1024 for row in rows if row.startswith("VmHWM:"))


def main() -> None:
    from steadyrank import compile_index

    spent, began = time.process_time(), time.monotonic()
    done = compile_index(sys.argv[1])
    made = {
        "seconds": time.process_time() - spent,
        "wall": time.monotonic() - began,
        "peak": peak(),
        "bytes": sum(segment.size for segment in done.segments),
        "of": sum(segment.segment_size for segment in done.segments),
    }
    print(json.dumps(made))


if __name__ == "__main__":
    main()
