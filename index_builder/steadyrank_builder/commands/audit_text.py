"""An audit for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from steadyrank.measure import Audit, Entry
from steadyrank.measure.audit import CAUSES, QUANTILES, Example, Margins, Share
from steadyrank.measure.audit_words import CAUSE_WORDS, details, headline, next_steps, percent
from steadyrank_builder.commands.hits_text import pad, printable, shortened
from steadyrank_builder.output import thousands

_LABEL, _CELL = 34, 16
_SIDE = 40  # columns of one of two rankings
_SHOWN = 10  # places that differ, and questions that failed


def lines(audit: Audit) -> Iterator[str]:
    """The sentence, what to do, the figures, and the worst answers."""
    yield headline(audit)
    yield from details(audit)
    steps = next_steps(audit)
    if steps:
        yield ""
        yield from steps
    yield ""
    yield from _subject(audit)
    if audit.answers.distinct:
        yield ""
        yield from _table(audit)
        yield ""
        yield from _margins(audit)
    yield from _failed(audit)
    if audit.examples:
        yield ""
        count = f" {len(audit.examples)}" if len(audit.examples) > 1 else ""
        yield f"The worst{count}, at the places that differ"
    for example in audit.examples:
        yield ""
        yield from _example(example)


def _subject(audit: Audit) -> Iterator[str]:
    subject, origin = audit.subject, audit.subject.origin
    versions = origin.versions
    segments = "1 segment" if subject.segments == 1 else f"{subject.segments} segments"
    deleted = f", {thousands(subject.deleted)} deleted leftovers" if subject.deleted else ""
    yield f"index      {printable(subject.path)}, generation {origin.generation}"
    yield (
        f"           {thousands(origin.documents)} documents in {segments}{deleted}; "
        f"{versions.get('whoosh_distribution')} {versions.get('whoosh_version')}"
    )
    by = f"by the field {subject.id_field}" if subject.id_field else "by all stored fields"
    yield f"records    told apart {by}"
    fields = ", ".join(
        name if weight == 1 else f"{name}^{weight:g}" for name, weight in subject.fields.items()
    )
    syntax = "words" if subject.syntax == "words" else "Whoosh's query language"
    yield f"questions  {_times(audit.sampled)}{_sampled(audit)}, as {syntax} in {fields}"
    yield f"answers    the first {audit.k}, as searcher.search(query, limit={audit.k}) has them"


def _sampled(audit: Audit) -> str:
    if audit.sampled == audit.questions:
        return ""
    return f", a sample of {_times(audit.questions)}"


def _times(share: Share) -> str:
    text = thousands(share.distinct)
    return text if share.asked == share.distinct else f"{text} (asked {thousands(share.asked)} x)"


def _row(label: str, *cells: str) -> str:
    return (pad(label, _LABEL) + "".join(cell.rjust(_CELL) for cell in cells)).rstrip()


def _table(audit: Audit) -> Iterator[str]:
    whole = audit.answers.distinct

    def cell(share: Share | None) -> str:
        if share is None:
            return "-"
        return f"{share.distinct}  {percent(share.distinct, whole):>5}"

    stock, steady = audit.stock, audit.steady
    compared = audit.not_rebuilt is None
    yield _row("", "stock Whoosh", "steadyrank")
    yield _row("answers", f"{whole}       ", f"{whole}       " if compared else "-")
    other = "differ in another layout" if compared else "would differ in another layout"
    yield _row(other, cell(stock.flips), cell(steady.flips if compared else None))
    for cause in CAUSES:
        if stock.causes.get(cause, Share()).distinct or steady.causes.get(cause, Share()).distinct:
            yield _row(
                f"  {CAUSE_WORDS[cause]}",
                cell(stock.causes[cause]),
                cell(steady.causes[cause] if compared else None),
            )
    for layout in audit.layouts if compared else ():
        yield _row(
            f"  against {layout.name}",
            cell(stock.layouts[layout.name]),
            cell(steady.layouts[layout.name]),
        )
    if compared:
        yield _row("same order, other score bits", cell(stock.bits), cell(steady.bits))
    yield _row("equal scores at the cut", cell(audit.ties.cut))
    yield _row("equal scores inside", cell(audit.ties.inside))
    yield _row(f"limit={audit.k} and limit=None differ", cell(audit.lost))
    if audit.empty.distinct:
        yield f"{audit.empty.distinct} more questions got no hit"


def _margins(audit: Audit) -> Iterator[str]:
    if not (audit.cut.answers or audit.inside.answers):
        yield "No other answer has a margin to tell."
        return
    names = ["least", *(f"{share:.0%}" for share in QUANTILES[1:-1]), "most"]
    yield "How far the other answers are from a change, in score points (answers at or below):"
    yield _quantile_row("", names) + "   answers"
    for label, margins in (("after the last place", audit.cut), ("between places", audit.inside)):
        yield from _quantiles(label, margins)
    if audit.not_rebuilt is not None:
        return
    if audit.moved:
        yield (
            f"The layout alone moved a score by up to {audit.moved:.2g}; "
            f"{audit.near.distinct} of these answers have a margin no larger than that."
        )
    else:
        yield "The layout alone moved no score."


def _quantiles(label: str, margins: Margins) -> Iterator[str]:
    if margins.answers:
        cells = [f"{value:.3g}" for value in margins.values]
        yield _quantile_row(label, cells) + f"{margins.answers:10}"


def _quantile_row(label: str, cells: list[str]) -> str:
    return pad(label, 22) + "".join(cell.rjust(9) for cell in cells)


def _failed(audit: Audit) -> Iterator[str]:
    if not audit.failed:
        return
    yield ""
    many = "1 question" if len(audit.failed) == 1 else f"{len(audit.failed)} questions"
    yield f"{many} could not be asked"
    for one in audit.failed[:_SHOWN]:
        yield f"  {one.number}. {shortened(one.question)}: {shortened(one.error, 100)}"
    if len(audit.failed) > _SHOWN:
        yield f"  and {len(audit.failed) - _SHOWN} more (--json lists all)"


def _example(example: Example) -> Iterator[str]:
    often = f", asked {example.asked} x" if example.asked > 1 else ""
    question = shortened(example.question, 60)
    yield f"{example.number}. {question}{often}: {CAUSE_WORDS[example.cause]}"
    k = example.before.k
    asked = f"limit={k}" if example.layout.startswith("limit") else "as it is stored"
    yield f"     {pad(asked, _SIDE)}  {example.layout}".rstrip()
    for rank in example.ranks[:_SHOWN]:
        one = _side(example, example.before.entries, rank)
        other = _side(example, example.after.entries, rank)
        yield f"{rank:4} {pad(one, _SIDE)}  {other}".rstrip()
    more = len(example.ranks) - _SHOWN
    if more > 0:
        yield f"     and {more} more places"


def _side(example: Example, entries: tuple[Entry, ...], rank: int) -> str:
    if rank > len(entries):
        return "(nothing)"
    entry = entries[rank - 1]
    # Where scores differ in their last bits the digits have to show it.
    score = f"{entry.score:.14g}" if example.cause == "bits" else f"{entry.score:.4f}"
    return f"{pad(_id(entry.id, _SIDE - len(score) - 1), _SIDE - len(score))}{score}"


def _id(id: str, columns: int) -> str:
    """The id on so many columns: its beginning and end, since ids of one kind begin alike."""
    if len(id) > columns:
        tail = columns // 2
        id = id[: columns - tail - 1] + "…" + id[-tail:]
    return shortened(id, columns)
