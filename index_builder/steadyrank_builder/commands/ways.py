"""The options by which a command is told how to ask an index, for answers and for searches."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from pathlib import Path
from typing import Any, Literal

import click

from steadyrank_builder.commands.asking import weights_of


def way_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Options for settings, order, fields and syntax; the command gets them as one ``way``."""

    @wraps(command)
    def function(
        *arguments: Any,
        settings: Path | None,
        profile: Literal["shop", "guidance"] | None,
        gap: float | None,
        select: str | None,
        statistics: str | None,
        id_field: str | None,
        no_id: bool,
        fields: Mapping[str, float] | None,
        syntax: Literal["words", "whoosh"] | None,
        **others: Any,
    ) -> Any:
        from steadyrank.answering import Settings
        from steadyrank_builder.runs import Way

        if no_id and id_field:
            raise click.UsageError("--no-id and --id-field do not go together")
        policy = {"gap": gap, "select": select, "statistics": statistics}
        chosen = None if settings is None else Settings.load(settings)
        if profile is not None:
            chosen = (chosen or Settings()).overlaid({"profile": profile})
        way = Way(
            settings=chosen,
            policy={key: value for key, value in policy.items() if value is not None},
            id_field=id_field,
            no_id=no_id,
            fields=fields,
            syntax=syntax,
            bare_profile=profile if settings is None else None,
        )
        return command(*arguments, way=way, **others)

    for option in reversed(_options()):
        function = option(function)
    return function


def _options() -> list[Callable[..., Any]]:
    return [
        click.option(
            "--settings", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
            help="Settings of answers (TOML); 'steadyrank settings' prints all.",
        ),
        click.option(
            "--profile", type=click.Choice(["shop", "guidance"]), help="Whose defaults to use."
        ),
        click.option("--gap", type=click.FloatRange(min=0), help="Score points of a close band."),
        click.option(
            "--select", type=click.Choice(["band", "score"]),
            help="With a gap: whether bands or scores decide who is in.",
        ),
        click.option(
            "--statistics", metavar="live|whoosh|FILE", help="What scores may depend on."
        ),
        click.option(
            "--id-field", metavar="FIELD",
            help="Search, not answer; the field with each record's own id (id).",
        ),
        click.option("--no-id", is_flag=True, help="Search; records have no id field."),
        click.option(
            "--fields", callback=weights_of, metavar="NAME[^WEIGHT],...",
            help="Search these fields.",
        ),
        click.option(
            "--syntax", type=click.Choice(["words", "whoosh"]),
            help="Search; questions are plain words, or Whoosh's query language.",
        ),
    ]  # fmt: skip
