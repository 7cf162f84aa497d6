"""``steadyrank pin DIR --out FILE``."""

from __future__ import annotations

from pathlib import Path

import click

from steadyrank_builder.output import emit_json, thousands


@click.command("pin")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Where to write the statistics (JSON). An existing file is replaced in one step.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(folder: Path, out: Path, as_json: bool) -> None:
    """Write the corpus statistics of the index DIR to a file, to score by from now on.

    Document count, document frequencies and lengths then come from the file, so that other
    documents cannot move a score. Use it with --statistics FILE, or statistics=FILE in Python.
    """
    from steadyrank.index import open_index
    from steadyrank.pinned import Statistics

    pinned = Statistics.pin(open_index(folder, id_field=None))
    pinned.save(out)
    terms = sum(len(field.terms) for field in pinned.fields.values())
    if as_json:
        emit_json(
            {
                "schema": 1,
                "path": str(out),
                "digest": pinned.digest,
                "created": pinned.created,
                "source": pinned.source,
                "documents": pinned.documents,
                "fields": sorted(pinned.fields),
                "terms": terms,
            }
        )
        return
    click.echo(
        f"pinned {thousands(pinned.documents)} documents, {len(pinned.fields)} fields, "
        f"{thousands(terms)} terms to {out}"
    )
    click.echo(f"digest {pinned.digest}")
