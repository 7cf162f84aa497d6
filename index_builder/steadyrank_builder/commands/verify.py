"""``steadyrank verify DIR``."""

from __future__ import annotations

from pathlib import Path

import click

from steadyrank_builder.edge import FOUND
from steadyrank_builder.output import emit_json, printable, thousands
from steadyrank_builder.verification.problems import Verification


@click.command("verify")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option("--digest", metavar="SHA256", help="The logical digest that the build printed.")
@click.option("--seal", metavar="SHA256", help="The seal that an earlier verify printed.")
@click.option(
    "--allow-class", "own", multiple=True, metavar="MODULE.CLASS",
    help="A class or function of yours that the index may use, as of an own analyzer. Repeat.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(
    ctx: click.Context,
    folder: Path,
    digest: str | None,
    seal: str | None,
    own: tuple[str, ...],
    as_json: bool,
) -> None:
    """Check the live generation in DIR against the record of its build.

    Every file is hashed, and every pickle in it compared with what an index needs, before any
    is opened. Exit code 3 when something is wrong. The record lies beside the files, so it
    finds damage; against someone who can write DIR, give --digest (documents and analyzer are
    what was built) and --seal (not one byte was changed), kept elsewhere.
    """
    from steadyrank_builder.verification.verify import verify

    for name in own:
        if not all(part.isidentifier() for part in name.split(".")) or "." not in name:
            message = f"{name!r} is no name of a class with its module, as in shopwords.Singular"
            raise click.BadParameter(message, ctx, param_hint="'--allow-class'")
    outcome = verify(folder, expected_digest=digest, expected_seal=seal, own=own)
    if as_json:
        emit_json(outcome.as_json())
    else:
        _print(outcome)
    if outcome.problems:
        ctx.exit(FOUND)


def _print(outcome: Verification) -> None:
    for problem in outcome.problems:
        click.echo(printable(f"{problem.code}: {problem.message}"))
    if outcome.problems:
        click.echo(f"generation {outcome.generation} of {outcome.path} is not sound")
        return
    click.echo(
        f"generation {outcome.generation} of {outcome.path} is sound: "
        f"{thousands(outcome.documents or 0)} documents, built {outcome.created} with "
        f"{outcome.made_with['whoosh_distribution']} {outcome.made_with['whoosh_version']}"
    )
    click.echo(f"digest {outcome.digest}")
    click.echo(f"seal   {outcome.seal}")
