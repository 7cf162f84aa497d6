"""What an answer costs against a plain top-k search of the same words.

    python benchmarks/answer_cost.py [--documents 100000] [--questions 60] [--rounds 5]
                                     [--index DIR]

A plain search takes the words that the answer searched, in the same fields, for the same number
of results, and reads their stored fields. An answer also cuts by kind, ranks, takes, judges its
confidence, makes excerpts and says why. Both are asked in turn (A B B A), by processor time, so
that a slow moment of the machine hits both; printed are the medians, the 95th percentiles and
the ratio of the medians, with the bound of 1.5. The index is written by a bare Whoosh writer in
shuffled order; DIR keeps it for another run.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from whoosh.index import create_in, exists_in

from build_ratio import products
from steadyrank import Store, open_store
from steadyrank.schema import DEFAULT_WEIGHTS, store_schema
from steadyrank.words import words_query
from steadyrank_builder.indexing import to_fields

BOUND = 1.5
TAKE = 4


def write_index(folder: Path, count: int) -> list[str]:
    """``count`` documents of three kinds in shuffled order; gives some of their titles."""
    documents = products(count)
    titles = [document.title for document in documents[:2000]]
    random.Random(3).shuffle(documents)
    folder.mkdir(parents=True, exist_ok=True)
    writer = create_in(str(folder), store_schema("en")).writer(limitmb=512)
    for number, document in enumerate(documents):
        fields = to_fields(document)
        fields["kind"] = "faq" if number % 9 == 0 else "page" if number % 5 == 0 else "product"
        writer.add_document(**fields)
    writer.commit()
    (folder / "titles.json").write_text(json.dumps(titles), "utf-8")
    return titles


def questions(titles: list[str], count: int) -> list[str]:
    """Questions of one to eight words, as words are: few often, most seldom."""
    chance = random.Random(11)
    words = [word for title in titles for word in title.split()]
    return [" ".join(chance.choices(words, k=1 + number % 8)) for number in range(count)]


def seconds(call: Callable[[], Any]) -> float:
    started = time.process_time()
    call()
    return time.process_time() - started


def search(searcher: Any, words: str) -> list[dict[str, Any]]:
    """A plain search, and what a caller shows of its results."""
    query = words_query(words, searcher.schema, DEFAULT_WEIGHTS)
    return [hit.fields() for hit in searcher.search(query, limit=TAKE)]


def measure(store: Store, asked: list[str], rounds: int) -> dict[str, Any]:
    """Times of both in turn, over all questions and rounds, after one round to warm up."""
    taken: dict[str, list[float]] = {"search": [], "answer": []}
    with store.index.searcher() as searcher:
        for question in asked:
            pieces = store.answer(question).pieces
            found = search(searcher, question)
            by_id = [hit["id"] for hit in found]
            if [piece.id for piece in pieces] != by_id:
                raise SystemExit(f"{question!r}: the answer and the search differ")
        for turn in range(rounds):
            for question in asked:
                calls = {
                    "search": lambda q=question: search(searcher, q),
                    "answer": lambda q=question: store.answer(q),
                }
                order = ("search", "answer") if turn % 2 else ("answer", "search")
                for name in order:
                    taken[name].append(seconds(calls[name]))
    result: dict[str, Any] = {"rounds": rounds, "questions": len(asked), "bound": BOUND}
    for name, times in taken.items():
        result[f"{name}_median_ms"] = round(statistics.median(times) * 1000, 3)
        result[f"{name}_p95_ms"] = round(statistics.quantiles(times, n=20)[-1] * 1000, 3)
    result["ratio"] = round(
        statistics.median(taken["answer"]) / statistics.median(taken["search"]), 3
    )
    return result


def main() -> int:
    """Print the ratio; exit code 1 when it is above the bound."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--documents", type=int, default=100_000)
    parser.add_argument("--questions", type=int, default=60)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--index", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = arguments.index or Path(name)
        if arguments.index is not None and folder.is_dir() and exists_in(str(folder)):
            titles = json.loads((folder / "titles.json").read_text("utf-8"))
        else:
            titles = write_index(folder, arguments.documents)
        with open_store(folder) as store:
            result = measure(store, questions(titles, arguments.questions), arguments.rounds)
    print(json.dumps(result, sort_keys=True))
    return 0 if result["ratio"] <= BOUND else 1


if __name__ == "__main__":
    sys.exit(main())
