"""``steadyrank compile DIR``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from steadyrank_builder.commands.progress import progress
from steadyrank_builder.output import emit_json, thousands

if TYPE_CHECKING:
    from steadyrank.compiling import CompiledSegment


@click.command("compile")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--id-field", metavar="FIELD",
    help="The field with each record's id, by default id where there is one.",
)  # fmt: skip
@click.option("--indexname", metavar="NAME", help="The index's name, where the folder has several.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option("--quiet", is_flag=True, help="No progress and no summary.")
def command(
    folder: Path, id_field: str | None, indexname: str | None, as_json: bool, quiet: bool
) -> None:
    """Write a file of decoded posting lists beside each segment of any Whoosh index in DIR.

    Processes map it instead of decoding what they search, and share its pages. Segments that
    have one that fits keep it, so run it after a commit for the new ones. No lock is taken and
    the index itself stays as it is; results are the same with and without these files.
    """
    from steadyrank.compiling import compile_index

    with progress(quiet=quiet) as watch:
        done = compile_index(
            folder,
            id_field=id_field,
            indexname=indexname,
            tick=lambda part, total: watch("compile", part, total),
        )
    if as_json:
        emit_json(done.as_json())
        return
    if quiet:
        return
    for segment in done.segments:
        click.echo(_line(segment))
    for name in done.removed:
        click.echo(f"removed   {name}")
    if not done.segments:
        click.echo("the index has no segment")


def _line(segment: CompiledSegment) -> str:
    share = 100 * segment.size / max(1, segment.segment_size)
    line = (
        f"{segment.action:8}  {segment.file}: {thousands(segment.documents)} documents, "
        f"{thousands(segment.terms)} terms, {thousands(segment.size)} bytes "
        f"({share:.0f} % of the segment), {segment.seconds:.1f} s"
    )
    return line if segment.why is None else f"{line}; there was one, but {segment.why}"
