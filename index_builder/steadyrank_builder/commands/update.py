"""``steadyrank update MATERIAL... --out DIR``."""

from __future__ import annotations

import click

from steadyrank_builder.commands.making import Making, making_options


@click.command("update")
@making_options
@click.option(
    "--forget", multiple=True, metavar="SOURCE",
    help="Leave out this file or folder of the index's sources from now on. Repeat for more.",
)  # fmt: skip
def command(making: Making, forget: tuple[str, ...]) -> None:
    """Bring the index in DIR up to date with MATERIAL, and read only what changed.

    The result is what a build of all the material would give. A file that is gone from a folder
    in MATERIAL takes its documents along. What MATERIAL does not speak of stays as it is;
    --forget removes it. A file of which nothing can be used now deletes nothing. Options that
    say how to read are as they were at the last build unless they are given.
    """
    from steadyrank_builder.building import update

    making.carry_out(lambda settings: update(making.material, making.out, settings, forget=forget))
