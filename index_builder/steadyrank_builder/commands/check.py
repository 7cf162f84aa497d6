"""``steadyrank check MATERIAL... --out DIR``."""

from __future__ import annotations

import click

from steadyrank_builder.commands.making import Making, making_options
from steadyrank_builder.edge import FOUND


@click.command("check")
@making_options
@click.option("--update", "as_update", is_flag=True, help="Check an update, not a build.")
@click.option(
    "--forget", multiple=True, metavar="SOURCE",
    help="With --update: leave out this file or folder of the index's sources.",
)  # fmt: skip
@click.pass_context
def command(ctx: click.Context, making: Making, as_update: bool, forget: tuple[str, ...]) -> None:
    """Say what a build of MATERIAL would do to the index in DIR, and do nothing.

    Reads all the material and tells the same as the build would. Exit code 3 when a record is
    rejected or a limit exceeded.
    """
    from steadyrank_builder.building import check

    if forget and not as_update:
        raise click.UsageError("--forget needs --update: a build takes what MATERIAL names.")

    report = making.carry_out(
        lambda settings: check(
            making.material, making.out, settings, as_update=as_update, forget=forget
        )
    )
    if report.rejected or report.tripped:
        ctx.exit(FOUND)
