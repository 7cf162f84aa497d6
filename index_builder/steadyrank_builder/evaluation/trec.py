"""Runs for other evaluators, in an order that none of them can read otherwise."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

from steadyrank.errors import SteadyRankError
from steadyrank.measure import Ranking, Run
from steadyrank_builder.runs.written import write_whole

TAG = "steadyrank"
# Columns of a TREC run are split at white space.
_SPACE = re.compile(r"\s")


class TrecError(SteadyRankError, ValueError):
    """Ids that a TREC run cannot carry; ``ids`` names them."""

    def __init__(self, message: str, *, ids: tuple[str, ...]) -> None:
        super().__init__(message)
        self.ids = ids


def write_trec(run: Run, path: Path) -> Path:
    """The run at ``path``, and beside it, at ``path`` + ``.jsonl``, what a TREC run leaves out.

    Evaluators sort by score and settle ties their own way, some of them in single precision. So
    the scores written are whole numbers that count down to 1; the real ones are in the JSONL,
    with the questions, also those that got nothing. The query of a line is the case's number.
    Returns the path of the JSONL. Raises TrecError for ids with white space in them.
    """
    wrong = tuple(id for ranking in run.rankings for id in ranking.ids if _SPACE.search(id))
    if wrong:
        shown = ", ".join(map(repr, wrong[:5])) + (", ..." if len(wrong) > 5 else "")
        raise TrecError(
            f"a TREC run has no way to write ids with white space: {shown}; use --save-run",
            ids=wrong,
        )
    beside = path.with_name(path.name + ".jsonl")
    write_whole(path, "".join(line for one in run.rankings for line in _lines(one)))
    rows = (json.dumps(row, sort_keys=True) for one in run.rankings for row in _rows(one))
    write_whole(beside, "".join(f"{row}\n" for row in rows))
    return beside


def _lines(ranking: Ranking) -> Iterator[str]:
    count = len(ranking.entries)
    for place, entry in enumerate(ranking.entries):
        yield f"{ranking.number} Q0 {entry.id} {place + 1} {count - place} {TAG}\n"


def _rows(ranking: Ranking) -> Iterator[dict[str, object]]:
    shared: dict[str, object] = {"query": ranking.number, "question": ranking.question}
    for rank, entry in enumerate(ranking.entries, start=1):
        yield shared | {
            "rank": rank,
            "id": entry.id,
            "score": entry.score,
            "route": entry.route,
            "band": entry.band,
        }
    if not ranking.entries:
        yield shared | {"rank": None, "id": None}
