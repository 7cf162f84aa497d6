"""Proofs and rebuilds for people."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from steadyrank_builder.commands.hits_text import printable

if TYPE_CHECKING:
    from steadyrank.measure import Ranking
    from steadyrank_builder.proving import Proof, Rebuilt, Suggestion, Tried

_WIDTH = 100
_DIFFERENCES = 10  # how many are shown


def proof_lines(proof: Proof) -> Iterator[str]:
    """The matrix, a mutation a line with the numbers of the cases, then what nothing noticed."""
    names = [tried.mutation.name for tried in proof.mutations]
    names += [one.name for one in proof.expectations]
    wide = max(map(len, names))
    yield ""
    yield "wrong implementations, and the cases that fail under them:"
    for tried in proof.mutations:
        yield from _row(tried, wide)
    yield ""
    yield "wrong expectations, and the cases they were tried on:"
    for one in proof.expectations:
        passed = f"  PASSED all the same: {ranges(one.unnoticed)}" if one.unnoticed else ""
        yield f"  {one.name.ljust(wide)}  {len(one.tried):4} tried{passed}"
    yield ""
    yield from _cases(proof)
    for tried in proof.mutations:
        if tried.status == "unnoticed":
            yield ""
            yield from _unguarded(tried)
    if proof.unnoticed:
        yield ""
        yield f"not proved: nothing noticed {', '.join(proof.unnoticed)}"
    else:
        yield "proved: everything that was wrong was noticed"


def _row(tried: Tried, wide: int) -> Iterator[str]:
    head = f"  {tried.mutation.name.ljust(wide)}  "
    if tried.status == "noticed":
        said = f"{len(tried.noticed_by):4} notice  {ranges(tried.noticed_by)}"
        said += "".join(f"; the threshold {name} is missed" for name in tried.missed)
    elif tried.status == "unnoticed":
        said = f"   0 notice  {tried.mutation.guarded} is unguarded"
    else:
        said = f"   - not applicable: {tried.why}"
    indent = " " * (len(head) + 13)
    yield from textwrap.wrap(
        head + said, _WIDTH, subsequent_indent=indent, break_long_words=False,
        drop_whitespace=True, break_on_hyphens=False,
    )  # fmt: skip


def _cases(proof: Proof) -> Iterator[str]:
    noticed = proof.noticed_of()
    judged = [case.number for case in proof.cases if case.mode is not None]
    single = [number for number in judged if len(noticed[number]) == 1]
    none = [number for number in judged if not noticed[number] and number not in proof.failing]
    yield f"of {len(judged)} cases with a mode {len(single)} notice one wrong implementation alone"
    if none:
        yield f"notice none: {ranges(none)}"
    if proof.failing:
        yield f"fail anyway, and can notice nothing: {ranges(proof.failing)}"
    if proof.failing_fresh:
        yield f"fail on the later index with nothing wrong: {ranges(proof.failing_fresh)}"


def _unguarded(tried: Tried) -> Iterator[str]:
    yield f"{tried.mutation.name}: {tried.mutation.guarded} is unguarded"
    said = (
        f"Every case passes also when {tried.mutation.what}. A case would notice with {tried.why}."
    )
    yield from textwrap.wrap(said, _WIDTH, initial_indent="  ", subsequent_indent="  ")
    if tried.suggestion is not None:
        yield from _suggested(tried.suggestion)
    else:
        yield "  None of the questions here would do under these settings."


def _suggested(suggestion: Suggestion) -> Iterator[str]:
    others = ", ".join(suggestion.notices[1:])
    yield f"  This one would, and notice {others or 'nothing else'}{' too' if others else ''}:"
    case = suggestion.to_dict()["case"]
    for place, (key, value) in enumerate(case.items()):
        if key != "settings" or value:
            written = json.dumps(value, ensure_ascii=False, default=str)
            yield f"    {' ' if place else '-'} {key}: {printable(written)}"
    yield from textwrap.wrap(
        printable(f"({suggestion.because})"), _WIDTH, initial_indent="  ", subsequent_indent="   ",
        break_on_hyphens=False, break_long_words=False,
    )  # fmt: skip


def ranges(numbers: Sequence[int]) -> str:
    """Ascending numbers, the consecutive ones together: ``3, 7-9``."""
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][-1] == number - 1:
            found[-1] = [found[-1][0], number]
        else:
            found.append([number])
    return ", ".join("-".join(map(str, one)) for one in found)


def rebuilt_lines(rebuilt: Rebuilt) -> Iterator[str]:
    """What was rebuilt and compared, and what differed."""
    yield ""
    for name in rebuilt.layouts:
        count = sum(one.layout == name for one in rebuilt.differences)
        yield f"  {name}" + (f"  {count} DIFFER" if count else "")
    for one in rebuilt.differences[:_DIFFERENCES]:
        yield ""
        yield f"DIFFERS  {one.number}. {printable(one.question)}"
        yield f"        in {', '.join(one.parts)}, in run {one.run} on layout {one.layout}"
        yield from _ranking("as it is", one.expected)
        yield from _ranking("rebuilt", one.got)
    if len(rebuilt.differences) > _DIFFERENCES:
        yield f"and {len(rebuilt.differences) - _DIFFERENCES} more: --json has all"
    yield ""
    yield (
        f"{len(rebuilt.layouts)} layouts, {rebuilt.runs} runs each, {rebuilt.rankings} rankings "
        f"compared: {len(rebuilt.differences) or 'none'} differ"
    )
    yield rebuilt.note or (
        f"stock Whoosh answers {rebuilt.stock} of {rebuilt.questions} questions differently in them"
    )


def _ranking(name: str, ranking: Ranking) -> Iterator[str]:
    level = "" if ranking.confidence is None else f", confidence {ranking.confidence}"
    yield f"        {name}{level}:"
    for rank, entry in enumerate(ranking.entries, start=1):
        yield f"          {rank}. {printable(entry.id)}  {entry.score!r}"
