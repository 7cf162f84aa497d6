"""From contenders to what an answer shows of them."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from steadyrank.answering.answer import CutLine, Next, Piece, Related
from steadyrank.answering.contender import Contender
from steadyrank.answering.excerpts import Excerpt
from steadyrank.answering.reading import Reading
from steadyrank.answering.stages import Taken
from steadyrank.answering.weighing import Contribution
from steadyrank.order import Placement

_CODE = re.compile(r"^(```+|~~~+)[^\n]*\n(.*?)^\1", re.MULTILINE | re.DOTALL)
_FIRST = re.compile(
    r"\b(before you|prerequisite|requirement|install|set ?up|getting started)", re.I
)
_LAST = re.compile(r"\b(verif|test|check|confirm|troubleshoot|validate)", re.I)


def piece(
    rank: int,
    contender: Contender,
    stored: Mapping[str, Any],
    placement: Placement,
    by_quota: bool,
    why: Sequence[Contribution],
    shown: Excerpt,
) -> Piece:
    """One contender with its stored fields, its excerpt, and reasons."""
    text, title = str(stored.get("text") or ""), str(stored.get("title") or "")
    heading, tags = str(stored.get("heading") or ""), str(stored.get("tags") or "")
    return Piece(
        rank=rank,
        id=str(stored["id"]),
        document=str(stored.get("document") or stored["id"]),
        kind=contender.kind,
        title=title,
        heading=heading,
        text=text,
        url=str(stored.get("url") or ""),
        tags=tuple(tags.split("\n")) if tags else (),
        language=str(stored.get("language") or ""),
        attributes=MappingProxyType(json.loads(stored.get("attributes") or "{}")),
        excerpt=shown.text,
        excerpt_matches=shown.matches,
        score=contender.score,
        route=contender.route,
        band=placement.band,
        decided_by="quota" if by_quota else placement.decided_by,
        headroom=placement.headroom,
        margin=placement.margin,
        tie_size=placement.tie_size,
        why=tuple(why),
        stage=stage_of(heading or title),
        code=_code(text),
    )


def _code(text: str) -> tuple[str, ...]:
    if "```" not in text and "~~~" not in text:
        return ()
    return tuple(match.group(2).rstrip() for match in _CODE.finditer(text))


def next_ones(taken: Taken, reading: Reading, count: int) -> tuple[Next, ...]:
    """The first candidates after the pieces."""
    found = []
    for contender in taken.after[:count]:
        stored = reading.stored(contender.doc)
        found.append(
            Next(
                id=str(stored["id"]),
                document=str(stored.get("document") or stored["id"]),
                title=str(stored.get("title") or ""),
                score=contender.score,
                route=contender.route,
                band=taken.placements[contender.doc].band,
            )
        )
    return tuple(found)


def cut_line(taken: Taken) -> CutLine:
    """What lies between the last piece and the first candidate left out."""
    if not taken.chosen or not taken.after:
        return CutLine(None, False, False, False)
    last, out = taken.chosen[-1], taken.after[0]
    bands = taken.placements[last.doc].band, taken.placements[out.doc].band
    return CutLine(
        margin=last.score - out.score,
        in_tie=(last.route, last.score) == (out.route, out.score),
        in_band=bands[0] is not None and bands[0] == bands[1],
        by_limit=taken.by_limit,
    )


def related(
    linking: Mapping[int, Mapping[str, Any]],
    reading: Reading,
    limit: int,
    passes: Callable[[int], bool],
) -> tuple[Related, ...]:
    """At most ``limit`` documents one link away from the pieces, in the order of the links.

    ``linking``: the pieces' stored fields by document number, in their order. ``passes`` says
    whether a document may be shown at all.
    """
    shown = set(linking)
    found: list[Related] = []
    for stored in linking.values():
        for target, relation in json.loads(stored.get("links") or "[]"):
            if len(found) >= limit:
                return tuple(found)
            doc = reading.doc_of(target)
            if doc is None or doc in shown or not passes(doc):
                continue
            shown.add(doc)
            linked = reading.stored(doc)
            name = linked.get("heading") or linked.get("title") or target
            found.append(Related(target, str(name), relation, str(stored["id"])))
    return tuple(found)


def stage_of(heading: str) -> str:
    """What a reader would do with a section, by its heading: prepare, do, or verify."""
    if _FIRST.search(heading):
        return "prerequisite"
    return "verification" if _LAST.search(heading) else "implementation"
