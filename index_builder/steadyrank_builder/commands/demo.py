"""``steadyrank demo``."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from steadyrank_builder.commands.build_text import lines
from steadyrank_builder.commands.hits_text import hits_table, printable
from steadyrank_builder.edge import FAILED
from steadyrank_builder.output import emit_json

if TYPE_CHECKING:
    from steadyrank_builder.demo import Comparison

QUESTIONS = ("trail mug", "can I swap it for another size", "450 g gas")


@click.command("demo")
@click.option(
    "--corpus", type=click.Path(path_type=Path), metavar="DIR",
    help="Another corpus: a folder with store/ and golden.yaml.",
)  # fmt: skip
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR",
    help="Keep the store's index here (else it is made in a temporary folder and removed).",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(ctx: click.Context, corpus: Path | None, out: Path | None, as_json: bool) -> None:
    """Build the sample store, ask it, and show what the order of writing does to answers.

    The same documents are written twice by a bare Whoosh writer, in two insertion orders, and
    both are asked every question of the sample. Exit code 1 unless stock Whoosh gives different
    answers and steadyrank the same, to the last bit of every score.
    """
    from steadyrank.index import open_index
    from steadyrank.retrieval import search_words
    from steadyrank_builder.building import BuildSettings, build
    from steadyrank_builder.demo import compare_orders, find_sample
    from steadyrank_builder.formats import ReadOptions

    sample = find_sample(corpus)
    with tempfile.TemporaryDirectory(prefix="steadyrank-demo-") as scratch:
        folder = out or Path(scratch) / "store.idx"
        report = build([sample.store], folder, BuildSettings(reading=ReadOptions(language="en")))
        index = open_index(folder)
        asked = [search_words(index, question) for question in QUESTIONS]
        comparison = compare_orders(index, sample.questions, Path(scratch))
    if as_json:
        emit_json(
            {
                "schema": 1,
                "build": report.as_json(),
                "searches": [found.to_dict() for found in asked],
                "comparison": _comparison_json(comparison),
            }
        )
    else:
        click.echo("1. A store's exports become an index")
        click.echo()
        for line in lines(report, None):
            click.echo(f"   {line}")
        click.echo()
        click.echo("2. Questions, and what decided each place")
        for found in asked:
            click.echo()
            click.echo(f"   {found.query}")
            for line in hits_table(found.hits):
                click.echo(f"   {line}")
        click.echo()
        for line in _comparison_text(comparison):
            click.echo(line)
    if not comparison.holds:
        ctx.exit(FAILED)


def _comparison_json(comparison: Comparison) -> dict[str, Any]:
    return {
        "questions": comparison.questions,
        "k": comparison.k,
        "stock_changed": len(comparison.stock),
        "steady_changed": len(comparison.steady),
        "steady_score_bits_changed": comparison.bits,
        "holds": comparison.holds,
        "examples": [asdict(flip) for flip in comparison.stock[:5]],
    }


def _comparison_text(comparison: Comparison) -> Iterator[str]:
    yield "3. The same documents, written by a bare Whoosh writer in two insertion orders"
    yield ""
    if comparison.stock:
        flip = min(comparison.stock, key=lambda flip: len(flip.question))
        yield f"   stock Whoosh, {flip.question!r}"
        width = max(map(len, flip.first))
        for place, (one, other) in enumerate(zip(flip.first, flip.second, strict=False), start=1):
            mark = "" if one == other else "   <- changed"
            yield f"   {place:3}  {printable(one):{width}}   {printable(other)}{mark}"
        yield ""
    yield f"   {comparison.questions} questions, the first {comparison.k} answers, both orders:"
    yield f"   stock Whoosh   {len(comparison.stock):3} answers differ"
    bits = "" if not comparison.bits else f", {comparison.bits} differ in a score bit"
    yield f"   steadyrank     {len(comparison.steady):3} answers differ{bits}"
    yield ""
    if comparison.holds:
        yield "   The order is a promise: score, then id. A rebuild does not change it."
    elif not comparison.stock:
        yield "   Stock Whoosh did not differ here, so this shows nothing."
    else:
        yield "   steadyrank differed. That is a bug: please report it with this output."
