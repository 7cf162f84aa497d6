"""What opening an index costs until it can be searched, against stock Whoosh.

    python benchmarks/opening_cost.py DIR [--times 7]

DIR holds an index whose schema has a field ``id``. Each opening has a process of its own, stock and
ours take turns, and times are medians in wall-clock milliseconds: of the imports, and of opening
the index and a searcher after them. Also of a second opening in the same process.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys

_STOCK = "from whoosh.index import open_dir\nway = open_dir"
_OURS = "import steadyrank\nway = lambda folder: steadyrank.open_index(folder, id_field='id')"
_TIMED = """
import sys, time
started = time.perf_counter()
{ready}
import whoosh.searching, whoosh.reading, whoosh.codec.whoosh3
{lazy}
marks = [started, time.perf_counter()]
opened = []
for _ in range(2):
    opened.append(way(sys.argv[1]).searcher())
    marks.append(time.perf_counter())
print(*(1000 * (after - before) for before, after in zip(marks, marks[1:])))
"""


def times(ready: str, folder: str) -> list[float]:
    """Milliseconds of the imports, of opening, and of opening once more."""
    lazy = "steadyrank.open_index" if ready is _OURS else ""
    program = _TIMED.format(ready=ready, lazy=lazy)
    done = subprocess.run(
        [sys.executable, "-c", program, folder], check=True, capture_output=True, text=True
    )
    return [float(number) for number in done.stdout.split()]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("folder")
    parser.add_argument("--times", type=int, default=7)
    chosen = parser.parse_args()
    found: dict[str, list[list[float]]] = {"Whoosh": [], "steadyrank": []}
    for _ in range(chosen.times):
        found["Whoosh"].append(times(_STOCK, chosen.folder))
        found["steadyrank"].append(times(_OURS, chosen.folder))
    print(f"{'milliseconds':12} {'imports':>8} {'opening':>8} {'again':>8}")
    for name, rows in found.items():
        medians = [statistics.median(part) for part in zip(*rows, strict=True)]
        print(f"{name:12}", *(f"{median:8.1f}" for median in medians))
    return 0


if __name__ == "__main__":
    sys.exit(main())
