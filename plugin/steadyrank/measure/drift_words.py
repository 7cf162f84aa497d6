"""Reasons in words, the same in a terminal, in JSON and on a page."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from steadyrank.measure.drift_parts import Slack
    from steadyrank.measure.drift_reason import Reason

_DIGITS = 3


def said(reason: Reason) -> str:
    """What the reason says, with its figures."""
    return _WORDS[reason.cause](reason)


def room(slack: Slack) -> str:
    """What was used of what keeps an order, and what is left."""
    moved, left = signed(slack.moved), plain(slack.left)
    if slack.kind == "span":
        said = f"the span moved {moved} of {slack.limit:g}; {left} is left"
    elif slack.kind == "clearance":
        said = f"the next below the band came {signed(slack.moved)} nearer; {left} is left"
    else:
        said = f"the margin shrank by {plain(slack.moved)} to {left}"
        if slack.moved <= 0:
            said = f"the margin grew by {plain(-slack.moved)} to {left}"
    times = slack.times
    if times is None:
        return said
    return f"{said}, {times:.1f} times this movement"


def signed(number: float | None) -> str:
    """A difference with its sign, never rounded to nothing: as many digits as it takes."""
    return "–" if number is None else _written(number, "+")


def plain(number: float | None) -> str:
    """A figure, never rounded to nothing."""
    return "–" if number is None else _written(number, "")


def two(
    base: float | None, fresh: float | None, sign: str = "", limit: float | None = None
) -> tuple[str, str]:
    """Two figures with so many digits that they differ where they do differ, and that each stands
    on its own side of the limit.
    """
    if base is None or fresh is None:
        write = signed if sign else plain
        return write(base), write(fresh)
    for digits in range(_DIGITS, 12):
        pair = f"{base:{sign}.{digits}f}", f"{fresh:{sign}.{digits}f}"
        shown = all(
            _shows(number, digits) and (limit is None or (float(text) > limit) == (number > limit))
            for number, text in zip((base, fresh), pair, strict=True)
        )
        if shown and (base == fresh or pair[0] != pair[1]):
            return pair
    return f"{base!r}", f"{fresh!r}"


def _written(number: float, sign: str) -> str:
    for digits in range(_DIGITS, 12):
        if _shows(number, digits):
            return f"{number:{sign}.{digits}f}"
    return f"{number:{sign}.3g}"


def _shows(number: float, digits: int) -> bool:
    return number == 0.0 or abs(number) >= 0.5 * 10**-digits


def _band(verb: str) -> Callable[[Reason], str]:
    def words(reason: Reason) -> str:
        base, fresh = two(reason.base, reason.fresh, limit=reason.limit)
        limit = "" if reason.limit is None else f", gap {reason.limit:g}"
        against = "" if not reason.other else f" against {reason.other}"
        return f"band {verb} of {reason.id}{against}: {base} -> {fresh} to the leader{limit}"

    return words


def _gaps(name: str) -> Callable[[Reason], str]:
    def words(reason: Reason) -> str:
        base, fresh = two(reason.base, reason.fresh, "+")
        return f"{name} with {reason.other}: gap {base} -> {fresh}"

    return words


def _score(reason: Reason) -> str:
    base, fresh = two(reason.base, reason.fresh)
    return "" if reason.base is None else f": score {base} -> {fresh}"


def _statistics(reason: Reason) -> str:
    if reason.was != reason.now:
        return f"statistics {reason.was} -> {reason.now}"
    base, fresh = two(reason.base, reason.fresh)
    many = f", the most of {reason.count} records" if (reason.count or 1) > 1 else ""
    return (
        f"statistics ({reason.was}) moved the score of {reason.id} {base} -> {fresh}{many}; "
        "its content is the same"
    )


def _out(reason: Reason) -> str:
    subject = reason.id
    side = reason.now or reason.was
    if reason.base is not None:
        base, fresh = two(reason.base, reason.fresh, "+")
        return (
            f"{subject} is not among the {reason.count} best scores of {side}: "
            f"gap with {reason.other} {base} -> {fresh}"
        )
    if reason.count is None:
        return f"{subject} did not match in {side}"
    return f"{subject} is beyond the first {reason.count} that {side} kept"


def _named(name: str) -> Callable[[Reason], str]:
    return lambda reason: f"{name} {reason.was or 'none'} -> {reason.now or 'none'}"


def _confidence(reason: Reason) -> str:
    base, fresh = two(reason.base, reason.fresh)
    was, now = reason.other or "nothing", reason.id or "nothing"
    first = f"{was} {base} -> {fresh}" if was == now else f"{was} {base} -> {now} {fresh}"
    return f"confidence {reason.was or 'none'} -> {reason.now or 'none'}, first: {first}"


_WORDS: dict[str, Callable[[Reason], str]] = {
    "new": lambda reason: f"{reason.id} is a new document",
    "gone": lambda reason: f"{reason.id} is gone from the index",
    "content": lambda reason: f"the content of {reason.id} changed{_score(reason)}",
    "settings": _named("settings changed:"),
    "statistics": _statistics,
    "index": _named("index:"),
    "versions": _named("versions changed:"),
    "unexplained": lambda reason: (
        "unexplained: nothing that the runs know differs" + _score(reason)
    ),
    "route": lambda reason: f"route of {reason.id} {reason.was} -> {reason.now}",
    "band exit": _band("exit"),
    "band entry": _band("entry"),
    "leader": _named("leader of the band changed:"),
    "score reversal": _gaps("score reversal"),
    "out": _out,
    "limit": _gaps("a limit or quota decided, not the ranking, over the order"),
    "tie-break": _gaps("another tie-break decides the order"),
    "confidence": _confidence,
}
