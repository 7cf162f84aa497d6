"""Whoosh as it is, and Whoosh sorted by score and id."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from whoosh import fields, index, query, sorting
from whoosh.analysis import SpaceSeparatedTokenizer

from race.corpus import Doc


def written(docs: list[Doc], folder: Path, segments: int = 1) -> Any:
    """A Whoosh index of the documents in their order."""
    analyzer = SpaceSeparatedTokenizer()
    schema = fields.Schema(
        id=fields.ID(stored=True, unique=True, sortable=True),
        title=fields.TEXT(analyzer=analyzer, phrase=False),
        text=fields.TEXT(analyzer=analyzer, phrase=False),
    )
    folder.mkdir(parents=True, exist_ok=True)
    made = index.create_in(str(folder), schema)
    step = -(-len(docs) // segments)
    for start in range(0, len(docs), step):
        writer = made.writer(limitmb=512)
        for doc in docs[start : start + step]:
            writer.add_document(id=doc.id, title=doc.title, text=doc.text)
        writer.commit(merge=False)
    return made


def tree(words: tuple[str, ...], operator: str) -> Any:
    """Each word in title or text, joined by the operator."""
    leaves = [query.Or([query.Term("title", word), query.Term("text", word)]) for word in words]
    return (
        query.And(leaves)
        if operator == "and"
        else query.Or([leaf for pair in leaves for leaf in pair])
    )


class Stock:
    """``searcher.search(query, limit=k)`` with the ids read from the hits."""

    name = "Whoosh"
    ordered = False
    options: ClassVar[dict[str, Any]] = {}

    def __init__(self, folder: Path) -> None:
        self.searcher = index.open_dir(str(folder / "whoosh")).searcher()

    @staticmethod
    def build(docs: list[Doc], folder: Path) -> None:
        if not (folder / "whoosh").exists():
            written(docs, folder / "whoosh")

    def top(self, words: tuple[str, ...], k: int, operator: str) -> list[str]:
        hits = self.searcher.search(tree(words, operator), limit=k, **self.options)
        return [hit["id"] for hit in hits]

    def close(self) -> None:
        self.searcher.close()


class SortedBy(Stock):
    """The same sorted by [ScoreFacet(), FieldFacet("id")]."""

    name = "Whoosh, sortedby score and id"
    ordered = True
    options: ClassVar[dict[str, Any]] = {
        "sortedby": [sorting.ScoreFacet(), sorting.FieldFacet("id")]
    }
