"""``steadyrank doctor [DIR]``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from steadyrank_builder.edge import FOUND
from steadyrank_builder.output import emit_json, thousands

if TYPE_CHECKING:
    from steadyrank_builder.diagnosis import Diagnosis


@click.command("doctor")
@click.argument("folder", metavar="[DIR]", required=False, type=click.Path(path_type=Path))
@click.option("--id-field", default="id", help="The field with each record's own id (id).")
@click.option("--no-id", is_flag=True, help="The index has no id field.")
@click.option(
    "--statistics",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Pinned statistics to check against the index.",
)
@click.option(
    "--max-age",
    type=click.FloatRange(min=0),
    default=90.0,
    metavar="DAYS",
    help="How old pinned statistics may be (90).",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(
    ctx: click.Context,
    folder: Path | None,
    id_field: str,
    no_id: bool,
    statistics: Path | None,
    max_age: float,
    as_json: bool,
) -> None:
    """Look for what endangers a steady order: the installed Whoosh, and the index DIR.

    Finds distributions of Whoosh installed over each other, damaged files, duplicate and missing
    ids, an analyzer or Unicode version that is not the index's, and pinned statistics that do
    not fit or are old. Exit code 3 when something is to be mended; each line says how.
    """
    from steadyrank_builder.diagnosis import diagnose

    diagnosis = diagnose(
        folder,
        id_field=None if no_id else id_field,
        statistics=statistics,
        max_age_days=max_age,
    )
    if as_json:
        emit_json(diagnosis.as_json())
    else:
        _print(diagnosis)
    if not diagnosis.sound:
        ctx.exit(FOUND)


def _print(diagnosis: Diagnosis) -> None:
    for owner in diagnosis.whoosh:
        state = f"{len(owner.damaged)} files damaged" if owner.damaged else "files intact"
        click.echo(f"{owner.name} {owner.version}, {state}")
    index = diagnosis.index
    if index is not None:
        click.echo(
            f"{index.path}: generation {index.generation}, {index.segments} segments, "
            f"{thousands(index.documents)} documents, {thousands(index.deleted)} deleted leftovers"
        )
        if index.made_with is not None:
            made = index.made_with
            click.echo(
                f"built with steadyrank {made['steadyrank']}, {made['whoosh_distribution']} "
                f"{made['whoosh_version']}, Python {made['python']}, Unicode {made['unicode']}"
            )
    if diagnosis.statistics is not None:
        click.echo(f"statistics {diagnosis.statistics}")
    for finding in diagnosis.findings:
        click.echo(f"{finding.severity}: {finding.code}: {finding.message}")
    if not diagnosis.findings:
        click.echo("nothing to mend")
