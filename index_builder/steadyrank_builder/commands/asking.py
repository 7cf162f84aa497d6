"""What the commands that ask an index have in common: their options, and how an index is opened."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from steadyrank.index import SteadyIndex

F = TypeVar("F", bound=Callable[..., Any])


def asking_options(function: F) -> F:
    """The options of every command that asks an index: how it is read, and how it orders."""
    for option in reversed(
        [
            click.option(
                "--gap",
                type=click.FloatRange(min=0),
                default=0.0,
                help="Results within this many score points of a leader form one band (0: none).",
            ),
            click.option(
                "--select",
                type=click.Choice(["band", "score"]),
                default="band",
                help="With a gap: whether bands or scores decide who is among the first K.",
            ),
            click.option(
                "--statistics",
                default="live",
                metavar="live|whoosh|FILE",
                help="The statistics that scores depend on: live documents, Whoosh's own, pinned.",
            ),
            click.option(
                "--id-field", default="id", help="The field with each record's own id (id)."
            ),
            click.option(
                "--no-id", is_flag=True, help="The index has no id field: compare stored fields."
            ),
            click.option(
                "--fields",
                callback=_weights,
                metavar="NAME[^WEIGHT],...",
                help="The fields to search (title^1.5,heading^2.5,text,tags^0.5; else all texts).",
            ),
            click.option(
                "--syntax",
                type=click.Choice(["words", "whoosh"]),
                default="words",
                help="Take the text as plain words, or as Whoosh's query language.",
            ),
            click.option("--json", "as_json", is_flag=True, help="Print one JSON object."),
        ]
    ):
        function = option(function)
    return function


def _weights(
    ctx: click.Context, param: click.Parameter, value: str | None
) -> Mapping[str, float] | None:
    if value is None:
        return None
    weights = {}
    for part in value.split(","):
        name, _, weight = part.strip().partition("^")
        try:
            weights[name] = float(weight) if weight else 1.0
        except ValueError:
            raise click.BadParameter(
                f"{part.strip()!r}: the weight after ^ is a number, as in title^3"
            ) from None
        if not name:
            raise click.BadParameter("give names separated by commas, as in title^3,text")
    return weights


def opened(
    folder: Path, *, gap: float, select: str, statistics: str, id_field: str, no_id: bool
) -> SteadyIndex:
    """The index under the order that the options ask for."""
    from steadyrank.index import open_index

    return open_index(
        folder,
        gap=gap,
        select=select,
        statistics=statistics,
        id_field=None if no_id else id_field,
    )


def words_of(arguments: tuple[str, ...]) -> str:
    """The words as one text; ``-`` alone reads it from stdin."""
    if arguments == ("-",):
        return sys.stdin.buffer.read().decode("utf-8", "replace").strip()
    return " ".join(arguments)
