"""``steadyrank canonicalize DIR --id-field FIELD``."""

from __future__ import annotations

from pathlib import Path

import click

from steadyrank_builder.commands.progress import progress
from steadyrank_builder.output import emit_json, note, thousands


@click.command("canonicalize")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--id-field", required=True, metavar="FIELD", help="The field with each document's own id."
)
@click.option(
    "--out", type=click.Path(path_type=Path), metavar="DIR2",
    help="Write a new index here and leave DIR as it is.",
)  # fmt: skip
@click.option("--no-compile", is_flag=True, help="Publish without compiled posting lists.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--lock-timeout", type=click.FloatRange(min=0), default=5.0, show_default=True,
    metavar="SECONDS", help="How long to wait for another build or writer.",
)  # fmt: skip
@click.option("--quiet", is_flag=True, help="No progress and no summary.")
def command(
    folder: Path,
    id_field: str,
    out: Path | None,
    no_compile: bool,
    as_json: bool,
    lock_timeout: float,
    quiet: bool,
) -> None:
    """Give any Whoosh index in DIR a steady layout: one segment, in id order, nothing deleted.

    For an index whose material is not at hand. Postings, positions, weights, vectors, columns
    and stored fields stay as they are; the same live documents give the same content, however
    the index has grown. The old generation stays for a rollback. Ids that are missing or that
    several documents share are an error.
    """
    from steadyrank_builder.recasting import canonicalize

    with progress(quiet=quiet) as watch:
        done = canonicalize(
            folder,
            id_field=id_field,
            out=out,
            lock_timeout=lock_timeout,
            compiled=not no_compile,
            tick=lambda part, total: watch("write", part, total),
        )
    for sentence in done.notes:
        note(sentence)
    if as_json:
        emit_json(done.as_json())
    elif not quiet and done.published:
        click.echo(
            f"published generation {done.generation}: {thousands(done.documents)} documents, "
            f"digest {done.digest}; there were {done.segments} segments and "
            f"{thousands(done.deleted)} deleted documents in them"
        )
