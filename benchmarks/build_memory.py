"""The most memory that a build and an update of it hold, for a number of products.

    python benchmarks/build_memory.py [--products 300000] [--memory 128]

The material is generated as it is written, and each command runs in a process of its own, whose
peak of resident memory the system reports. Printed are time, documents a second and peak of a
first build, of an update with one changed source, and of a verification; exit code 1 when a peak
is above the bound of 1,000 MB. The bound is for 300,000 products and the default of --memory.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from pathlib import Path

BOUND_MB = 1000
_WORDS = 20_000  # vocabulary
_COMMAND = [sys.executable, "-c", "from steadyrank_builder.cli import main; main()"]


def write_material(path: Path, count: int) -> None:
    """``count`` products with 30 words each as generic JSONL, in an order that is not theirs."""
    chance = random.Random(7)
    letters = "aeiourstlnmdgpk"
    words = ["".join(chance.choices(letters, k=chance.randint(3, 9))) for _ in range(_WORDS)]
    weights = [1 / (rank + 10) for rank in range(_WORDS)]
    numbers = list(range(count))
    chance.shuffle(numbers)
    with path.open("w", encoding="utf-8") as stream:
        for number in numbers:
            record = {
                "id": f"product:item-{number:07}",
                "kind": "product",
                "title": " ".join(chance.choices(words, weights, k=4)),
                "text": " ".join(chance.choices(words, weights, k=30)),
                "url": f"https://shop.example/products/item-{number:07}",
                "tags": chance.choices(words, k=2),
                "price": f"{chance.randint(100, 90000) / 100:.2f}",
                "stock": number,
            }
            stream.write(json.dumps(record) + "\n")


def peak_of(arguments: list[str]) -> tuple[float, float]:
    """Seconds and peak in MB of ``steadyrank`` with these arguments."""
    started = time.perf_counter()
    process = subprocess.Popen([*_COMMAND, *arguments], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(arguments)} ended with {process.returncode}")
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
    return time.perf_counter() - started, usage.ru_maxrss * unit / 1e6


def main() -> int:
    """Print one line per command and a line of JSON."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--products", type=int, default=300_000)
    parser.add_argument("--memory", type=int, default=128)
    arguments = parser.parse_args()
    peaks: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        material, more = folder / "products.jsonl", folder / "more.jsonl"
        write_material(material, arguments.products)
        out = str(folder / "store.idx")
        paths = [str(material), str(more)]
        memory = ["--memory", str(arguments.memory)]
        more.write_text('{"id": "faq:one", "kind": "faq", "title": "One", "text": "Yes."}\n')
        runs = {"build": ["build", *paths, "--out", out, *memory, "--quiet"]}
        runs["update"] = ["update", *paths, "--out", out, *memory, "--quiet"]
        runs["verify"] = ["verify", out]
        for step, command in runs.items():
            seconds, peaks[step] = peak_of(command)
            rate = arguments.products / seconds
            print(f"{step:7} {seconds:7.1f} s  {rate:7.0f} documents/s  peak {peaks[step]:6.0f} MB")
            more.write_text('{"id": "faq:one", "kind": "faq", "title": "One", "text": "No."}\n')
    result = {
        "products": arguments.products,
        "memory_mb": arguments.memory,
        "peak_mb": {step: round(peak) for step, peak in peaks.items()},
        "bound_mb": BOUND_MB,
    }
    print(json.dumps(result, sort_keys=True))
    return 0 if max(peaks.values()) <= BOUND_MB else 1


if __name__ == "__main__":
    sys.exit(main())
