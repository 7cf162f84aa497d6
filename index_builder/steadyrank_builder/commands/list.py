"""``steadyrank list DIR``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from steadyrank_builder.output import emit_json, thousands

if TYPE_CHECKING:
    from steadyrank_builder.history import Generation


@click.command("list")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(folder: Path, as_json: bool) -> None:
    """List the generations in DIR: which is live, and which a rollback would go to.

    Files are looked at by name and size; steadyrank verify reads them.
    """
    from steadyrank_builder.history import generations
    from steadyrank_builder.history.generations import SCHEMA

    found = generations(folder)
    if as_json:
        listed = [generation.as_json() for generation in found]
        emit_json({"schema": SCHEMA, "path": str(folder), "generations": listed})
        return
    for generation in found:
        click.echo(_line(generation))


def _line(generation: Generation) -> str:
    state = "live" if generation.live else "rollback" if generation.rollback else ""
    count = "?" if generation.documents is None else thousands(generation.documents)
    origin = (
        "written by others"
        if generation.made_by is None
        else f"{generation.created}  {generation.made_by}  {generation.digest}"
    )
    if generation.restores:
        origin += f"  (rollback to {generation.restores})"
    if generation.problem is not None:
        origin += f"  damaged: {generation.problem}"
    return f"{generation.number:>6}  {state:<8}  {count:>9} documents  {origin}"
