"""Churn on a real catalogue: which answers move when other products come and go.

    python benchmarks/churn_icecat.py --icecat DIR > tables.md

DIR holds ``products.jsonl`` (1,417 electronics products of the Icecat open catalogue, as the
querqy/chorus project publishes them) and ``queries.txt`` (68 shoppers' queries). Two
measurements:

- the whole catalogue, with products removed and with documents made of its own words added;
- the catalogue without 300 products held out by a seed, with 60 of these and all of them added.

Every figure is one that ``steadyrank churn`` prints for such an index; this script builds the
indexes and lays the figures out as Markdown.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from whoosh.index import create_in

from steadyrank.measure import Churn, Share
from steadyrank.measure.gap_verdict import p_text
from steadyrank.schema import store_schema
from steadyrank_builder.churning import Plan, measure_churn
from steadyrank_builder.runs import Way, read_questions

HELD_OUT = 300
GAPS = (0.1, 0.25, 0.5, 1.0)


def products(path: Path) -> list[dict[str, str]]:
    """The fields that a product is searched by, in the order of the file."""
    found = []
    for line in path.read_text("utf-8").splitlines():
        product: dict[str, Any] = json.loads(line)
        texts = {"title": product.get("title"), "text": product.get("short_description")}
        own = {"id": product["id"], "document": product["id"], "kind": "product"}
        found.append(own | {name: text for name, text in texts.items() if text})
    return found


def indexed(folder: Path, documents: Sequence[dict[str, str]]) -> Path:
    """A store's index of these documents."""
    folder.mkdir()
    writer = create_in(str(folder), store_schema()).writer()
    for document in documents:
        writer.add_document(**document)
    writer.commit()
    return folder


def said(share: Share) -> str:
    """A share with its interval, in percent."""
    low, high = share.interval.low, share.interval.high
    return f"{share.share * 100:.1f} [{low * 100:.0f}, {high * 100:.0f}]"


def table(churn: Churn, group: str) -> Iterator[str]:
    """One table per change of the corpus; one for all others of a group."""
    chosen = [one for one in churn.perturbations if one.group == group]
    if group != "corpus":
        yield f"| {group} | " + " | ".join(one.name for one in chosen) + " |"
        yield "|---|" + "---|" * len(chosen)
        for ordering in churn.orderings:
            cells = [said(churn.cell(ordering.name, one.name).order) for one in chosen]
            yield f"| {ordering.name} | " + " | ".join(cells) + " |"
        yield ""
        return
    for one in chosen:
        times = "once" if one.draws == 1 else f"{one.draws} times"
        yield f"{one.what[0].upper()}{one.what[1:]}, {times}:"
        yield ""
        yield "| | order | set | first | pairs turned |"
        yield "|---|---|---|---|---|"
        for ordering in churn.orderings:
            cell = churn.cell(ordering.name, one.name)
            pairs = "" if cell.pairs is None else f"{cell.pairs.changed} of {cell.pairs.compared}"
            shares = " | ".join(said(share) for share in (cell.order, cell.set, cell.first))
            yield f"| {ordering.name} | {shares} | {pairs} |"
        yield ""


def tests(churn: Churn) -> Iterator[str]:
    """Each gap against none, over all changes of the corpus."""
    yield "| gap | without it | with it | steadier | less steady | p | p (Holm) |"
    yield "|---|---|---|---|---|---|---|"
    for test in churn.tests:
        yield (
            f"| {test.ordering} | {test.without:.1%} | {test.with_gap:.1%} | {test.steadier} | "
            f"{test.less_steady} | {p_text(test.p)} | {p_text(test.p_adjusted)} |"
        )
    yield ""
    yield from (f"- {line}" for line in churn.verdict)


def main() -> int:
    """Print both measurements."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--icecat", type=Path, required=True)
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    questions = read_questions(arguments.icecat / "queries.txt")
    documents = products(arguments.icecat / "products.jsonl")
    way = Way(id_field="id")
    with tempfile.TemporaryDirectory() as name:
        whole = indexed(Path(name) / "whole", documents)
        plan = Plan(gaps=GAPS, counts=(60, 300), draws=arguments.draws, seed=arguments.seed)
        churn = measure_churn(whole, questions, way, plan)
        print(f"## The whole catalogue: {len(documents)} products, {len(questions)} questions\n")
        for group in ("layout", "request", "corpus"):
            print("\n".join(table(churn, group)), flush=True)
        print("\n".join(tests(churn)))

        held = set(random.Random(arguments.seed).sample(range(len(documents)), HELD_OUT))
        base = [one for place, one in enumerate(documents) if place not in held]
        added = [documents[place] for place in sorted(held)]
        part = indexed(Path(name) / "part", base)
        plan = Plan(
            gaps=GAPS,
            counts=(60, HELD_OUT),
            draws=arguments.draws,
            seed=arguments.seed,
            added=added,
            groups=("corpus",),
        )
        churn = measure_churn(part, questions, way, plan)
        print(f"\n## {HELD_OUT} products held out: {len(base)} products, and the others added\n")
        print("\n".join(table(churn, "corpus")))
        print("\n".join(tests(churn)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
