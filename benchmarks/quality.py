"""How good the answers are: nDCG@4 and reciprocal rank beside plain Whoosh BM25F.

    python benchmarks/quality.py [--icecat DIR] [--resamples 10000] [--seed 1]

Needs steadyrank[build,evaluate]. The sample store's golden questions are asked of an index of
``sample_corpus/store``; with DIR, a folder with ``products.jsonl`` and ``qrels.tsv`` (query, id,
grade), also the questions of that catalogue, built as

    steadyrank build DIR/products.jsonl --kind product --map text=short_description

Plain Whoosh asks the same index files: its own Searcher, BM25F() and TopCollector, an Or of the
same words in the same fields with the same weights, its own order among ties. More systems show
what matters: stop words, a gap, keyword points. Differences are
per question, steadyrank minus plain; an interval is of 95 %, from resampling the questions. A
difference whose interval holds 0 is noise.
"""

from __future__ import annotations

import argparse
import csv
import random
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import yaml
from whoosh.index import open_dir
from whoosh.scoring import BM25F

from steadyrank import Store, open_store
from steadyrank.schema import DEFAULT_WEIGHTS
from steadyrank.words import words_query
from steadyrank_builder.building import BuildSettings, build
from steadyrank_builder.evaluation.measures import measured
from steadyrank_builder.formats import ReadOptions

K = 4
SAMPLE = Path(__file__).resolve().parents[1] / "sample_corpus"

Qrels = Mapping[str, Mapping[str, int]]
System = Callable[[str], list[str]]


def sample_qrels() -> Qrels:
    """Question -> its right ids, all of grade 1; questions without an answer are left out."""
    cases = yaml.safe_load((SAMPLE / "golden.yaml").read_text("utf-8"))["cases"]
    return {c["question"]: dict.fromkeys(c["right"], 1) for c in cases if c.get("right")}


def icecat_qrels(path: Path) -> Qrels:
    """Query -> id -> grade, 0 to 3."""
    found: dict[str, dict[str, int]] = {}
    with path.open(encoding="utf-8", newline="") as stream:
        for query, id, grade in csv.reader(stream, delimiter="\t"):
            found.setdefault(query, {})[id] = int(grade)
    return found


def plain_whoosh(folder: Path) -> System:
    """Stock Whoosh over the same files: the first K by its own scores and tie order."""
    searcher = open_dir(str(folder)).searcher(weighting=BM25F())

    def ask(question: str) -> list[str]:
        query = words_query(question, searcher.schema, DEFAULT_WEIGHTS)
        return [hit["id"] for hit in searcher.search(query, limit=K)]

    return ask


def answers(store: Store, **settings: Any) -> System:
    """The pieces of an answer under these settings."""
    chosen = store.settings.overlaid(settings)

    def ask(question: str) -> list[str]:
        return [piece.id for piece in store.answer(question, take=K, settings=chosen).pieces]

    return ask


def mean(values: Sequence[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total / len(values)


def interval(values: Sequence[float], resamples: int, seed: int) -> tuple[float, float]:
    """The middle 95 % of means of questions drawn with replacement."""
    chance = random.Random(seed)
    means = sorted(mean(chance.choices(values, k=len(values))) for _ in range(resamples))
    return means[int(resamples * 0.025)], means[int(resamples * 0.975) - 1]


def table(folder: Path, qrels: Qrels, resamples: int, seed: int) -> list[str]:
    """Lines of a Markdown table: each system's means, and its difference to plain Whoosh."""
    lines = [
        f"| system | nDCG@{K} | difference, 95 % | RR | difference, 95 % |",
        "|---|---|---|---|---|",
    ]
    with open_store(folder) as store:
        systems = {
            "plain Whoosh BM25F": plain_whoosh(folder),
            "answer (defaults)": answers(store),
            "answer, no stop words": answers(store, stop_words=[]),
            "answer, gap 0.5": answers(store, gap=0.5),
            "answer, keyword points": answers(store, weighting="keyword-points"),
        }
        values = {}
        for name, ask in systems.items():
            runs = {question: ask(question) for question in qrels}
            values[name] = measured(qrels, {q: ids for q, ids in runs.items() if ids}, K)
    base = values["plain Whoosh BM25F"]
    for name, own in values.items():
        cells = [name]
        for measure in (f"nDCG@{K}", "RR"):
            cells.append(f"{mean(list(own[measure].values())):.3f}")
            differences = [own[measure][q] - base[measure][q] for q in qrels]
            low, high = interval(differences, resamples, seed)
            verdict = "noise" if low <= 0 <= high else "better" if low > 0 else "worse"
            cells.append(
                ""
                if own is base
                else f"{mean(differences):+.3f} [{low:+.3f}, {high:+.3f}] {verdict}"
            )
        lines.append(f"| {' | '.join(cells)} |")
    return lines


def main() -> int:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--icecat", type=Path)
    parser.add_argument("--resamples", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        build(
            [SAMPLE / "store"],
            folder / "sample",
            BuildSettings(reading=ReadOptions(language="en")),
        )
        qrels = sample_qrels()
        print(f"Sample store: {len(qrels)} questions with an answer.\n")
        print("\n".join(table(folder / "sample", qrels, arguments.resamples, arguments.seed)))
        if arguments.icecat is not None:
            reading = ReadOptions(kind="product", mapping={"text": "short_description"})
            build(
                [arguments.icecat / "products.jsonl"],
                folder / "icecat",
                BuildSettings(reading=reading),
            )
            judged = icecat_qrels(arguments.icecat / "qrels.tsv")
            for least in (3, 1):
                qrels = {q: own for q, own in judged.items() if max(own.values()) >= least}
                print(
                    f"\nIcecat: {len(judged)} queries, {len(judged) - len(qrels)} without a "
                    f"product of grade {least} or more skipped, {len(qrels)} measured.\n"
                )
                lines = table(folder / "icecat", qrels, arguments.resamples, arguments.seed)
                print("\n".join(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
