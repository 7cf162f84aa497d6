"""SQLite's FTS5, ordered by bm25 and id."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from race.corpus import Doc

_TOP = (
    "SELECT docs.id FROM docs_fts JOIN docs ON docs.rowid = docs_fts.rowid "
    "WHERE docs_fts MATCH ? ORDER BY bm25(docs_fts), docs.id LIMIT ?"
)


class Fts5:
    """One table with the ids and an FTS5 table beside it."""

    name = "SQLite FTS5, bm25 then id"
    ordered = True

    def __init__(self, folder: Path) -> None:
        self.base = sqlite3.connect(folder / "fts5.db")

    @staticmethod
    def build(docs: list[Doc], folder: Path) -> None:
        path = folder / "fts5.db"
        if path.exists():
            return
        base = sqlite3.connect(path)
        base.execute("CREATE TABLE docs (id TEXT)")
        base.execute("CREATE VIRTUAL TABLE docs_fts USING fts5(title, text, content='')")
        rows = list(enumerate(docs, start=1))
        base.executemany("INSERT INTO docs(rowid, id) VALUES (?, ?)", [(n, d.id) for n, d in rows])
        base.executemany(
            "INSERT INTO docs_fts(rowid, title, text) VALUES (?, ?, ?)",
            [(n, d.title, d.text) for n, d in rows],
        )
        base.execute("INSERT INTO docs_fts(docs_fts) VALUES('optimize')")
        base.commit()
        base.close()

    def top(self, words: tuple[str, ...], k: int, operator: str) -> list[str]:
        joined = f" {operator.upper()} ".join(f'"{word}"' for word in words)
        return [id for (id,) in self.base.execute(_TOP, (joined, k))]

    def close(self) -> None:
        self.base.close()
