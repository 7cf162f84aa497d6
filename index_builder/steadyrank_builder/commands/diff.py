"""``steadyrank diff BASE FRESH``."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from steadyrank.errors import SteadyRankError
from steadyrank_builder.commands.html import html_option
from steadyrank_builder.commands.outputs import check_outputs
from steadyrank_builder.commands.ways import way_options
from steadyrank_builder.edge import BAD_INPUT, FOUND
from steadyrank_builder.output import emit_json, note

if TYPE_CHECKING:
    from steadyrank.measure.drift import Check
    from steadyrank_builder.runs import Way

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("diff")
@click.argument("base", metavar="BASE", type=click.Path(path_type=Path))
@click.argument("fresh", metavar="FRESH", type=click.Path(path_type=Path))
@click.option(
    "--questions", type=_FILE, metavar="FILE",
    help="Questions: lines, .jsonl, .csv, .json or .yaml (those of a saved run).",
)  # fmt: skip
@click.option("-k", type=click.IntRange(min=1), help="How long an answer is (as settings say).")
@click.option(
    "--check", "checks", multiple=True, default=("order",), show_default=True,
    type=click.Choice(["order", "set", "first", "confidence"]),
    help="What must not drift; repeat for more.",
)  # fmt: skip
@way_options
@click.option("--save-run", type=_FILE, metavar="FILE", help="Keep what FRESH gave (JSON).")
@click.option(
    "-v", "--verbose", is_flag=True, help="Say all that contributes and all that is near."
)
@html_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(
    ctx: click.Context,
    base: Path,
    fresh: Path,
    questions: Path | None,
    k: int | None,
    checks: tuple[Check, ...],
    way: Way,
    save_run: Path | None,
    verbose: bool,
    html: Path | None,
    as_json: bool,
) -> None:
    """Say what answers changed from BASE to FRESH, why, and which are near to it.

    Each is the folder of an index or a saved run (--save-run of diff and evaluate). Exit code 3
    when what is checked drifted, 2 when there is no verdict: no question that both were asked, or
    nothing to read.
    """
    from steadyrank.index import open_index
    from steadyrank.measure.drift import no_drift_verdict
    from steadyrank_builder.commands.diff_text import diff_lines
    from steadyrank_builder.commands.progress import watched
    from steadyrank_builder.drifting import compare_sides
    from steadyrank_builder.evaluation.unreadable import reading
    from steadyrank_builder.runs import write_run, write_whole

    # A run may be the next one's BASE under its name: it is written whole, after it was read.
    asked = [] if questions is None else [questions]
    folders = [side for side in (base, fresh) if side.is_dir()]
    check_outputs({"--save-run": save_run, "--html": html}, [*folders, *asked])
    check_outputs({"--html": html}, (base, fresh))
    try:
        for side in (base, fresh):
            if side.is_dir():
                with reading(side), open_index(side, id_field=None).searcher():
                    pass  # damaged files are told of as such
        compared = compare_sides(base, fresh, way, questions, k, checks, watched)
        drift, unasked = compared.drift, compared.unasked
    except (SteadyRankError, OSError) as error:
        if os.environ.get("STEADYRANK_TRACEBACK"):
            raise
        # What could not be compared is no verdict, in JSON too.
        compared, unasked = None, ()
        drift = no_drift_verdict(str(error), checks)
    if as_json:
        emit_json(drift.to_dict() | {"unasked": [asdict(one) for one in unasked]})
    elif compared is not None:
        for line in diff_lines(drift, unasked, verbose=verbose):
            click.echo(line)
    if compared is None:
        note(f"Error: {drift.why}")
    elif save_run is not None:
        write_run(compared.fresh, save_run)
    if html is not None:
        from steadyrank_builder.drawing import drift_page

        write_whole(html, drift_page(drift))
    if drift.outcome != "none":
        ctx.exit(FOUND if drift.outcome == "drift" else BAD_INPUT)
