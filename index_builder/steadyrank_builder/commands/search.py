"""``steadyrank search DIR WORDS``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from steadyrank_builder.commands.asking import Asking, asking_options, words_of
from steadyrank_builder.commands.hits_text import band_line, hits_table
from steadyrank_builder.output import emit_json, thousands

if TYPE_CHECKING:
    from steadyrank.retrieval import Found


@click.command("search")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("words", metavar="WORDS", nargs=-1)
@click.option("-k", type=click.IntRange(min=1), default=4, help="How many results (4).")
@asking_options
def command(
    folder: Path,
    words: tuple[str, ...],
    k: int,
    asking: Asking,
    as_json: bool,
) -> None:
    """Show the best results for WORDS in the index DIR, and what decided each place.

    WORDS are words: no character has a meaning of its own, unless --syntax whoosh is given.
    A single - reads them from stdin. Works on any Whoosh index; see --id-field and --fields.
    """
    from steadyrank.retrieval import search_words

    found = search_words(
        asking.opened(folder),
        words_of(words),
        k=k,
        fields=asking.fields,
        syntax=asking.syntax,
    )
    if as_json:
        emit_json(found.to_dict())
    else:
        _print(found)


def _print(found: Found) -> None:
    if not found.hits:
        click.echo(f"nothing matches {found.query!r} in generation {found.generation}")
        return
    shown = f"{len(found.hits)} of {thousands(found.total)} that match"
    gap = f", gap {found.gap:g}" if found.gap else ""
    click.echo(f"{shown}, generation {found.generation}, statistics {found.statistics}{gap}")
    for line in hits_table(found.hits):
        click.echo(line)
    for band in found.bands:
        click.echo(band_line(band))
