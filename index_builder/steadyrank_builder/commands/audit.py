"""``steadyrank audit DIR --questions LOG``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import click

from steadyrank_builder.commands.asking import weights_of
from steadyrank_builder.commands.html import html_option
from steadyrank_builder.commands.outputs import check_outputs
from steadyrank_builder.commands.progress import progress
from steadyrank_builder.edge import BAD_INPUT, FOUND
from steadyrank_builder.output import emit_json


@click.command("audit")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--questions", "log", required=True, metavar="LOG",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Questions: lines, .jsonl, .csv, .json or .yaml; with a count, or repeated.",
)  # fmt: skip
@click.option("-k", type=click.IntRange(min=1), default=10, help="How long an answer is (10).")
@click.option(
    "--id-field", metavar="FIELD",
    help="The field with each record's own id (id, else the only unique field).",
)  # fmt: skip
@click.option("--no-id", is_flag=True, help="No id field: tell records apart by stored fields.")
@click.option(
    "--fields", callback=weights_of, metavar="NAME[^WEIGHT],...",
    help="The fields that questions are for (all texts).",
)  # fmt: skip
@click.option(
    "--syntax", type=click.Choice(["words", "whoosh"]), default="words",
    help="Questions are plain words, or Whoosh's query language.",
)  # fmt: skip
@click.option(
    "--sample", type=click.IntRange(min=1), metavar="N", help="Ask N of the questions, by --seed."
)
@click.option("--seed", type=int, default=0, help="What a sample and the layouts depend on (0).")
@click.option(
    "--layouts", type=click.IntRange(min=0), default=3, metavar="N",
    help="In how many other layouts to write the index (3; 0: judge by its ties alone).",
)  # fmt: skip
@click.option(
    "--max-documents", type=click.IntRange(min=1), default=100_000, metavar="N",
    help="Write no index again that has more documents (100000).",
)  # fmt: skip
@click.option(
    "--timeout", type=click.FloatRange(min=0, min_open=True), default=60.0, metavar="SECONDS",
    help="Give up a search after so long (60); stock Whoosh can loop for ever.",
)  # fmt: skip
@click.option(
    "--stock", is_flag=True, help="Judge stock Whoosh's answers also where steadyrank built DIR."
)
@click.option("--redact", is_flag=True, help="Show a hash in place of each question.")
@html_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
@click.pass_context
def command(
    ctx: click.Context,
    folder: Path,
    log: Path,
    k: int,
    id_field: str | None,
    no_id: bool,
    fields: Mapping[str, float] | None,
    syntax: Literal["words", "whoosh"],
    sample: int | None,
    seed: int,
    layouts: int,
    max_documents: int,
    timeout: float,
    stock: bool,
    redact: bool,
    html: Path | None,
    as_json: bool,
) -> None:
    """Count the answers in DIR that are decided by how the index happens to be stored.

    Asks the questions of LOG as your code does, searcher.search(query, limit=K), of the index as
    it is and of copies that have the same documents in another order. DIR is only read, the
    copies are temporary, and nothing leaves the machine. Exit code 3 when answers differ, 2 when
    no question got an answer.
    """
    from steadyrank.index import open_index
    from steadyrank.measure.audit_words import headline, next_steps
    from steadyrank_builder.auditing import AuditOptions, audit_index
    from steadyrank_builder.commands.audit_text import lines
    from steadyrank_builder.evaluation.unreadable import reading
    from steadyrank_builder.runs import read_log, write_whole

    if no_id and id_field:
        raise click.UsageError("--no-id and --id-field do not go together")
    check_outputs({"--html": html}, (folder, log))
    with reading(folder), open_index(folder, id_field=None).searcher():
        pass  # damaged files are told of as such, and a fault of what follows is not
    with progress(quiet=False) as meter:
        options = AuditOptions(
            k=k,
            id_field=id_field,
            no_id=no_id,
            fields=fields,
            syntax=syntax,
            sample=sample,
            seed=seed,
            layouts=layouts,
            max_documents=max_documents,
            timeout=timeout,
            stock=stock,
            redact=redact,
            progress=meter,
        )
        audit = audit_index(folder, read_log(log), options)
    if html is not None:
        from steadyrank_builder.drawing import audit_page

        write_whole(html, audit_page(audit))
    if as_json:
        words = {"headline": headline(audit), "next": list(next_steps(audit))}
        emit_json(audit.to_dict() | words)
    else:
        for line in lines(audit):
            click.echo(line)
    if audit.outcome != "none":
        ctx.exit(FOUND if audit.outcome == "flips" else BAD_INPUT)
