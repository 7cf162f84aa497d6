"""Whoosh as it is, and Whoosh sorted by score and id."""

from __future__ import annotations

from pathlib import Path
from typing import Any, ClassVar

from whoosh import fields, index, query, sorting
from whoosh.analysis import SpaceSeparatedTokenizer

from race.corpus import Doc
from race.question import Question, Tree


def written(docs: list[Doc], folder: Path, segments: int = 1) -> Any:
    """A Whoosh index of the documents in their order, with positions, as Whoosh has them."""
    analyzer = SpaceSeparatedTokenizer()
    schema = fields.Schema(
        id=fields.ID(stored=True, unique=True, sortable=True),
        kind=fields.ID(stored=True, sortable=True),
        title=fields.TEXT(analyzer=analyzer),
        text=fields.TEXT(analyzer=analyzer),
    )
    folder.mkdir(parents=True, exist_ok=True)
    made = index.create_in(str(folder), schema)
    step = -(-len(docs) // segments)
    for start in range(0, len(docs), step):
        writer = made.writer(limitmb=512)
        for doc in docs[start : start + step]:
            writer.add_document(id=doc.id, kind=doc.kind, title=doc.title, text=doc.text)
        writer.commit(merge=False)
    return made


def tree_of(tree: Tree) -> Any:
    """The query of a tree: each word or phrase in title or text."""
    operator, *parts = tree
    if operator == "word":
        return query.Or([query.Term("title", parts[0]), query.Term("text", parts[0])])
    if operator == "phrase":
        return query.Or([query.Phrase("title", parts), query.Phrase("text", parts)])
    made = [tree_of(part) for part in parts]
    if operator == "and":
        return query.And(made)
    if operator == "not":
        return query.AndNot(*made)
    return query.Or([leaf for either in made for leaf in (either if _is_or(either) else [either])])


def _is_or(made: Any) -> bool:
    return type(made) is query.Or


class Stock:
    """``searcher.search(query, limit=k)`` with the ids read from the hits."""

    name = "Whoosh"
    index = "whoosh"
    options: ClassVar[dict[str, Any]] = {}

    def __init__(self, folder: Path) -> None:
        self.searcher = self.opened(folder / self.index).searcher()

    def opened(self, folder: Path) -> Any:
        return index.open_dir(str(folder))

    @staticmethod
    def build(docs: list[Doc], folder: Path) -> None:
        written(docs, folder)

    def top(self, question: Question) -> list[str]:
        return [hit["id"] for hit in self.searched(question)]

    def searched(self, question: Question) -> Any:
        """Whoosh's results."""
        options = dict(self.options)
        if question.kind is not None:
            options["filter"] = query.Term("kind", question.kind)
        if question.per_kind is not None:
            options.update(collapse="kind", collapse_limit=question.per_kind)
        return self.searcher.search(tree_of(question.tree), limit=question.k, **options)

    def refresh(self) -> None:
        """Sees what was committed meanwhile."""
        self.searcher = self.searcher.refresh()

    def close(self) -> None:
        self.searcher.close()


class SortedBy(Stock):
    """The same sorted by [ScoreFacet(), FieldFacet("id")]."""

    name = "Whoosh, sortedby score and id"
    options: ClassVar[dict[str, Any]] = {
        "sortedby": [sorting.ScoreFacet(), sorting.FieldFacet("id")]
    }
