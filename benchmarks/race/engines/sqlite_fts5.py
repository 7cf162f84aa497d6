"""SQLite's FTS5, ordered by bm25 and id."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from race.corpus import Doc
from race.question import Question, Tree

_TOP = (
    "SELECT docs.id FROM docs_fts JOIN docs ON docs.rowid = docs_fts.rowid "
    "WHERE docs_fts MATCH ? {kind} ORDER BY bm25(docs_fts), docs.id LIMIT ?"
)


def tree_of(tree: Tree) -> str:
    """A tree in FTS5's language; a word or phrase is looked for in all columns."""
    operator, *parts = tree
    if operator in ("word", "phrase"):
        return f'"{" ".join(parts)}"'
    return f"({f' {operator.upper()} '.join(tree_of(part) for part in parts)})"


class Fts5:
    """One table with ids and kinds and an FTS5 table beside it."""

    name = "SQLite FTS5, bm25 then id"
    index = "fts5"

    def __init__(self, folder: Path) -> None:
        self.base = sqlite3.connect(folder / self.index / "docs.db", check_same_thread=False)

    @staticmethod
    def build(docs: list[Doc], folder: Path) -> None:
        folder.mkdir()
        base = sqlite3.connect(folder / "docs.db")
        base.execute("CREATE TABLE docs (id TEXT, kind TEXT)")
        base.execute("CREATE VIRTUAL TABLE docs_fts USING fts5(title, text, content='')")
        rows = list(enumerate(docs, start=1))
        base.executemany(
            "INSERT INTO docs(rowid, id, kind) VALUES (?, ?, ?)",
            [(number, doc.id, doc.kind) for number, doc in rows],
        )
        base.executemany(
            "INSERT INTO docs_fts(rowid, title, text) VALUES (?, ?, ?)",
            [(number, doc.title, doc.text) for number, doc in rows],
        )
        base.execute("INSERT INTO docs_fts(docs_fts) VALUES('optimize')")
        base.commit()
        base.close()

    def top(self, question: Question) -> list[str]:
        if question.per_kind is not None:
            raise NotImplementedError("FTS5 has no limit per kind")
        values: list[object] = [tree_of(question.tree)]
        kind = ""
        if question.kind is not None:
            kind = "AND docs.kind = ?"
            values.append(question.kind)
        rows = self.base.execute(_TOP.format(kind=kind), (*values, question.k))
        return [id for (id,) in rows]

    def close(self) -> None:
        self.base.close()
