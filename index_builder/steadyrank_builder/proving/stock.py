"""What stock Whoosh answers, to see whether layouts differ at all."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from steadyrank.retrieval import parsed
from steadyrank_builder.runs.deadline import stock_search


def stock_answers(folder: Path, questions: Sequence[str], k: int = 4) -> list[tuple[str, ...]]:
    """The first ``k`` ids for each question, by Whoosh's own default search."""
    from whoosh.index import open_dir

    answers = []
    with open_dir(str(folder), readonly=True).searcher() as searcher:
        for text in questions:
            query = parsed(text, searcher.schema)
            with stock_search(text):
                answers.append(tuple(hit["id"] for hit in searcher.search(query, limit=k)))
    return answers
