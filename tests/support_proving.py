"""A hand-made store and golden set in which every mutation is noticed by one case of its own.

Scores are counts: under keyword points each word of a question that a text has is one point, so
that ``points`` words make a score of ``points``, and distances are whole numbers. Each case has
words of its own, so that no other case's documents match.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import steadyrank
from steadyrank.measure import Golden, Run
from steadyrank_builder.evaluation import golden_asker, read_golden
from support_answers import piece, write

WORDS = 20
GAP = 5.0


def words(prefix: str) -> list[str]:
    """Twenty words that nothing else has, and that no stemmer shortens."""
    return [f"{prefix}{chr(97 + n)}oxq" for n in range(WORDS)]


def scored(id: str, points: int, **fields: Any) -> dict[str, Any]:
    """A document with so many of its case's words; the case is what the id has before the colon."""
    return piece(id, " ".join(words(id.partition(":")[0])[:points]), **fields)


# Of each case: the mutation it notices, and its documents by points.
DOCUMENTS: Sequence[dict[str, Any]] = sorted(
    [
        scored("tie:a", 3), scored("tie:b", 3),
        scored("fetch:a", 3), scored("fetch:b", 3), scored("fetch:c", 3),
        # Just outside the band, with an early id.
        scored("wide:b", 20), scored("wide:a", 14),
        # One band, of which wide and reversed ones have c in the middle, and scores last.
        scored("narrow:a", 19), scored("narrow:b", 18), scored("narrow:c", 16),
        scored("narrow:d", 20), scored("narrow:e", 17),
        # b is exactly at the edge; were it outside, it would lead a.
        scored("edge:c", 20), scored("edge:b", 15), scored("edge:a", 12),
        # c is outside but near b; a is near neither.
        scored("chain:d", 20), scored("chain:b", 17), scored("chain:c", 13), scored("chain:a", 7),
        scored("sure:a", 8, heading="Come here"), scored("sure:b", 20),
        piece("drift:a", "salphaq"), piece("drift:b", "sbetaq"),
        piece("drift:c", "salphaq " + "longq " * 40),
    ],
    key=lambda document: str(document["id"]),
)  # fmt: skip

# In a later index sbetaq is the commoner word, in texts too long to be near the top.
LATER: Sequence[dict[str, Any]] = [
    *DOCUMENTS,
    *(piece(f"drift:x{n}", "sbetaq " + "longq " * 40) for n in range(9)),
]


def question(prefix: str) -> str:
    """All the words of a case."""
    return " ".join(words(prefix))


def case(prefix: str, mode: str, *expected: str, **more: Any) -> dict[str, Any]:
    """A golden case as a file has it."""
    return {"question": question(prefix), "mode": mode, "expected": list(expected), **more}


BANDS = {"gap": GAP}
CASES: dict[str, dict[str, Any]] = {
    "tie-break-reversed": case("tie", "exact", "tie:a", "tie:b"),
    "fetch-without-tie-break": case(
        "fetch", "excludes", "fetch:b", k=1, settings={"fetch": {"quotas": {"product": 2}}}
    ),
    "gap-times-10": case("wide", "exact", "wide:b", "wide:a", settings=BANDS),
    "gap-by-10": case("narrow", "contains", "narrow:c", k=3, settings=BANDS),
    "gap-exclusive": case("edge", "contains", "edge:b", k=2, settings=BANDS),
    "bands-chained": case("chain", "excludes", "chain:c", k=2, settings=BANDS),
    "confidence-of-highest": {
        **case("sure", "rank-one", "sure:a", confidence="medium"),
        "question": "come sureq here",
        "settings": {
            "concepts": [
                {
                    "name": "sure",
                    "aliases": ["sureq"],
                    "terms": words("sure"),
                    "routes": [{"heading": "Come here"}],
                }
            ]
        },
    },
    "statistics-live": {
        "question": "salphaq sbetaq",
        "mode": "rank-one",
        "expected": ["drift:b"],
        "settings": {"weighting": "bm25f", "fields": {"text": 1.0}, "statistics": "pin.json"},
    },
}  # fmt: skip
NUMBERS = {name: number for number, name in enumerate(CASES, start=1)}


def written(folder: Path, *without: str) -> tuple[Path, Path, Path]:
    """The index, the later index and the golden file; ``without`` these mutations' cases."""
    index = write(folder / "index", DOCUMENTS)
    later = write(folder / "later", LATER)
    steadyrank.Statistics.pin(steadyrank.open_index(index)).save(folder / "pin.json")
    golden = folder / "golden.json"
    cases = [one for name, one in CASES.items() if name not in without]
    settings = {"weighting": "keyword-points", "points": {"text": 1}}
    golden.write_text(json.dumps({"settings": settings, "cases": cases}), "utf-8")
    return index, later, golden


class Asks:
    """Asks the cases of a golden file in a folder, as the command does."""

    def __init__(self, folder: Path, golden: Path) -> None:
        self.folder, self.path = folder, golden
        self.golden: Golden = read_golden(golden)

    def __call__(self, golden: Golden) -> Run:
        with golden_asker(self.folder, self.path, golden=golden) as asker:
            return asker.run()
