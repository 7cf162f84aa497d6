"""A drift for people: the summary first, then each question in a few lines."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from steadyrank.measure import Drift, QuestionDrift, Reason
from steadyrank.measure.drift import Asked, Cause, Shift
from steadyrank.measure.drift_words import two
from steadyrank_builder.commands.hits_text import pad, printable, shortened, width

# How many of the questions that hold are named as near to flipping.
NEAREST = 5
_QUESTION = 72
# What a line names after its reason: why scores moved.
_INPUTS = ("content", "statistics", "versions")
_EVENTS: Mapping[Cause, str] = MappingProxyType(
    {
        "band exit": "band exits",
        "band entry": "band entries",
        "leader": "new leaders of bands",
        "route": "other routes",
    }
)


def diff_lines(
    drift: Drift, unasked: Sequence[Asked] = (), *, verbose: bool = False
) -> Iterator[str]:
    """The report; ``verbose``: all that contributes, band events, and all that is near."""
    yield headline(drift)
    for change in drift.changes:
        yield f"  {_said(change)}"
    yield from _moved_scores(drift)
    drifted = drift.drifted()
    for question in drifted:
        yield ""
        yield from _question(question, verbose)
    yield from _events(drift, drifted, verbose)
    yield from _nearest(drift, verbose)
    yield from _not_compared(drift, unasked)


def headline(drift: Drift) -> str:
    """How many questions drifted, and in what."""
    if drift.outcome == "no-verdict":
        return f"no-verdict: {printable(drift.why)}"
    drifted = drift.drifted()
    count = f"{len(drifted)} of {len(drift.questions)} questions drifted"
    if not drifted:
        others = [f"{len(drift.drifted([check]))} {check}" for check in ("order", "confidence")
                  if check not in drift.checked and drift.drifted([check])]  # fmt: skip
        beside = f" (not checked: {', '.join(others)})" if others else ""
        return f"no drift: {count} in {', '.join(drift.checked)}{beside}"
    # Each question once, by the most that changed of its answer; a first and a confidence beside.
    sets = sum("set" in question.changed for question in drifted)
    orders = sum("order" in q.changed and "set" not in q.changed for q in drifted)
    counts = [(orders, "order"), (sets, "set")]
    counts += [
        (sum(check in q.changed for q in drifted), name)
        for check, name in (("first", "with another first"), ("confidence", "confidence"))
    ]
    said = ", ".join(f"{number} {name}" for number, name in counts if number)
    return f"{count}: {said}"


def _said(reason: Reason) -> str:
    return printable(reason.text)


def _moved_scores(drift: Drift) -> Iterator[str]:
    """What was put in otherwise, over all questions."""
    names: Counter[str] = Counter()
    for question in drift.questions:
        names.update({_input(cause) for cause in question.causes if cause.cause != "confidence"})
    for name, count in sorted(names.items(), key=lambda entry: (-entry[1], entry[0])):
        if name:
            yield f"  {printable(name)}: {count} of {len(drift.questions)} questions"


def _input(cause: Reason) -> str:
    if cause.cause in ("new", "gone", "content"):
        return {
            "new": "documents that are new",
            "gone": "documents that are gone",
            "content": "documents whose content changed",
        }[cause.cause]
    if cause.cause == "statistics" and cause.was == cause.now:
        return f"statistics ({cause.was}) moved scores of documents whose content is the same"
    return cause.text if cause.cause in ("settings", "statistics") else ""


def _question(question: QuestionDrift, verbose: bool) -> Iterator[str]:
    yield f"{question.number}. {shortened(question.question, _QUESTION)}  " + ", ".join(
        question.changed
    )
    for cause in question.causes:
        if cause.cause == "confidence" or (verbose and cause.cause == "settings"):
            yield f"   {_said(cause)}"
    moves = [move for move in question.moves if move.kind != "stayed"]
    wide = max((width(printable(move.id)) for move in moves), default=0)
    for move in moves:
        head = (
            f"   {pad(move.kind, 7)}  {pad(printable(move.id), wide)}  {pad(_ranks(move), 8)}  "
            f"{pad(_scores(move), 18)}"
        )
        # A new leader tells no figure of the record's own.
        short = 2 if move.reasons[0].cause == "leader" else 1
        reasons = move.reasons if verbose else move.reasons[:short]
        inputs = [reason.cause for reason in move.reasons[1:] if reason.cause in _INPUTS]
        more = "" if verbose or not inputs else f"; {inputs[0]}"
        for place, reason in enumerate(reasons):
            last = place == len(reasons) - 1
            yield f"{' ' * width(head) if place else head}  {_said(reason)}{more if last else ''}"


def _ranks(move: Shift) -> str:
    base, fresh = ("-" if place is None else str(place.rank) for place in (move.base, move.fresh))
    return f"{base} -> {fresh}"


def _scores(move: Shift) -> str:
    base, fresh = (None if place is None else place.score for place in (move.base, move.fresh))
    one, other = two(base, fresh)
    return one if base == fresh and base is not None else f"{one} -> {other}"


def _events(drift: Drift, drifted: Sequence[QuestionDrift], verbose: bool) -> Iterator[str]:
    told = set(map(id, drifted))
    held = [one for one in drift.questions if one.events and id(one) not in told]
    if not held:
        return
    counts = Counter(event.cause for question in held for event in question.events)
    said = ", ".join(f"{counts[cause]} {name}" for cause, name in _EVENTS.items() if counts[cause])
    yield ""
    yield f"without another order in {len(held)} questions: {said}" + (
        "" if verbose else " (--verbose names them)"
    )
    for question in held if verbose else ():
        yield f"{question.number}. {shortened(question.question, _QUESTION)}"
        for event in question.events:
            yield f"   {_said(event)}"


def _nearest(drift: Drift, verbose: bool) -> Iterator[str]:
    near = drift.nearest
    if not near:
        return
    yield ""
    yield "the order holds, and came nearer to flipping:"
    for question in near if verbose else near[:NEAREST]:
        slack = question.nearest
        assert slack is not None
        yield f"{question.number}. {shortened(question.question, _QUESTION)}"
        yield (
            f"   {slack.text} ({printable(slack.upper)} over {printable(slack.lower)})"
            if slack.kind == "margin"
            else f"   {slack.text} (leader {printable(slack.upper)}, {printable(slack.lower)})"
        )
    if len(near) > NEAREST and not verbose:
        yield f"and {len(near) - NEAREST} more (--verbose)"


def _not_compared(drift: Drift, unasked: Sequence[Asked]) -> Iterator[str]:
    for name, asked in (
        ("only BASE was asked", drift.only_base),
        ("only FRESH was asked", drift.only_fresh),
        ("no side was asked", unasked),
    ):
        if asked:
            shown = ", ".join(f"{one.number}. {shortened(one.question, 40)}" for one in asked[:5])
            more = f" and {len(asked) - 5} more" if len(asked) > 5 else ""
            yield f"not compared, {name}: {shown}{more}"
