"""How much a build costs against a bare Whoosh writer that is given the same fields.

    python benchmarks/build_ratio.py [--products 10000] [--pairs 5]

A bare writer opens a new index, adds the documents in the same order and commits. A build also
reads and checks the material, sorts, computes digests, reads the index back, syncs it to the
disk and publishes it. Both run in turn, so that a slow moment of the machine hits both; printed
are each pair and the median ratios of wall and processor time; the bound of 1.25 is on the first,
with --processor on the second, for a machine that is busy with other work.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from whoosh.index import create_in

from steadyrank.schema import store_schema
from steadyrank_builder.building import BuildSettings, build
from steadyrank_builder.document import Document, canonical_json
from steadyrank_builder.formats import ReadOptions
from steadyrank_builder.indexing import to_fields

BOUND = 1.25
_WORDS = 20_000  # vocabulary


def products(count: int) -> list[Document]:
    """``count`` products with 30 words each, drawn as words are: few often, most seldom."""
    chance = random.Random(7)
    letters = "aeiourstlnmdgpk"
    words = ["".join(chance.choices(letters, k=chance.randint(3, 9))) for _ in range(_WORDS)]
    weights = [1 / (rank + 10) for rank in range(_WORDS)]
    made = []
    for number in range(count):
        text = " ".join(chance.choices(words, weights, k=30))
        made.append(
            Document(
                id=f"product:item-{number:06}",
                kind="product",
                title=" ".join(chance.choices(words, weights, k=4)),
                text=f"{text.capitalize()}.",
                url=f"https://shop.example/products/item-{number:06}",
                tags=tuple(chance.choices(words, k=2)),
                language="en",
                attributes={"price": f"{chance.randint(100, 90000) / 100:.2f}", "stock": number},
            )
        )
    return made


def write_material(path: Path, documents: list[Document]) -> None:
    """The products as generic JSONL, in an order that is not theirs."""
    shuffled = random.Random(8).sample(documents, len(documents))
    with path.open("w", encoding="utf-8") as stream:
        for document in shuffled:
            record = {
                "id": document.id,
                "kind": document.kind,
                "title": document.title,
                "text": document.text,
                "url": document.url,
                "tags": list(document.tags),
                **document.attributes,
            }
            stream.write(canonical_json(record) + "\n")


Seconds = tuple[float, float]  # by the wall's clock, and of the processor


def _now() -> Seconds:
    return time.perf_counter(), time.process_time()


def _since(started: Seconds) -> Seconds:
    wall, processor = _now()
    return wall - started[0], processor - started[1]


def bare(folder: Path, fields: list[dict[str, Any]]) -> Seconds:
    """What Whoosh's writer takes for ``fields``."""
    folder.mkdir()
    started = _now()
    writer = create_in(str(folder), store_schema("en")).writer(limitmb=128)
    for document in fields:
        writer.add_document(**document)
    writer.commit()
    return _since(started)


def built(folder: Path, material: Path) -> Seconds:
    """What a build of ``material`` takes."""
    started = _now()
    build([material], folder, BuildSettings(reading=ReadOptions(language="en")))
    return _since(started)


def main() -> int:
    """Print the ratio; exit code 1 when it is above the bound."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--products", type=int, default=10_000)
    parser.add_argument("--pairs", type=int, default=5)
    parser.add_argument("--processor", action="store_true")
    arguments = parser.parse_args()
    documents = products(arguments.products)
    fields = [to_fields(document) for document in documents]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        material = folder / "products.jsonl"
        write_material(material, documents)
        bare(folder / "warm-bare", fields[:500])
        built(folder / "warm-built", material)
        walls, processors = [], []
        for pair in range(arguments.pairs):
            taken: dict[str, Seconds] = {}
            for turn in ("bare", "built") if pair % 2 else ("built", "bare"):
                target = folder / f"{turn}-{pair}"
                taken[turn] = bare(target, fields) if turn == "bare" else built(target, material)
            walls.append(taken["built"][0] / taken["bare"][0])
            processors.append(taken["built"][1] / taken["bare"][1])
            print(
                f"bare {taken['bare'][0]:6.2f} s  build {taken['built'][0]:6.2f} s  "
                f"ratio {walls[-1]:.2f}  of the processor {processors[-1]:.2f}"
            )
    wall, processor = statistics.median(walls), statistics.median(processors)
    result = {
        "products": arguments.products,
        "ratio": round(wall, 3),
        "processor_ratio": round(processor, 3),
        "bound": BOUND,
    }
    print(json.dumps(result, sort_keys=True))
    return 0 if (processor if arguments.processor else wall) <= BOUND else 1


if __name__ == "__main__":
    sys.exit(main())
