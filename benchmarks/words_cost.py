"""What ten ids for some words cost: search_ids, and an unchanged search, against stock Whoosh.

    python benchmarks/words_cost.py [--documents 2000 30000 60000] [--queries 100] [--ties 100000]

The catalogue of search_cost.py; any of 1 to 4 words in title or text. Stock searches, searches
of a steady view and ``search_ids`` take turns, in processor time of the thread, and must give
the same ids. ``hot``: the best of three, all words searched before. ``cold``: words that were
not, a few others were. Then many records of one score, and the first query after a commit of
100 records. Ratios are stock's time over ours, medians and the worst of all queries.
"""

from __future__ import annotations

import argparse
import gc
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from whoosh import fields, index
from whoosh import query as q

import steadyrank
from search_cost import Catalogue

FIELDS = {"title": 1.0, "text": 1.0}
Way = Callable[[Any, list[str]], list[str]]


def searched(searcher: Any, words: list[str]) -> list[str]:
    query = q.Or([q.Term(field, word) for field in FIELDS for word in words])
    return [hit["id"] for hit in searcher.search(query, limit=10)]


def direct(searcher: Any, words: list[str]) -> list[str]:
    return steadyrank.search_ids(searcher, words, 10, FIELDS)[0]


def timed(way: Way, searcher: Any, words: list[str], times: int = 1) -> tuple[float, list[str]]:
    taken = []
    for _ in range(times):
        started = time.thread_time()
        found = way(searcher, words)
        taken.append(time.thread_time() - started)
    return min(taken), found


def shown(name: str, stock: list[float], ours: list[float]) -> None:
    ratios = sorted(one / other for one, other in zip(stock, ours, strict=True))
    print(
        f"{name:28} stock {statistics.median(stock) * 1e6:8.0f} us, ours "
        f"{statistics.median(ours) * 1e6:7.0f} us, {statistics.median(ratios):6.1f} times, "
        f"worst {ratios[0]:5.2f}"
    )


def hot(catalogue: Catalogue, asked: list[list[str]]) -> None:
    gapped = steadyrank.Policy(gap=0.5)
    steady = steadyrank.stabilize(catalogue.index)
    rows: dict[str, list[float]] = {name: [] for name in ("stock", "search", "ids", "gap")}
    with (
        catalogue.index.searcher() as stock,
        steady.searcher() as ours,
        steady.searcher(policy=gapped) as banded,
    ):
        for words in asked:
            rows["stock"].append(timed(searched, stock, words, 3)[0])
            taken, expected = timed(searched, ours, words, 4)
            rows["search"].append(taken)
            taken, found = timed(direct, ours, words, 4)
            rows["ids"].append(taken)
            if found != expected:
                raise SystemExit(f"ids differ for {words}")
            rows["gap"].append(timed(direct, banded, words, 4)[0])
    for name, title in (("ids", "search_ids, hot"), ("search", "search, hot")):
        shown(title, rows["stock"], rows[name])
    shown("search_ids, gap 0.5, hot", rows["stock"], rows["gap"])


def cold(catalogue: Catalogue, asked: list[list[str]]) -> None:
    stocks, ours = [], []
    for words in asked:
        gc.collect()  # gives up what was read of the segments
        steady = steadyrank.stabilize(catalogue.index)
        with catalogue.index.searcher() as one, steady.searcher() as other:
            for searcher, way in ((one, searched), (other, direct)):
                timed(way, searcher, [word for word in catalogue.words[:9] if word not in words])
            stocks.append(timed(searched, one, words)[0])
            ours.append(timed(direct, other, words)[0])
    shown("search_ids, cold", stocks, ours)


def after_commit(catalogue: Catalogue, asked: list[list[str]]) -> None:
    stocks, ours = [], []
    steady = steadyrank.stabilize(catalogue.index)
    stock, other = catalogue.index.searcher(), steady.searcher()
    for words in asked:
        timed(searched, stock, words), timed(direct, other, words)
        writer = catalogue.index.writer()
        for product in catalogue.chance.sample(catalogue.products, 100):
            writer.update_document(**product.stored())
        writer.commit(merge=False)
        started = time.thread_time()
        stock = stock.refresh()
        timed(searched, stock, words)
        between = time.thread_time()
        other = other.refresh()
        timed(direct, other, words)
        stocks.append(between - started)
        ours.append(time.thread_time() - between)
    stock.close(), other.close()
    shown("first after a commit of 100", stocks, ours)


def ties(folder: str, count: int) -> None:
    kind = fields.ID(stored=True, unique=True)
    ix = index.create_in(folder, fields.Schema(id=kind, title=fields.TEXT, text=fields.TEXT))
    writer = ix.writer(limitmb=512)
    for number in range(count):
        writer.add_document(id=f"p{number * 7919 % count:07}", title="cup", text="blue cup")
    writer.commit()
    expected = [f"p{number:07}" for number in range(10)]
    steady = steadyrank.stabilize(ix)
    with ix.searcher() as stock, steady.searcher() as ours:
        for name in ("first", "hot"):
            stocks = [timed(searched, stock, ["cup"])[0]]
            taken, found = timed(direct, ours, ["cup"])
            if found != expected:
                raise SystemExit(f"ids differ: {found}")
            shown(f"{count} of one score, {name}", stocks, [taken])


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--documents", type=int, nargs="*", default=[2_000, 30_000, 60_000])
    parser.add_argument("--queries", type=int, default=100)
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--ties", type=int, default=100_000)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        for count in chosen.documents:
            own = Path(folder, str(count))
            own.mkdir()
            catalogue = Catalogue(str(own), count, chosen.seed)
            asked = [
                list(dict.fromkeys(catalogue.pick(1 + number % 4)))
                for number in range(chosen.queries)
            ]
            print(f"{count} documents, {chosen.queries} queries")
            hot(catalogue, asked)
            cold(catalogue, asked[: chosen.queries // 2])
            after_commit(catalogue, asked[:7])
        if chosen.ties:
            own = Path(folder, "ties")
            own.mkdir()
            ties(str(own), chosen.ties)
    return 0


if __name__ == "__main__":
    sys.exit(main())
