"""A replay for people: how many answers changed and by what, then each that did."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from steadyrank_builder.commands.hits_text import printable, shortened
from steadyrank_builder.drifting import Replay, Replayed
from steadyrank_builder.drifting.verdicts import WHATS
from steadyrank_builder.errors import listed

_QUESTION = 60
_SHOWN = 10

_WHAT = {
    "set": "other pieces",
    "order": "another order",
    "scores": "only other scores",
    "texts": "only other texts",
    "unknown": "another fingerprint, and the log has no pieces",
}
# Why an answer changed where nothing that it was made from did.
_RANKING = "the ranking itself: settings, index and versions are the same"


def replay_lines(replay: Replay, *, verbose: bool = False) -> Iterator[str]:
    """The report; ``verbose`` names the answers that are the same too."""
    sections: Sequence[str | None] = replay.asked or (None,)
    for index in sections:
        answers = [answer for answer in replay.answers if answer.index == index]
        yield from _section(index, answers, verbose)
    yield from _not_read(replay)


def _section(index: str | None, answers: Sequence[Replayed], verbose: bool) -> Iterator[str]:
    changed = [answer for answer in answers if answer.what is not None]
    whats = Counter(answer.what for answer in changed)
    said = ", ".join(f"{whats[what]} {_WHAT[what]}" for what in WHATS if whats[what])
    where = "" if index is None else f"{printable(index)}: "
    yield f"{where}{len(changed)} of {len(answers)} answers changed" + (f": {said}" if said else "")
    causes = Counter(answer.causes for answer in changed)
    for names, count in sorted(causes.items(), key=lambda entry: (-entry[1], entry[0])):
        yield f"  {count} by {_by(names)}"
    yield from _settings(index, answers)
    for answer in answers if verbose else changed:
        yield from _answer(answer)


def _by(names: Sequence[str]) -> str:
    if tuple(names) == ("ranking",):
        return _RANKING
    if len(names) > 1:
        return f"{listed(names)}, which of them is not known"
    return names[0]


def _settings(index: str | None, answers: Sequence[Replayed]) -> Iterator[str]:
    others = [answer for answer in answers if "settings" in answer.differs]
    if not others:
        return
    if index is None:
        yield f"  {len(others)} were answered under other settings than the one before"
        return
    hashes = sorted({answer.logged.settings for answer in others})
    shown = ", ".join(hashes[:3]) + (" and others" if len(hashes) > 3 else "")
    yield (
        f"  {len(others)} were logged under settings {printable(shown)}, and these are "
        f"{others[0].fresh.settings}: give --settings, --profile or -k as they were"
    )


def _answer(answer: Replayed) -> Iterator[str]:
    against = "" if answer.against is None else f" (against line {answer.against})"
    what = "same" if answer.what is None else _WHAT[answer.what]
    differs = answer.causes or answer.differs
    because = "" if not differs else f"; {listed(differs)}"
    if answer.what is None and differs:
        because = f" in spite of {listed(differs)}"
    yield (f"line {answer.line}{against}  {shortened(answer.question, _QUESTION)}  {what}{because}")
    if answer.what in ("set", "order") and answer.before is not None and answer.now is not None:
        yield f"   was {', '.join(map(printable, answer.before)) or 'nothing'}"
        yield f"   now {', '.join(map(printable, answer.now)) or 'nothing'}"


def _not_read(replay: Replay) -> Iterator[str]:
    if replay.malformed:
        yield f"{len(replay.malformed)} lines are no answers, so that nothing is said of them:"
        for line in replay.malformed:
            yield f"  line {line.line}: {printable(line.why)}"
    if replay.alone:
        lines = ", ".join(map(str, replay.alone[:_SHOWN]))
        more = f" and {len(replay.alone) - _SHOWN} more" if len(replay.alone) > _SHOWN else ""
        yield f"lines with a question of their own, held against nothing: {lines}{more}"
    if replay.outcome == "no-verdict":
        yield f"no-verdict: {printable(replay.why) or 'not all of the log could be read'}"
