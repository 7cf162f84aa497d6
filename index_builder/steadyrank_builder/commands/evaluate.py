"""``steadyrank evaluate DIR GOLDEN``."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from steadyrank.errors import SteadyRankError
from steadyrank_builder.commands.answer import printable_lines
from steadyrank_builder.commands.checks import Checked, Checks, check_options
from steadyrank_builder.commands.hits_text import printable
from steadyrank_builder.commands.html import html_option
from steadyrank_builder.commands.outputs import check_outputs
from steadyrank_builder.commands.ways import way_options
from steadyrank_builder.edge import BAD_INPUT, FOUND
from steadyrank_builder.output import emit_json, note

if TYPE_CHECKING:
    from steadyrank.measure import Evaluation
    from steadyrank_builder.evaluation import Asked
    from steadyrank_builder.runs import Way

_FILE = click.Path(path_type=Path, dir_okay=False)


@click.command("evaluate")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("golden", metavar="GOLDEN", type=_FILE)
@way_options
@check_options
@click.option("--concepts", type=_FILE, metavar="FILE", help="Concepts (JSON) to use.")
@click.option("--save-run", type=_FILE, metavar="FILE", help="Keep what the questions got (JSON).")
@click.option("--trec-run", type=_FILE, metavar="FILE", help="Write a TREC run, and FILE.jsonl.")
@click.option("--junit", type=_FILE, metavar="FILE", help="Write the verdicts as JUnit XML.")
@click.option(
    "--update", is_flag=True,
    help="Write what the questions got into GOLDEN, as what is expected, and show the difference.",
)  # fmt: skip
@html_option
@click.option("-v", "--verbose", is_flag=True, help="Say of every case how near it was.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(
    ctx: click.Context,
    folder: Path,
    golden: Path,
    way: Way,
    checks: Checks,
    concepts: Path | None,
    save_run: Path | None,
    trec_run: Path | None,
    junit: Path | None,
    update: bool,
    html: Path | None,
    verbose: bool,
    as_json: bool,
) -> None:
    """Ask the index in DIR the golden questions of GOLDEN and judge what they get.

    GOLDEN is YAML, JSON or JSONL. Options on settings and order are laid over those that it
    names, and a case's own over both. Exit code 3 when a case fails, a threshold is missed, or
    --prove or --rebuild find something; 2 when there is no verdict: nothing to judge, an id that
    DIR does not have, or no index to read.
    """
    from steadyrank_builder.commands.evaluate_text import lines

    rows = None if trec_run is None else trec_run.with_name(f"{trec_run.name}.jsonl")
    outputs = {"--trec-run": trec_run, "--trec-run's rows": rows, "--junit": junit}
    check_outputs({**outputs, "--save-run": save_run, "--html": html}, (folder, golden))
    over = None if concepts is None else {"concepts": str(concepts.resolve())}
    asked, evaluation = _evaluated(folder, golden, way, over)
    updated: dict[str, Any] | None = None
    if update:
        evaluation, updated = _updated(golden, asked, evaluation)
    checked = Checked()
    if checks and asked is not None and evaluation.outcome == "no-verdict":
        note("there is no verdict, so nothing was proved or rebuilt")
    elif checks and asked is not None:
        checked = checks.done(folder, golden, way, over, asked)
    if as_json:
        more = checked.to_dict() | ({} if updated is None else {"update": updated})
        emit_json(evaluation.to_dict() | more)
    elif asked is not None:
        if updated is not None:
            click.echo(printable_lines(updated["diff"]), nl=False)
            for line in updated["left"]:
                click.echo(f"not updated: {printable(line)}")
        for line in (*lines(evaluation, verbose=verbose), *checked.lines()):
            click.echo(line)
    _write(asked, evaluation, golden, save_run, trec_run, junit)
    if html is not None:
        _write_page(html, asked, evaluation, golden)
    if updated is not None and updated["error"]:
        note(f"Error: {updated['error']}")
        ctx.exit(BAD_INPUT)
    if evaluation.outcome != "passed":
        ctx.exit(FOUND if evaluation.outcome == "failed" else BAD_INPUT)
    if not checked.holds:
        ctx.exit(FOUND)


def _evaluated(
    folder: Path, golden: Path, way: Way, over: dict[str, str] | None
) -> tuple[Asked | None, Evaluation]:
    # What could not be asked is no verdict, in JSON and JUnit too; stderr says why.
    from steadyrank.measure import no_verdict
    from steadyrank_builder.commands.progress import watched
    from steadyrank_builder.evaluation import ask_golden

    try:
        asked = ask_golden(folder, golden, way, over=over, progress=watched)
    except (SteadyRankError, OSError) as error:
        if os.environ.get("STEADYRANK_TRACEBACK"):
            raise
        note(f"Error: {error}")
        return None, no_verdict(str(error))
    return asked, asked.judged()


def _updated(
    golden: Path, asked: Asked | None, evaluation: Evaluation
) -> tuple[Evaluation, dict[str, Any]]:
    # The verdict on the expectations as they are afterwards, and what was done about them.
    from steadyrank_builder.evaluation import UpdateError, update_of

    done: dict[str, Any] = {"changed": [], "left": [], "diff": "", "error": ""}
    if asked is None:
        return evaluation, done
    try:
        update = update_of(golden, asked.golden, evaluation)
        if update.diff:
            update.write()
    except UpdateError as error:
        return evaluation, done | {"error": str(error)}
    done |= {"changed": list(update.changed), "left": list(update.left), "diff": update.diff}
    return asked.judged(update.golden), done


def _write(
    asked: Asked | None,
    evaluation: Evaluation,
    golden: Path,
    save_run: Path | None,
    trec_run: Path | None,
    junit: Path | None,
) -> None:
    from steadyrank_builder.evaluation import junit_xml, write_trec
    from steadyrank_builder.runs import write_run, write_whole

    if junit is not None:
        write_whole(junit, junit_xml(evaluation, golden.name))
    if asked is not None and save_run is not None:
        write_run(asked.run, save_run)
    if asked is not None and trec_run is not None:
        write_trec(asked.run, trec_run)


def _write_page(html: Path, asked: Asked | None, evaluation: Evaluation, golden: Path) -> None:
    from steadyrank.measure import Origin, Run
    from steadyrank_builder.drawing import evaluation_page
    from steadyrank_builder.runs import write_whole

    run = Run(Origin(), ()) if asked is None else asked.run
    write_whole(html, evaluation_page(evaluation, run, golden.name))
