"""``steadyrank formats``."""

from __future__ import annotations

import click

from steadyrank_builder.output import emit_json

SCHEMA = 1


@click.command("formats")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(as_json: bool) -> None:
    """List the formats that can be read: how each is known, its fields and its suffixes.

    The fields of json, jsonl and csv are what --map can fetch from other names. Distributions add
    formats of their own by the entry point group steadyrank.formats.
    """
    from steadyrank_builder.formats import formats
    from steadyrank_builder.formats.registry import OWN

    own = {fmt.info.name for fmt in OWN}
    infos = [fmt.info for fmt in formats()]
    if as_json:
        emit_json(
            {
                "schema": SCHEMA,
                "formats": [
                    {
                        "name": info.name,
                        "description": info.description,
                        "recognised_by": info.recognised_by,
                        "fields": list(info.fields),
                        "suffixes": list(info.suffixes),
                        "own": info.name in own,
                    }
                    for info in infos
                ],
            }
        )
        return
    for number, info in enumerate(infos):
        if number:
            click.echo()
        added = "" if info.name in own else "  (added by another distribution)"
        click.echo(f"{info.name}{added}")
        click.echo(f"  {info.description}")
        click.echo(f"  known by  {info.recognised_by}")
        click.echo(f"  fields    {', '.join(info.fields)}")
        click.echo(f"  suffixes  {' '.join(info.suffixes)}")
