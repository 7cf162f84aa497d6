"""The whole audit: ask the index as it is, write it again, ask that, compare."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from steadyrank.measure.audit import Audit, Failed, Layout, NotRebuilt, Subject, quantiles
from steadyrank.retrieval.question import default_fields
from steadyrank_builder.auditing.asking import Asker, of_source, of_written
from steadyrank_builder.auditing.judging import TIES_REVERSED, Judge, Verdict
from steadyrank_builder.auditing.layouts import LayoutError, Writer, Written, planned
from steadyrank_builder.auditing.options import AuditOptions
from steadyrank_builder.auditing.questions import (
    Query,
    chosen,
    failed,
    queries,
    searched_fields,
    shown_as,
)
from steadyrank_builder.auditing.source import Source
from steadyrank_builder.auditing.tally import column, examples, most_moved, share, ties
from steadyrank_builder.runs import Asked


def audit_index(folder: Path, log: Sequence[Asked], options: AuditOptions | None = None) -> Audit:
    """How many answers to a log's questions depend on how the index in ``folder`` is stored.

    Nothing is written to ``folder``, and nothing is kept of the copies. Raises NoIndexError,
    IdFieldError for an id field that it does not have, PolicyError for fields that cannot be
    searched.
    """
    options = options or AuditOptions()
    source = Source(folder, options.id_field, options.no_id)
    try:
        return _audit(source, log, options)
    finally:
        source.close()


def _audit(source: Source, log: Sequence[Asked], options: AuditOptions) -> Audit:
    if options.fields is None:
        options = replace(options, fields=default_fields(source.schema))
    shown = shown_as(log, options.redact)
    sampled = chosen(log, options)
    good, bad = queries(sampled, source.schema, options, shown)
    with _rewritten(source, good, options) as rewritten:
        judge = Judge(of_source(source, options.timeout), rewritten.askers, source.keys, options.k)
        verdicts: list[Verdict] = []
        for done, query in enumerate(good, start=1):
            try:
                verdicts.append(judge.judge(query.asked, query.tree))
            except Exception as error:  # of an engine, for this query
                bad.append(failed(query.asked, "search", error, shown, options.redact))
            options.progress("ask", done, len(good))
    answers = [verdict for verdict in verdicts if not verdict.empty]
    ours = source.ours and not options.stock
    return _added_up(source, log, sampled, verdicts, answers, bad, rewritten, ours, options)


def _added_up(
    source: Source,
    log: Sequence[Asked],
    sampled: Sequence[Asked],
    verdicts: Sequence[Verdict],
    answers: Sequence[Verdict],
    bad: Sequence[Failed],
    rewritten: _Rewritten,
    ours: bool,
    options: AuditOptions,
) -> Audit:
    judged = [(one, one.steady if ours else one.stock) for one in answers]
    firm = [one for one, engine in judged if not engine.flips and not one.standing.tied]
    moved = most_moved(answers, ours)
    smallest = {one.asked.number: one.standing.smallest for one in firm}
    near = [
        one.asked
        for one in firm
        if (margin := smallest[one.asked.number]) is not None and margin <= moved
    ]
    view = source.view
    return Audit(
        subject=Subject(
            path=str(source.folder),
            origin=source.origin(),
            segments=len(view.segments) if view.size else 0,
            deleted=view.size - view.doc_count(),
            id_field=source.id_field,
            alike=source.alike,
            fields=dict(options.fields or {}),
            syntax=options.syntax,
            ours=ours,
        ),
        k=options.k,
        questions=share(log),
        sampled=share(sampled),
        answers=share([one.asked for one in answers]),
        empty=share([one.asked for one in verdicts if one.empty]),
        failed=tuple(sorted(bad, key=lambda one: one.number)),
        layouts=rewritten.layouts,
        not_rebuilt=rewritten.why_not,
        stock=column(answers, "stock", rewritten.layouts),
        steady=column(answers, "steady", () if rewritten.why_not else rewritten.layouts),
        ties=ties(answers),
        lost=share([one.asked for one in answers if one.lost]),
        cut=quantiles([s.cut for one in firm if (s := one.standing).cut is not None]),
        inside=quantiles([s.gap for one in firm if (s := one.standing).gap is not None]),
        moved=moved,
        near=share(near),
        examples=examples(
            answers,
            source,
            shown_as(log, options.redact),
            options.k,
            options.examples,
            ours,
        ),
    )


@dataclass(frozen=True, slots=True)
class _Rewritten:
    """The other layouts, open; or why there are none, and what stands in for them."""

    layouts: tuple[Layout, ...]
    askers: dict[str, Asker]
    why_not: NotRebuilt | None


@contextmanager
def _rewritten(
    source: Source, good: Sequence[Query], options: AuditOptions
) -> Iterator[_Rewritten]:
    """Copies in a temporary folder that is gone afterwards."""
    with ExitStack() as stack:
        written: list[Written] = []
        why_not = _refused(source, options)
        if why_not is None:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="steadyrank-")))
            try:
                written = _write(source, good, folder, options)
            except Exception as error:  # of a third party's field, or of a full disk
                fields = error.fields if isinstance(error, LayoutError) else ()
                what = "" if isinstance(error, LayoutError) else f"{type(error).__name__}: "
                why_not = NotRebuilt(f"{what}{error}", fields)
        if why_not is not None:
            yield _Rewritten((Layout(TIES_REVERSED, 1, computed=True),), {}, why_not)
            return
        askers = {}
        for one in written:
            askers[one.layout.name] = of_written(one, source.index.policy, options.timeout)
            stack.callback(askers[one.layout.name].close)
        yield _Rewritten(tuple(one.layout for one in written), askers, None)


def _refused(source: Source, options: AuditOptions) -> NotRebuilt | None:
    count = len(source.docs)
    if options.layouts < 1:
        return NotRebuilt("no other layout was asked for")
    if count > options.max_documents:
        return NotRebuilt(
            f"the index has {count} documents, and one of more than {options.max_documents} is "
            "written again only when --max-documents allows it"
        )
    return None


def _write(
    source: Source, good: Sequence[Query], folder: Path, options: AuditOptions
) -> list[Written]:
    count = len(source.docs)
    total, done = options.layouts * count, 0

    def tick() -> None:
        nonlocal done
        done += 1
        options.progress("write again", done, total)

    writer = Writer(source, searched_fields(good, source.reader))
    written: list[Written] = []
    for layout, order in planned(count, options.layouts, options.seed):
        own = folder / str(len(written))
        own.mkdir()
        written.append(writer.write(own, layout, order, tick))
    return written
