"""``steadyrank compare DIR GOLDEN``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import click

from steadyrank_builder.commands.asking import weights_of
from steadyrank_builder.edge import FOUND
from steadyrank_builder.output import emit_json


@click.command("compare")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("golden", metavar="GOLDEN", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--a", "a_parts", multiple=True, metavar="FILE|NAME=VALUE",
    help="Settings A: a TOML file, values over it (gap=0.5), or both; repeat. "
    "Without it those that GOLDEN names.",
)  # fmt: skip
@click.option(
    "--b", "b_parts", multiple=True, metavar="FILE|NAME=VALUE", help="Settings B, likewise."
)
@click.option(
    "--b-index", metavar="DIR2", type=click.Path(path_type=Path),
    help="A new index: both settings are asked of DIR and of it.",
)  # fmt: skip
@click.option("--seed", type=int, default=1, help="What resampling depends on (1).")
@click.option("--check", is_flag=True, help="Exit with 3 when B is shown to be worse.")
@click.option(
    "--id-field", metavar="FIELD",
    help="Search, not answer; the field with each record's own id (id).",
)  # fmt: skip
@click.option("--no-id", is_flag=True, help="Search; records have no id field.")
@click.option(
    "--fields", callback=weights_of, metavar="NAME[^WEIGHT],...", help="Search these fields."
)
@click.option(
    "--syntax", type=click.Choice(["words", "whoosh"]),
    help="Search; questions are plain words, or Whoosh's query language.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(
    ctx: click.Context,
    folder: Path,
    golden: Path,
    a_parts: tuple[str, ...],
    b_parts: tuple[str, ...],
    b_index: Path | None,
    seed: int,
    check: bool,
    id_field: str | None,
    no_id: bool,
    fields: Mapping[str, float] | None,
    syntax: Literal["words", "whoosh"] | None,
    as_json: bool,
) -> None:
    """Compare settings A and B on the questions of GOLDEN, or both on two indexes.

    Reports each question that differs, the means with intervals from resampling the questions, a
    paired randomization test, and no verdict without enough questions. Exit code 0 whatever is
    found; with --check 3 when B is shown to be worse. Without questions 2.
    """
    from steadyrank_builder.commands.compare_text import lines
    from steadyrank_builder.commands.progress import watched
    from steadyrank_builder.comparing import compare, given_settings
    from steadyrank_builder.runs import Way

    if not b_parts and b_index is None:
        raise click.UsageError(
            "give settings to compare with --b (a TOML file, or values as in --b gap=0.5), "
            "or another index with --b-index"
        )
    if no_id and id_field:
        raise click.UsageError("--no-id and --id-field do not go together")
    compared = compare(
        folder,
        golden,
        given_settings(a_parts),
        given_settings(b_parts) if b_parts else None,
        b_index=b_index,
        way=Way(id_field=id_field, no_id=no_id, fields=fields, syntax=syntax),
        seed=seed,
        progress=watched,
    )
    if as_json:
        emit_json(compared.to_dict())
    else:
        for line in lines(compared):
            click.echo(line)
    if check and compared.worse:
        ctx.exit(FOUND)
