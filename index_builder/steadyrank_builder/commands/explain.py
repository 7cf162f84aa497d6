"""``steadyrank explain DIR WORDS ID``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from steadyrank_builder.commands.asking import Asking, asking_options, words_of
from steadyrank_builder.commands.hits_text import printable
from steadyrank_builder.output import emit_json, thousands

if TYPE_CHECKING:
    from steadyrank.retrieval import Explained
    from steadyrank.scoring import Explanation


@click.command("explain")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("words", metavar="WORDS")
@click.argument("id", metavar="ID")
@asking_options
def command(
    folder: Path,
    words: str,
    id: str,
    asking: Asking,
    as_json: bool,
) -> None:
    """Show why the document ID has its score and its place for WORDS.

    The tree of the score with the statistics that each term used, what the document ties with,
    and its band.
    """
    from steadyrank.retrieval import explain_words

    explained = explain_words(
        asking.opened(folder),
        words_of((words,)),
        id,
        fields=asking.fields,
        syntax=asking.syntax,
    )
    if as_json:
        emit_json(explained.to_dict())
        return
    for line in _lines(explained):
        click.echo(line)


def _lines(explained: Explained) -> Iterator[str]:
    placement = explained.placement
    who = printable(explained.id)
    if placement is None:
        yield f"{who} does not match {explained.query!r} ({thousands(explained.total)} do)"
        return
    yield (
        f"{who} is number {explained.rank} of {thousands(explained.total)} "
        f"for {explained.query!r}, decided by {placement.decided_by}"
    )
    if explained.tied_with:
        named = ", ".join(map(printable, explained.tied_with))
        more = placement.tie_size - 1 - len(explained.tied_with)
        yield f"tied with {named}" + (f" and {thousands(more)} more" if more else "")
    if placement.margin is not None:
        yield f"{placement.margin:.6f} above the next lower score"
    if explained.band is not None:
        band = explained.band
        yield (
            f"in band {band.number} of {band.size}, led by {printable(explained.band_leader or '')}"
            f" at {band.leader.score:.6f}, span {band.span:.6f} of gap {explained.gap:g}"
        )
        if placement.headroom is not None:
            yield f"{placement.headroom:.6f} further from the leader it would leave the band"
    yield ""
    yield from _tree(explained.tree, 0)


def _tree(node: Explanation, depth: int) -> Iterator[str]:
    if node.score is None:
        return  # a clause that does not match adds nothing to the score
    detail = ""
    if node.detail:
        detail = (
            "  ["
            + ", ".join(
                f"{name.replace('_', ' ')} {value:g}" for name, value in node.detail.items()
            )
            + "]"
        )
    outside = "" if node.promised else "  (scored by its own matcher: outside the promise)"
    yield f"{'  ' * depth}{node.score:.6f}  {printable(node.description)}{detail}{outside}"
    for child in node.children:
        yield from _tree(child, depth + 1)
