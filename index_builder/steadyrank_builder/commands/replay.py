"""``steadyrank replay LOG``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

from steadyrank.errors import SteadyRankError
from steadyrank_builder.edge import BAD_INPUT, FOUND
from steadyrank_builder.output import emit_json, note

if TYPE_CHECKING:
    from steadyrank_builder.drifting import Replay

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("replay")
@click.argument("log", metavar="LOG", type=_FILE)
@click.option(
    "--index", "indexes", multiple=True, metavar="DIR", type=click.Path(path_type=Path),
    help="Ask again on DIR; repeat for more. Without it the log is held against itself.",
)  # fmt: skip
@click.option("-k", type=click.IntRange(min=1, max=1000), help="How many pieces (4).")
@click.option(
    "--settings", type=_FILE, metavar="FILE",
    help="The settings (TOML) that the log was written under; it keeps only their hash.",
)  # fmt: skip
@click.option("--profile", type=click.Choice(["shop", "guidance"]), help="Whose defaults to use.")
@click.option("-v", "--verbose", is_flag=True, help="Name every answer, the same ones too.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(
    ctx: click.Context,
    log: Path,
    indexes: tuple[Path, ...],
    k: int | None,
    settings: Path | None,
    profile: str | None,
    verbose: bool,
    as_json: bool,
) -> None:
    """Ask the questions of logged answers again and say which answers changed, and by what.

    LOG has a line for each answer, as 'steadyrank answer --json' and '--questions' print it.
    Without --index each answer is held against the one before it to the same question. Exit code
    3 when answers changed, 2 when there is no verdict: a line that is no answer, or nothing to
    hold an answer against.
    """
    from steadyrank_builder.commands.answer import settings_of
    from steadyrank_builder.commands.progress import watched
    from steadyrank_builder.commands.replay_text import replay_lines
    from steadyrank_builder.drifting import Replay, replay_log

    if not indexes and (settings or profile or k):
        raise click.UsageError("--settings, --profile and -k say how to ask: give --index too")
    failed = False
    try:
        replay: Replay = replay_log(log, indexes, settings_of(settings, profile, {}, k), watched)
    except (SteadyRankError, OSError) as error:
        if os.environ.get("STEADYRANK_TRACEBACK"):
            raise
        failed = True
        replay = Replay(str(log), tuple(map(str, indexes)), 0, (), why=str(error))
        note(f"Error: {error}")
    if as_json:
        emit_json(replay.to_dict())
    elif not failed:
        for line in replay_lines(replay, verbose=verbose):
            click.echo(line)
    if replay.outcome != "same":
        ctx.exit(FOUND if replay.outcome == "changed" else BAD_INPUT)
