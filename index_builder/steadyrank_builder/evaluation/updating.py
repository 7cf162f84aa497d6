"""Expectations written anew from what the questions got, in the file as its author laid it out."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from pathlib import Path

from steadyrank.errors import SteadyRankError
from steadyrank.measure import Case, CaseResult, Evaluation, Golden, GoldenError, Place
from steadyrank_builder.evaluation.files import golden_in, parse, text_of
from steadyrank_builder.evaluation.layout import edited
from steadyrank_builder.runs.written import write_whole

_BOM = "\N{ZERO WIDTH NO-BREAK SPACE}"


class UpdateError(SteadyRankError, ValueError):
    """Expectations that must not be, or cannot be, rewritten."""


@dataclass(frozen=True, slots=True)
class Update:
    """A golden file with new expectations, not written yet.

    ``changed`` are the numbers of the cases that are rewritten, ``left`` says of each failing
    case that is not why not. ``diff`` is unified.
    """

    path: Path
    before: str
    after: str
    golden: Golden
    changed: tuple[int, ...]
    left: tuple[str, ...]

    @property
    def diff(self) -> str:
        """What changes, as ``diff -u`` says it; empty when nothing does."""
        name = str(self.path)
        lines = difflib.unified_diff(
            self.before.splitlines(), self.after.splitlines(), name, name, lineterm=""
        )
        return "".join(f"{line}\n" for line in lines)

    def write(self) -> None:
        """Replaces the file, whole or not at all.

        Raises UpdateError when it is not what it was when it was read, OSError.
        """
        raw = self.path.read_bytes().decode("utf-8", "replace")
        bom = _BOM if raw.startswith(_BOM) else ""
        if raw.removeprefix(_BOM) != self.before:
            raise UpdateError(f"{self.path} was changed meanwhile; nothing was written, run again")
        write_whole(self.path, bom + self.after)


def update_of(path: Path, golden: Golden, evaluation: Evaluation) -> Update:
    """The file at ``path`` with the expectations of its failing cases as ``evaluation`` got them.

    Of a case in mode exact, required-set or rank-one only what ``expected`` says is written
    anew; what contains and excludes say is a person's to change, and so is a confidence.

    Raises UpdateError when there is no verdict, but for unknown ids that are rewritten away.
    """
    before = text_of(path)
    cases = {case.number: case for case in golden.cases}
    changed: dict[int, tuple[str, ...]] = {}
    left = []
    for result in evaluation.cases:
        if result.passed is False:
            case = cases[result.number]
            new, why = _anew(case, result)
            if new != case.expected:
                changed[result.number] = new
            if why:
                left.append(f"{result.number}. {result.question}: {why}")
    wanted = replace(
        golden,
        cases=tuple(
            replace(case, expected=changed.get(case.number, case.expected)) for case in golden.cases
        ),
    )
    _refuse(evaluation, wanted)
    parsed = parse(path, before)
    root: Place = () if isinstance(parsed.content, list) else ("cases",)
    edits = {(*root, number - 1, "expected"): ids for number, ids in changed.items()}
    after = edited(before, parsed, edits, yaml=path.suffix not in (".json", ".jsonl"))
    if not _says(path, after, wanted):
        raise UpdateError(
            f"{path}: its layout is one that cannot be edited line by line; nothing was written, "
            f"change the cases {', '.join(map(str, changed))} by hand"
        )
    return Update(path, before, after, wanted, tuple(changed), tuple(left))


def _says(path: Path, text: str, wanted: Golden) -> bool:
    try:
        return golden_in(path, text) == wanted
    except GoldenError:
        return False


def _anew(case: Case, result: CaseResult) -> tuple[tuple[str, ...], str]:
    # What the case should expect, and why it will fail all the same.
    if case.mode in ("contains", "excludes"):
        return case.expected, f"{case.mode} says what has to be so; change it by hand"
    if not result.got:
        return case.expected, "nothing was found, and no mode expects that"
    kept = tuple(result.got[: len(case.expected)]) if case.mode != "required-set" else result.got
    level = case.confidence
    if level is not None and result.confidence != level:
        return kept, f"the confidence is {result.confidence}, not {level}; change it by hand"
    if case.axis == "score" and "scores alone" in result.why:
        return kept, "concepts or routes fired; axis is changed by hand"
    return kept, ""


def _refuse(evaluation: Evaluation, wanted: Golden) -> None:
    if evaluation.outcome != "no-verdict":
        return
    if not evaluation.unknown or not evaluation.cases:
        raise UpdateError(f"nothing to update by: {evaluation.why}")
    named = {id for case in wanted.cases for id in case.named}
    stay = [id for id in evaluation.unknown if id in named]
    if stay:
        shown = ", ".join(stay[:5]) + (", ..." if len(stay) > 5 else "")
        raise UpdateError(
            f"ids that the index does not have would stay, so nothing was written: {shown}; is "
            "this the right index? If they are gone for good, change their cases by hand"
        )
