"""``steadyrank build MATERIAL... --out DIR``."""

from __future__ import annotations

import click

from steadyrank_builder.commands.making import Making, making_options


@click.command("build")
@making_options
def command(making: Making) -> None:
    """Build the index of MATERIAL (files and folders) and make it live in DIR.

    Every record is accounted for. What is live stays so until the new generation is complete,
    checked and on the disk; the previous one is kept until the next build. Material that did
    not change publishes nothing. Exit code 3 when a limit is exceeded: then nothing is
    published, and the message says how to go on.
    """
    from steadyrank_builder.building import build

    making.carry_out(lambda settings: build(making.material, making.out, settings))
