"""Whether an answer is what its case expects, and why not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from steadyrank.measure.golden import Case
from steadyrank.measure.moved import Move, moves
from steadyrank.measure.near import Flip, nearest_flip
from steadyrank.measure.run import Ranking


@dataclass(frozen=True, slots=True)
class CaseResult:
    """How one case went. ``passed`` is None for a case that counts in the metrics alone.

    ``got`` are the first k ids; ``why`` says what is wrong. ``moved`` are the pieces out of
    place, and ``near`` is what would turn the verdict about the ids (None: no single score).
    ``right_at`` is the rank (from 1) of the first right piece within k, None for none and for
    cases without right pieces. ``line`` is where the case begins in its file.
    """

    number: int
    question: str
    mode: str | None
    passed: bool | None
    got: tuple[str, ...]
    expected: tuple[str, ...]
    confidence: str | None
    why: str
    right_at: int | None = None
    moved: tuple[Move, ...] = ()
    near: Flip | None = None
    line: int | None = None

    def report(self) -> list[str]:
        """What stands behind the verdict, in lines: why, got, expected, moved, how near."""
        lines = []
        if self.why:
            lines = [
                self.why,
                f"got       {', '.join(self.got) or 'nothing'}",
                f"expected  {', '.join(self.expected) or 'nothing'}",
                *(f"moved     {move}" for move in self.moved),
            ]
        if self.near is not None:
            lines.append(f"would {'pass' if self.why else 'fail'} {self.near}")
        return lines


def judge(
    case: Case, ranking: Ranking, default_k: int = 4, *, verdict_only: bool = False
) -> CaseResult:
    """The verdict on what a case's question got.

    ``verdict_only`` leaves out what would turn it, which takes most of the time.
    """
    k = case.looked_at(default_k)
    got = ranking.ids[:k]
    right = {id for id, grade in case.judgments.items() if grade > 0}
    reach = ranking.ids[: default_k if case.mode else k]
    right_at = next((rank for rank, id in enumerate(reach, start=1) if id in right), None)
    if case.mode is None:
        passed, faults = None, list(_unmeasured(case, ranking, right_at, k))
    else:
        faults = [*_ids_fault(case, got, k), *_level_fault(case, ranking), *_axis(case, ranking)]
        passed = not faults
    return CaseResult(
        number=case.number,
        question=case.question,
        mode=case.mode,
        passed=passed,
        got=got,
        expected=case.expected or case.right,
        confidence=ranking.confidence,
        why="; ".join(faults),
        right_at=right_at,
        moved=tuple(moves(case, [entry.id for entry in ranking.known], k)),
        near=None if verdict_only else _near(case, ranking, k),
        line=case.line,
    )


def refused(ranking: Ranking) -> bool:
    """Whether the index did not claim an answer: no piece, or low confidence."""
    return not ranking.entries or ranking.confidence == "low"


def _near(case: Case, ranking: Ranking, k: int) -> Flip | None:
    if case.mode is None and not case.right:
        return None  # judged by the confidence
    return nearest_flip(ranking, lambda ids: not any(_ids_fault(case, ids[:k], k)))


def _ids_fault(case: Case, got: Sequence[str], k: int) -> Iterator[str]:
    expected = case.expected
    if case.mode is None:
        if not set(case.right) & set(got):
            yield f"none of {', '.join(case.right)} is within {k}"
    elif case.mode == "exact" and tuple(got[: len(expected)]) != expected:
        rank = next(
            (n for n, pair in enumerate(zip(got, expected, strict=False), 1) if pair[0] != pair[1]),
            min(len(got), len(expected)) + 1,
        )
        there = got[rank - 1] if rank <= len(got) else "nothing"
        yield f"at rank {rank} stands {there}, not {expected[rank - 1]}"
    elif case.mode == "required-set" and set(got) != set(expected):
        missing = ", ".join(id for id in expected if id not in got)
        extra = ", ".join(id for id in got if id not in expected)
        yield f"within {k} are missing: {missing or 'none'}; not expected: {extra or 'none'}"
    elif case.mode == "rank-one" and tuple(got[:1]) != expected[:1]:
        yield f"the first is {got[0] if got else 'nothing'}, not {expected[0]}"
    elif case.mode == "contains" and not set(expected) <= set(got):
        yield f"not within {k}: {', '.join(id for id in expected if id not in got)}"
    elif case.mode == "excludes" and set(expected) & set(got):
        yield f"within {k}, and should not be: {', '.join(i for i in got if i in expected)}"


def _unmeasured(case: Case, ranking: Ranking, right_at: int | None, k: int) -> Iterator[str]:
    if case.right and right_at is None:
        yield f"none of {', '.join(case.right)} is within {k}"
    elif not case.right and not case.grades and not refused(ranking):
        level = ranking.confidence or "not known, since the index was searched"
        yield f"the material has no answer, and the confidence is {level}"


def _level_fault(case: Case, ranking: Ranking) -> Iterator[str]:
    if case.confidence is not None and ranking.confidence is None:
        yield f"confidence {case.confidence} is expected, and a search has none; answers have"
    elif case.confidence is not None and ranking.confidence != case.confidence:
        yield f"the confidence is {ranking.confidence}, not {case.confidence}"


def _axis(case: Case, ranking: Ranking) -> Iterator[str]:
    if case.axis != "score":
        return
    if ranking.concepts:
        yield f"the concepts {', '.join(ranking.concepts)} fired, and scores alone should decide"
    if len({entry.route for entry in ranking.known}) > 1:
        yield "routes set pieces apart, and scores alone should decide"
