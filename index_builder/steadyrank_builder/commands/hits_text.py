"""Results for people: a line each, bands drawn at the left."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence

from steadyrank.retrieval import FoundBand, FoundHit
from steadyrank_builder.output import printable as printable

_TITLE = 44


def hits_table(hits: Sequence[FoundHit]) -> Iterator[str]:
    """One line per hit: its band's bracket, rank, score, id, title and what decided its place."""
    id_width = max((width(hit.id) for hit in hits), default=0)
    for place, hit in enumerate(hits):
        yield (
            f"{_bracket(hits, place)}{hit.rank:3}  {hit.score:9.4f}  "
            f"{pad(printable(hit.id), id_width)}  {pad(shortened(hit.title or ''), _TITLE)}  "
            f"{reason(hit)}"
        ).rstrip()


def _bracket(hits: Sequence[FoundHit], place: int) -> str:
    band = hits[place].band
    if band is None:
        return ""
    before = place > 0 and hits[place - 1].band == band
    after = place + 1 < len(hits) and hits[place + 1].band == band
    return {(False, False): "- ", (False, True): "┌ ", (True, True): "│ ", (True, False): "└ "}[
        (before, after)
    ]


def reason(hit: FoundHit) -> str:
    """What decided the place, in words."""
    if hit.decided_by == "id":
        return f"by id, {hit.tie_size} with this score"
    if hit.decided_by == "band":
        return f"by document within band {hit.band}"
    if hit.decided_by == "score" and hit.tie_size > 1:
        return f"by score, {hit.tie_size} with this score"
    if hit.decided_by == "score" and hit.margin is not None:
        return f"by score, {hit.margin:.4f} above the next"
    return f"by {hit.decided_by}"


def band_line(band: FoundBand) -> str:
    """The figures of a band."""
    clearance = (
        "nothing below it"
        if band.clearance is None
        else f"the next is {band.clearance:.4f} from joining"
    )
    return (
        f"band {band.band}: {band.size} within {band.span:.4f} of {printable(band.leader)} "
        f"({band.headroom:.4f} to spare), {clearance}"
    )


def shortened(text: str, limit: int = _TITLE) -> str:
    """The text on one line of at most ``limit`` columns."""
    text = printable(" ".join(text.split()))
    if width(text) <= limit:
        return text
    kept = ""
    for char in text:
        if width(kept + char) > limit - 1:
            break
        kept += char
    return kept.rstrip() + "…"


def width(text: str) -> int:
    """How many columns a terminal gives the text: wide characters take two, marks none."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def pad(text: str, columns: int) -> str:
    """The text filled up with spaces to so many columns."""
    return text + " " * max(0, columns - width(text))
