"""``steadyrank build MATERIAL... --out DIR``."""

from __future__ import annotations

from pathlib import Path

import click

from steadyrank_builder.commands.build_text import lines
from steadyrank_builder.commands.progress import progress
from steadyrank_builder.output import emit_json, note


def _mapping(
    _ctx: click.Context, _param: click.Parameter, pairs: tuple[str, ...]
) -> dict[str, str]:
    """``title=Name,text=Body`` and repeated options to one mapping."""
    mapping: dict[str, str] = {}
    for pair in (part for pairs_ in pairs for part in pairs_.split(",")):
        field, equals, column = pair.partition("=")
        field, column = field.strip(), column.strip()
        if not (field and equals and column):
            raise click.BadParameter(f"{pair!r} is not FIELD=COLUMN, as in title=Name.")
        if mapping.setdefault(field, column) != column:
            raise click.BadParameter(f"{field} is mapped to {mapping[field]!r} and to {column!r}.")
    return mapping


@click.command("build")
@click.argument(
    "material", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="MATERIAL..."
)
@click.option(
    "--out", required=True, type=click.Path(path_type=Path), metavar="DIR",
    help="The index's folder. Readers that have it open go on reading.",
)  # fmt: skip
@click.option(
    "--rejects", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="Write records that cannot be used here, as JSON lines to mend and read again.",
)  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.option(
    "--map", "mapping", multiple=True, callback=_mapping, metavar="FIELD=COLUMN",
    help="Where generic records have a field under another name. Repeat, or separate by commas.",
)  # fmt: skip
@click.option("--kind", metavar="KIND", help="The kind of generic records that name none.")
@click.option("--format", "format_", metavar="NAME", help="Read files as this format.")
@click.option("--encoding", metavar="NAME", help="Read text as this encoding, not as UTF-8.")
@click.option(
    "--language", default="en", show_default=True, metavar="CODE",
    help="The language whose rules the texts are analysed by.",
)  # fmt: skip
@click.option(
    "--prefer", metavar="SOURCE",
    help="The file or folder to believe where two have one id with different content.",
)  # fmt: skip
@click.option("--replace", is_flag=True, help="Publish over a generation that others wrote.")
@click.option(
    "--lock-timeout", type=click.FloatRange(min=0), default=5.0, show_default=True,
    metavar="SECONDS", help="How long to wait for another build or writer.",
)  # fmt: skip
@click.option(
    "--memory", "memory_mb", type=click.IntRange(min=1), default=128, show_default=True,
    metavar="MB", help="Memory for postings before they go to temporary files.",
)  # fmt: skip
@click.option("--quiet", is_flag=True, help="No progress and no summary.")
def command(
    material: tuple[Path, ...],
    out: Path,
    rejects: Path | None,
    as_json: bool,
    mapping: dict[str, str],
    kind: str | None,
    format_: str | None,
    encoding: str | None,
    language: str,
    prefer: str | None,
    replace: bool,
    lock_timeout: float,
    memory_mb: int,
    quiet: bool,
) -> None:
    """Build the index of MATERIAL (files and folders) and make it live in DIR.

    Every record is accounted for. What is live stays so until the new generation is complete,
    checked and on the disk; the previous one is kept until the next build. Material that did
    not change publishes nothing.
    """
    from steadyrank_builder.building import BuildSettings, build
    from steadyrank_builder.formats import ReadOptions

    options = ReadOptions(
        format=format_, mapping=mapping, kind=kind, encoding=encoding, language=language
    )
    with progress(quiet=quiet) as watch:
        report = build(
            material,
            out,
            BuildSettings(
                reading=options,
                language=language,
                prefer=prefer,
                force=replace,
                lock_timeout=lock_timeout,
                memory_mb=memory_mb,
                rejects=rejects,
                progress=watch,
            ),
        )
    for sentence in report.notes:
        note(sentence)
    if as_json:
        emit_json(report.as_json())
    elif not quiet:
        for line in lines(report, rejects):
            click.echo(line)
