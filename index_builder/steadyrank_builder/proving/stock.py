"""What stock Whoosh answers, to see whether layouts differ at all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from steadyrank.retrieval import parsed


def stock_answers(folder: Path, questions: Sequence[str], k: int = 4) -> list[tuple[str, ...]]:
    """The first ``k`` ids for each question, by Whoosh's own default search."""
    from whoosh.index import open_dir

    with open_dir(str(folder), readonly=True).searcher() as searcher:
        return [
            tuple(hit["id"] for hit in searcher.search(parsed(text, searcher.schema), limit=k))
            for text in questions
        ]
