"""What a process that serves one engine holds: python -m race.memory ENGINE FOLDER QUESTIONS."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from race.engines import engine_class


def held() -> tuple[int, int]:
    """Resident and private bytes of this process: pages that are only its own cannot be shared."""
    rows = Path("/proc/self/smaps_rollup").read_text().splitlines()[1:]
    sizes = {row.split(":")[0]: int(row.split()[1]) * 1024 for row in rows}
    return sizes["Rss"], sizes["Private_Clean"] + sizes["Private_Dirty"]


def main() -> None:
    name, folder, asked = sys.argv[1:]
    engine = engine_class(name)(Path(folder))
    for words in json.loads(Path(asked).read_text("utf-8")):
        engine.top(tuple(words), 10, "or")
    resident, private = held()
    print(json.dumps({"resident": resident, "private": private}))


if __name__ == "__main__":
    main()
