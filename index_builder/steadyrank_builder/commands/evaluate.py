"""``steadyrank evaluate DIR GOLDEN``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from steadyrank_builder.commands.hits_text import printable
from steadyrank_builder.edge import BAD_INPUT, FOUND
from steadyrank_builder.output import emit_json

if TYPE_CHECKING:
    from steadyrank.measure import Evaluation


@click.command("evaluate")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("golden", metavar="GOLDEN", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--settings", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="Settings (TOML) in place of those that GOLDEN names.",
)  # fmt: skip
@click.option("--profile", type=click.Choice(["shop", "guidance"]), help="Whose defaults to use.")
@click.option(
    "--concepts", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="Concepts (JSON) to use.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(
    ctx: click.Context,
    folder: Path,
    golden: Path,
    settings: Path | None,
    profile: str | None,
    concepts: Path | None,
    as_json: bool,
) -> None:
    """Ask the store in DIR the golden questions of GOLDEN and judge its answers.

    GOLDEN is YAML, JSON or JSONL. Exit code 3 when a case fails or a threshold is missed, 2 when
    there is nothing to judge or a case names an id that DIR does not have: that is never a pass.
    """
    from steadyrank_builder.commands.progress import watched
    from steadyrank_builder.evaluation import evaluate_file

    evaluation = evaluate_file(
        folder,
        golden,
        settings_path=settings,
        profile=profile,
        concepts=concepts,
        progress=watched,
    )
    if as_json:
        emit_json(evaluation.to_dict())
    else:
        for line in _lines(evaluation):
            click.echo(line)
    if evaluation.outcome != "passed":
        ctx.exit(FOUND if evaluation.outcome == "failed" else BAD_INPUT)


def _lines(evaluation: Evaluation) -> Iterator[str]:
    for case in evaluation.cases:
        if case.why:
            mark = "FAILED" if case.passed is False else "missed"
            yield f"{mark}  {case.number}. {printable(case.question)}"
            yield f"        {printable(case.why)}"
            yield f"        got {', '.join(map(printable, case.got)) or 'nothing'}"
    for name, value in evaluation.metrics.items():
        yield f"{name} {value:.1%}" if isinstance(value, float) else f"{name} {value}"
    for id in evaluation.unknown:
        yield f"unknown id: {printable(id)}"
    for fault in evaluation.missed:
        yield f"missed: {fault}"
    if evaluation.outcome == "no-verdict" and not evaluation.unknown:
        yield "nothing to judge: no case has a mode, and no threshold is set"
    yield f"{evaluation.outcome}: {evaluation.passed} passed, {evaluation.failed} failed"
