"""``steadyrank answer DIR QUESTION``."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from steadyrank_builder.commands.hits_text import pad, printable, shortened, width
from steadyrank_builder.output import emit_json

if TYPE_CHECKING:
    from steadyrank.answering import Answer, Settings


def _quotas(ctx: click.Context, param: click.Parameter, pairs: tuple[str, ...]) -> dict[str, int]:
    quotas = {}
    for pair in pairs:
        kind, equals, count = pair.partition("=")
        if not (kind and equals and count.isdecimal()):
            raise click.BadParameter(f"{pair!r} is not KIND=NUMBER, as in product=20")
        quotas[kind] = int(count)
    return quotas


@click.command("answer")
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.argument("question", metavar="QUESTION", nargs=-1)
@click.option("-k", type=click.IntRange(min=1, max=1000), help="How many pieces (4).")
@click.option(
    "--quota", "quotas", multiple=True, callback=_quotas, metavar="KIND=N",
    help="Candidates of a kind that the ranking sees; repeat for more kinds.",
)  # fmt: skip
@click.option(
    "--settings", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
    help="Settings (TOML); 'steadyrank settings' prints all with their defaults.",
)  # fmt: skip
@click.option("--profile", type=click.Choice(["shop", "guidance"]), help="Whose defaults to use.")
@click.option(
    "--questions", type=click.File("rb"), metavar="FILE",
    help="Answer each line of FILE (- for stdin): a text, or JSON with a question; prints JSONL.",
)  # fmt: skip
@click.option("--context", is_flag=True, help="Print the text for a prompt instead.")
@click.option(
    "--budget", type=click.IntRange(min=1), default=4000, show_default=True, metavar="CHARS",
    help="Length of that text, at most.",
)  # fmt: skip
@click.option("--explain", is_flag=True, help="Print what decided each place instead.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    folder: Path,
    question: tuple[str, ...],
    k: int | None,
    quotas: dict[str, int],
    settings: Path | None,
    profile: str | None,
    questions: Any,
    context: bool,
    budget: int,
    explain: bool,
    as_json: bool,
) -> None:
    """Answer QUESTION with the best pieces of the store in DIR, and say how sure that is.

    DIR is an index that 'steadyrank build' wrote. A single - reads the question from stdin.
    """
    from steadyrank.answering import open_store
    from steadyrank_builder.commands.asking import words_of
    from steadyrank_builder.commands.progress import watched

    if (questions is not None) == bool(question):
        raise click.UsageError("give either a QUESTION or --questions FILE")
    if (questions is not None) + context + explain + as_json > 1:
        raise click.UsageError("--questions, --context, --explain and --json exclude each other")
    chosen = settings_of(settings, profile, quotas, k)
    with open_store(folder, chosen) as store:
        if questions is not None:
            for asked in watched(_asked(questions)):
                emit_json(store.answer(asked).to_dict())
            return
        answer = store.answer(words_of(question))
    if as_json:
        emit_json(answer.to_dict())
    elif context:
        click.echo(printable_lines(answer.context(budget)))
    elif explain:
        click.echo(printable_lines(answer.explain()))
    else:
        for line in _lines(answer):
            click.echo(line)


def settings_of(
    path: Path | None, profile: str | None, quotas: dict[str, int], k: int | None
) -> Settings:
    """The settings of a file with what the options say laid over them."""
    from steadyrank.answering import Settings

    settings = Settings.load(path) if path is not None else Settings()
    over: dict[str, Any] = {}
    if profile is not None:
        over["profile"] = profile
    if quotas:
        over["fetch"] = {"quotas": {**settings.fetch.quotas, **quotas}, "unlimited": False}
    if k is not None:
        over["take"] = {"count": k}
    return settings.overlaid(over)


def _asked(lines: Iterable[bytes]) -> list[str]:
    """The questions of a file; click.BadParameter lists the lines that are none."""
    found, faults = [], []
    for number, line in enumerate(lines, start=1):
        try:
            text = line.decode("utf-8-sig" if number == 1 else "utf-8").strip()
            question = json.loads(text)["question"] if text.startswith("{") else text
        except (ValueError, KeyError) as error:
            faults.append(f"line {number}: {error!r}")
            continue
        if not isinstance(question, str):
            faults.append(f"line {number}: the question is {question!r}, not a text")
        elif text:
            found.append(question)
    if faults:
        raise click.BadParameter(
            "a line is a text, or JSON with a question; " + "; ".join(faults[:10])
        )
    if not found:
        raise click.BadParameter("there is no question in it")
    return found


def printable_lines(text: str) -> str:
    """Several lines, each without what would move a terminal's cursor."""
    return "\n".join(map(printable, text.split("\n")))


def _lines(answer: Answer) -> Iterator[str]:
    yield f"confidence {answer.confidence}: {answer.certainty.reason}"
    if answer.fallback:
        yield answer.fallback
    wide = max((width(piece.id) for piece in answer.pieces), default=0)
    for place, piece in enumerate(answer.pieces):
        bracket = ""
        if piece.band is not None:
            same = [p.band == piece.band for p in answer.pieces]
            up = place > 0 and same[place - 1]
            down = place + 1 < len(same) and same[place + 1]
            bracket = {(0, 0): "- ", (0, 1): "┌ ", (1, 1): "│ ", (1, 0): "└ "}[up, down]
        name = piece.title if not piece.heading else f"{piece.title}: {piece.heading}"
        tie = f", {piece.tie_size} with this score" if piece.tie_size > 1 else ""
        yield ""
        yield (
            f"{bracket}{piece.rank}  {piece.score:.4f}  {pad(printable(piece.id), wide)}  "
            f"{shortened(name)}  (by {piece.decided_by}{tie})"
        )
        yield f"   {_marked(piece.excerpt, piece.excerpt_matches)}"
    if answer.related:
        yield ""
        yield "related: " + ", ".join(printable(related.id) for related in answer.related)
    if answer.cut.in_tie and not answer.cut.by_limit:
        yield ""
        yield "the cut runs through a tie: only the id decided who is in"


def _marked(text: str, matches: tuple[tuple[int, int], ...]) -> str:
    parts = []
    place = 0
    for start, end in matches:
        parts += [printable(text[place:start]), click.style(printable(text[start:end]), bold=True)]
        place = end
    return "".join([*parts, printable(text[place:])])
