"""bm25s with its numpy backend. It has one field, so title and text are indexed together."""

from __future__ import annotations

import json
from pathlib import Path

import bm25s

from race.corpus import Doc


class Bm25s:
    """Its own scores over title and text as one field; it has no AND."""

    name = "bm25s, numpy"
    ordered = False

    def __init__(self, folder: Path) -> None:
        self.model = bm25s.BM25.load(str(folder / "bm25s"), mmap=True)
        self.ids = json.loads((folder / "bm25s-ids.json").read_text("utf-8"))

    @staticmethod
    def build(docs: list[Doc], folder: Path) -> None:
        if (folder / "bm25s").exists():
            return
        model = bm25s.BM25(method="lucene", backend="numpy")
        model.index([f"{d.title} {d.text}".split() for d in docs], show_progress=False)
        model.save(str(folder / "bm25s"))
        (folder / "bm25s-ids.json").write_text(json.dumps([d.id for d in docs]), "utf-8")

    def top(self, words: tuple[str, ...], k: int, operator: str) -> list[str]:
        if operator == "and":
            raise NotImplementedError("bm25s has no AND")
        found, _ = self.model.retrieve([list(words)], k=k, show_progress=False, n_threads=0)
        return [self.ids[int(number)] for number in found[0]]

    def close(self) -> None:
        pass
