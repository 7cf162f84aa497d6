"""``steadyrank rollback DIR``."""

from __future__ import annotations

from pathlib import Path

import click

from steadyrank_builder.output import emit_json, note, thousands


@click.command("rollback")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--lock-timeout", type=click.FloatRange(min=0), default=5.0, show_default=True,
    metavar="SECONDS", help="How long to wait for another build or writer.",
)  # fmt: skip
def command(folder: Path, as_json: bool, lock_timeout: float) -> None:
    """Make the generation before the live one live again, as a new generation.

    Its files are compared with their recorded hashes first. Open readers go on reading. The
    generation that was live stays for a rollback of the rollback.
    """
    from steadyrank_builder.history import rollback

    done = rollback(folder, lock_timeout=lock_timeout)
    for sentence in done.notes:
        note(sentence)
    if as_json:
        emit_json(done.as_json())
        return
    click.echo(f"published generation {done.generation}, which is what {done.restores} was")
    if done.digest is not None:
        click.echo(f"{thousands(done.documents or 0)} documents, digest {done.digest}")
