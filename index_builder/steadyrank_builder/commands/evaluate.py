"""``steadyrank evaluate DIR GOLDEN``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from steadyrank.errors import SteadyRankError
from steadyrank_builder.commands.ways import way_options
from steadyrank_builder.edge import BAD_INPUT, FOUND
from steadyrank_builder.output import emit_json, note

if TYPE_CHECKING:
    from steadyrank_builder.runs import Way

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("evaluate")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("golden", metavar="GOLDEN", type=_FILE)
@way_options
@click.option("--concepts", type=_FILE, metavar="FILE", help="Concepts (JSON) to use.")
@click.option("--save-run", type=_FILE, metavar="FILE", help="Keep what the questions got (JSON).")
@click.option("-v", "--verbose", is_flag=True, help="Say of every case how near it was.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(
    ctx: click.Context,
    folder: Path,
    golden: Path,
    way: Way,
    concepts: Path | None,
    save_run: Path | None,
    verbose: bool,
    as_json: bool,
) -> None:
    """Ask the index in DIR the golden questions of GOLDEN and judge what they get.

    GOLDEN is YAML, JSON or JSONL. Options on settings and order are laid over those that it
    names, and a case's own over both. Exit code 3 when a case fails or a threshold is missed, 2
    when there is no verdict: nothing to judge, an id that DIR does not have, or no index to read.
    """
    from steadyrank.measure import no_verdict
    from steadyrank_builder.commands.evaluate_text import lines
    from steadyrank_builder.commands.progress import watched
    from steadyrank_builder.evaluation import ask_golden
    from steadyrank_builder.runs import write_run

    over = None if concepts is None else {"concepts": str(concepts.resolve())}
    asked = None
    try:
        asked = ask_golden(folder, golden, way, over=over, progress=watched)
    except (SteadyRankError, OSError) as error:
        evaluation = no_verdict(str(error))
        note(f"Error: {error}")
    else:
        evaluation = asked.judged()
        if save_run is not None:
            write_run(asked.run, save_run)
    if as_json:
        emit_json(evaluation.to_dict())
    elif asked is not None:
        for line in lines(evaluation, verbose=verbose):
            click.echo(line)
    if evaluation.outcome != "passed":
        ctx.exit(FOUND if evaluation.outcome == "failed" else BAD_INPUT)
