"""An audit in plain words, for whoever decides what happens next."""

from __future__ import annotations

from steadyrank.measure.audit import Audit, Cause, Share

# What made an answer differ, as a line of a table says it.
CAUSE_WORDS: dict[Cause, str] = {
    "lost": "a limit left out a hit",
    "bits": "scores moved",
    "cut": "equal scores at the cut",
    "inside": "equal scores inside",
}


def percent(part: int, whole: int) -> str:
    """``42 %``; what is not none and not all is never rounded to it."""
    if not whole:
        return "0 %"
    share = 100 * part / whole
    if 0 < share < 1:
        return "<1 %"
    if 99 < share < 100:
        return ">99 %"
    return f"{share:.0f} %"


def headline(audit: Audit) -> str:
    """What was found, in one sentence."""
    flips, answers = audit.judged.flips, audit.answers
    if audit.outcome == "no-verdict":
        return f"No verdict: {_why_none(audit)}."
    how = "are" if flips.distinct != 1 else "is"
    if flips.distinct:
        return f"{_of(flips, answers)} {how} decided by storage order."
    return f"None of {_answers(answers.distinct)} is decided by storage order."


def details(audit: Audit) -> tuple[str, ...]:
    """The sentences that go with the headline."""
    if audit.outcome == "no-verdict":
        return ()
    return tuple(sentence for sentence in _sentences(audit) if sentence)


def _sentences(audit: Audit) -> tuple[str, ...]:
    flips, answers = audit.judged.flips, audit.answers
    count = len(audit.layouts)
    weighted = ""
    if answers.asked != answers.distinct:
        weighted = (
            f"Counted as often as the log asks them: {flips.asked} of {answers.asked} "
            f"({percent(flips.asked, answers.asked)})."
        )
    lost = ""
    if audit.lost.distinct and not audit.subject.ours:
        lost = (
            f"{_of(audit.lost, answers)} differ between limit={audit.k} and limit=None: "
            "stock Whoosh loses or misplaces hits when it stops early."
        )
    if audit.not_rebuilt is not None:
        fields = ", ".join(audit.not_rebuilt.fields)
        return (
            weighted,
            lost,
            f"No other layout was written ({audit.not_rebuilt.reason}"
            + (f"; fields: {fields}" if fields else "")
            + "), so this counts answers with equal scores; scores that move with the layout are "
            "not seen, and steadyrank is not compared.",
        )
    alike = ""
    if audit.subject.alike:
        alike = (
            f"{audit.subject.alike} documents are like another one in all that is stored; an "
            "exchange of these is not seen by a reader and not counted."
        )
    return weighted, lost, _steady(audit, count), alike


def _steady(audit: Audit, count: int) -> str:
    steady = audit.steady
    if steady.flips.distinct or steady.bits.distinct:
        return (
            f"Under steadyrank {steady.flips.distinct} differ and {steady.bits.distinct} have "
            "other score bits, where none should: please report it, with the kind of query."
        )
    if audit.subject.ours:
        return (
            "This index was written by steadyrank build, and its answers are judged in "
            f"steadyrank's order over {_layouts(count)}, every score to the bit. Stock calls on "
            f"it would flip {audit.stock.flips.distinct}; --stock judges these."
        )
    return f"Under steadyrank, over the same {_layouts(count)}: 0, and every score to the bit."


def next_steps(audit: Audit) -> tuple[str, ...]:
    """Lines that say what to do, the code among them indented by four spaces."""
    if audit.outcome == "no-verdict":
        if audit.subject.ours and audit.answers.distinct:
            return ("Allow it to be written again: --layouts 3, --max-documents N.",)
        return ("Give a log of questions that this index answers, and the fields they are for.",)
    if audit.outcome == "none":
        if audit.subject.ours or audit.not_rebuilt is not None:
            return ()
        return ("Run it again when the index or the questions have changed.",)
    id_field = repr(audit.subject.id_field).replace("'", '"')
    return (
        "Two lines settle it; the index stays as it is, and so do your calls:",
        "    import steadyrank",
        f"    ix = steadyrank.stabilize(ix, id_field={id_field})  # ix: the index you open today",
    )


def _why_none(audit: Audit) -> str:
    if audit.answers.distinct:
        reason = audit.not_rebuilt.reason if audit.not_rebuilt else ""
        return f"no other layout was written ({reason})"
    asked, bad = audit.sampled.distinct, len(audit.failed)
    return f"none of {asked} questions got an answer ({bad} could not be asked)"


def _of(part: Share, whole: Share) -> str:
    return (
        f"{part.distinct} of {_answers(whole.distinct)} ({percent(part.distinct, whole.distinct)})"
    )


def _answers(count: int) -> str:
    return f"{count} answer" if count == 1 else f"{count} answers"


def _layouts(count: int) -> str:
    return "1 layout" if count == 1 else f"{count} layouts"
