"""What the commands that ask an index have in common: their options, and how an index is opened."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

if TYPE_CHECKING:
    from steadyrank.index import SteadyIndex


@dataclass(frozen=True, slots=True)
class Asking:
    """How a command's options say that an index is read and ordered, and what they search."""

    gap: float
    select: Literal["band", "score"]
    statistics: str
    id_field: str | None
    fields: Mapping[str, float] | None
    syntax: Literal["words", "whoosh"]

    def opened(self, folder: Path) -> SteadyIndex:
        """The index under that order."""
        from steadyrank.index import open_index

        return open_index(
            folder,
            gap=self.gap,
            select=self.select,
            statistics=self.statistics,
            id_field=self.id_field,
        )


def asking_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """The options of every command that asks an index; it gets them as one ``asking``."""

    @wraps(command)
    def function(
        *arguments: Any,
        gap: float,
        select: Literal["band", "score"],
        statistics: str,
        id_field: str,
        no_id: bool,
        fields: Mapping[str, float] | None,
        syntax: Literal["words", "whoosh"],
        **others: Any,
    ) -> Any:
        own_id = None if no_id else id_field
        asking = Asking(gap, select, statistics, own_id, fields, syntax)
        return command(*arguments, asking=asking, **others)

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
                callback=weights_of,
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


def weights_of(
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


def words_of(arguments: tuple[str, ...]) -> str:
    """The words as one text; ``-`` alone reads it from stdin."""
    if arguments == ("-",):
        return sys.stdin.buffer.read().decode("utf-8", "replace").strip()
    return " ".join(arguments)
