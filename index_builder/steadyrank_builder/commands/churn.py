"""``steadyrank churn DIR --questions FILE``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from steadyrank_builder.commands.asking import weights_of
from steadyrank_builder.commands.html import html_option
from steadyrank_builder.commands.outputs import check_outputs
from steadyrank_builder.commands.progress import progress
from steadyrank_builder.output import emit_json

if TYPE_CHECKING:
    from steadyrank.measure.churned import Group


def _gaps(ctx: click.Context, param: click.Parameter, value: str) -> tuple[float, ...]:
    gaps = []
    for part in value.split(","):
        try:
            gap = float(part)
        except ValueError:
            gap = math.nan
        if not (math.isfinite(gap) and gap > 0):
            raise click.BadParameter(
                f"{part.strip()!r}: give numbers above 0 with commas between, as in 0.1,0.5"
            )
        gaps.append(gap)
    return tuple(gaps)


def _counts(ctx: click.Context, param: click.Parameter, value: str | None) -> tuple[int, ...]:
    counts = []
    for part in value.split(",") if value else ():
        if not part.strip().isdecimal() or int(part) < 1:
            raise click.BadParameter(
                f"{part.strip()!r}: give numbers of documents with commas between, as in 60,300"
            )
        counts.append(int(part))
    return tuple(counts)


@click.command("churn")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--questions", "file", required=True, metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Questions: lines, .jsonl, .csv, .json or .yaml, a golden file too.",
)  # fmt: skip
@click.option("-k", type=click.IntRange(min=1), default=4, help="How long an answer is (4).")
@click.option(
    "--gaps", callback=_gaps, default="0.1,0.25,0.5,1", metavar="G,...",
    help="The gaps to try, in score points (0.1,0.25,0.5,1).",
)  # fmt: skip
@click.option(
    "--counts", callback=_counts, metavar="N,...",
    help="How many documents to add and to remove (5 % and 20 % of the index).",
)  # fmt: skip
@click.option(
    "--add", "added", metavar="FILE|DIR", type=click.Path(path_type=Path),
    help="Documents to add: JSONL or a JSON list with the index's fields, or an index. "
    "Without it they are made of the index's own words.",
)  # fmt: skip
@click.option(
    "--draws", type=click.IntRange(min=1), default=5, metavar="N",
    help="How often each change is made, by other chances (5).",
)  # fmt: skip
@click.option("--seed", type=int, default=1, help="What all chances depend on (1).")
@click.option(
    "--pinned", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False),
    help="Pinned statistics to try (those of DIR as it is).",
)  # fmt: skip
@click.option(
    "--only", "groups", multiple=True, type=click.Choice(["layout", "request", "corpus"]),
    help="Make only these changes; repeat for more.",
)  # fmt: skip
@click.option(
    "--id-field", metavar="FIELD", help="The field with each record's own id (id)."
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
@html_option
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    folder: Path,
    file: Path,
    k: int,
    gaps: tuple[float, ...],
    counts: tuple[int, ...],
    added: Path | None,
    draws: int,
    seed: int,
    pinned: Path | None,
    groups: tuple[Group, ...],
    id_field: str | None,
    no_id: bool,
    fields: Mapping[str, float] | None,
    syntax: Literal["words", "whoosh"],
    html: Path | None,
    as_json: bool,
) -> None:
    """Measure how many answers of DIR move when nothing they are about has changed.

    Every question is searched for, in stock Whoosh and in steadyrank's orders, before and after
    changes of the layout, of the request, and of other documents. DIR is only read; its documents
    are written again, from what it stores, into temporary folders. The table says which answers
    moved, and the verdict whether a gap helps on this index, where the questions can show it.
    """
    from steadyrank.index import open_index
    from steadyrank_builder.churning import GROUPS, Plan, measure_churn, read_added
    from steadyrank_builder.commands.churn_text import lines
    from steadyrank_builder.evaluation.unreadable import reading
    from steadyrank_builder.runs import Way, read_questions, write_whole

    if no_id and id_field:
        raise click.UsageError("--no-id and --id-field do not go together")
    check_outputs({"--html": html}, (folder, file))
    questions = read_questions(file)
    way = Way(id_field=id_field, no_id=no_id, fields=fields, syntax=syntax)
    plan = Plan(
        k=k,
        gaps=gaps,
        counts=counts,
        draws=draws,
        seed=seed,
        added=None if added is None else read_added(added, folder, way),
        statistics=None if pinned is None else str(pinned),
        groups=groups or GROUPS,
    )
    with reading(folder), open_index(folder, id_field=None).searcher():
        pass  # damaged files are told of as such, and a fault of what follows is not
    with progress(quiet=False) as meter:
        churn = measure_churn(folder, questions, way, plan, meter)
    if html is not None:
        from steadyrank_builder.drawing import churn_page

        write_whole(html, churn_page(churn))
    if as_json:
        emit_json(churn.to_dict())
        return
    for line in lines(churn):
        click.echo(line)
